/** The styles of the page at `/`: in the page itself, so that it needs no second request. */
export const HOME_STYLE = `
:root { color-scheme: light dark; --text: #1b1f24; --quiet: #57606a; --line: #d0d7de; --card: #f6f8fa; --link: #0550ae;
  --good: #116329; --bad: #a40e26; --page: #ffffff; }
@media (prefers-color-scheme: dark) {
  :root { --text: #e6edf3; --quiet: #9da7b3; --line: #3d444d; --card: #151b23; --link: #79b8ff; --good: #56d364;
    --bad: #ff9492; --page: #0d1117; }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--text); font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 60rem; margin: 0 auto; padding: 1.5rem 1rem 3rem; }
h1 { margin: 0; font-size: 1.75rem; }
h2 { margin: 2rem 0 0.5rem; font-size: 1.15rem; }
h3 { margin: 0; font-size: 1rem; }
p { margin: 0.25rem 0; }
a { color: var(--link); }
code { font: 0.875em/1.5 ui-monospace, monospace; overflow-wrap: anywhere; }
pre { margin: 0.5rem 0; padding: 0.75rem; background: var(--card); border: 1px solid var(--line); border-radius: 6px;
  white-space: pre-wrap; }
.quiet { color: var(--quiet); }
.good { color: var(--good); }
.bad { color: var(--bad); }
ul.cards, ul.links { list-style: none; margin: 0; padding: 0; display: grid; gap: 0.75rem;
  grid-template-columns: repeat(auto-fit, minmax(min(100%, 20rem), 1fr)); }
.cards li { padding: 0.75rem 1rem; background: var(--card); border: 1px solid var(--line); border-radius: 6px; }
ul.links { grid-template-columns: repeat(auto-fit, minmax(min(100%, 13rem), 1fr)); }
.links a { display: block; padding: 0.6rem 1rem; border: 1px solid var(--line); border-radius: 6px; text-decoration: none; }
.links a:hover, .links a:focus-visible { border-color: var(--link); }
.links strong { display: block; }
table { width: 100%; border-collapse: collapse; }
th, td { padding: 0.4rem 0.75rem 0.4rem 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
th { font-weight: 600; }
`;
