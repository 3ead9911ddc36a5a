import { prettyFactory } from 'pino-pretty';

/** The control characters but the tab and the end of a line: a terminal would obey them. */
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g; // oxlint-disable-line no-control-regex -- these are meant

/**
 * Creates a function that turns a line of the log in JSON into one for people. Control characters in its texts, which may come
 * from outside, are replaced.
 */
export function terminalLines({ colors }: { readonly colors: boolean }): (line: string) => string {
  const pretty = prettyFactory({
    colorize: colors,
    ignore: 'pid,hostname',
    singleLine: true,
    translateTime: 'SYS:HH:MM:ss.l',
  });
  return (line) => pretty(JSON.parse(line, (_key, value: unknown) => withoutControls(value))) ?? '';
}

function withoutControls(value: unknown): unknown {
  return typeof value === 'string' ? value.replace(CONTROLS, '\ufffd') : value;
}
