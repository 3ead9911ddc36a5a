import { apis, settingsByApi } from './apis.ts';
import { text } from './setting.ts';

/** The settings of TLS: the certificates of the gateway itself, and those for its upstreams. All are paths of files. */
export const tlsSettings = {
  TLS_CERT: text(
    '',
    'PEM file of the certificate of the gateway, and of those that link it to its authority: HTTPS instead of HTTP.',
  ),
  TLS_KEY: text('', 'PEM file of the key of TLS_CERT, without a passphrase.'),
  TLS_CA: text(
    '',
    'PEM file of authorities: only callers with a client certificate that one of them signed are served.',
  ),
  ...settingsByApi({
    CA: ({ words, fallback }) =>
      text(
        '',
        fallback
          ? `As ${fallback}_CA, for ${words}; by default ${fallback}_CA where both APIs have the same origin.`
          : `PEM file of the authorities that sign the certificate of ${words}, in place of the public ones. See docs/tls.md.`,
      ),
    CERT: ({ words, fallback }) =>
      text(
        '',
        fallback
          ? `As ${fallback}_CERT, for ${words}; by default ${fallback}_CERT and ${fallback}_KEY where both APIs have the same origin.`
          : `PEM file of the client certificate for ${words}, and of those that link it to its authority.`,
      ),
    KEY: ({ words }) => text('', `PEM file of the key of the client certificate for ${words}, without a passphrase.`),
  }),
};

/** The settings of one upstream, or of the gateway's own server. */
type Names = readonly [ca: string, cert: string, key: string];

type Paths = Readonly<Record<string, unknown>>;

const namesOf = (prefix: string): Names => [`${prefix}_CA`, `${prefix}_CERT`, `${prefix}_KEY`];

/** A certificate needs its key, a key its certificate, and the authorities of callers need HTTPS. */
export function tlsPairs(config: Paths): string | undefined {
  for (const [, cert, key] of ['TLS', ...Object.values(apis).map(({ prefix }) => prefix)].map(namesOf)) {
    if (config[cert] && !config[key]) return `${cert} needs ${key}: the file with the key of the certificate.`;
    if (config[key] && !config[cert]) return `${key} needs ${cert}: the file with the certificate of the key.`;
  }
  if (config['TLS_CA'] && !config['TLS_CERT'])
    return 'TLS_CA needs TLS_CERT and TLS_KEY: without them there is no HTTPS.';
  return undefined;
}

/** Certificates for an upstream need an https address: without TLS, credentials would go out for anybody to read. */
export function tlsAddresses(config: Paths): string | undefined {
  for (const { prefix, fallback } of Object.values(apis)) {
    const address = `${prefix}_URL`;
    const given = namesOf(prefix).find((name) => config[name]);
    const url = config[address] ?? (fallback && config[`${fallback}_URL`]);
    const isHttps = url instanceof URL && url.protocol === 'https:';
    if (given !== undefined && !isHttps) return `${given} needs an https address in ${address}.`;
  }
  return undefined;
}
