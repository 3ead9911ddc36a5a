import { text } from '../config/setting.ts';

const authority = (api: string) =>
  text(
    '',
    `PEM file of the authorities that sign the certificate of ${api}, in place of the public ones. See docs/tls.md.`,
  );
const certificate = (api: string) =>
  text('', `PEM file of the client certificate for ${api}, and of those that link it to its authority.`);
const key = (api: string) =>
  text('', `PEM file of the key of the client certificate for ${api}, without a passphrase.`);

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
  ACCOUNT_CA: authority('the account API'),
  ACCOUNT_CERT: certificate('the account API'),
  ACCOUNT_KEY: key('the account API'),
  FLEX_CA: text('', 'As ACCOUNT_CA, for the flex API; by default ACCOUNT_CA where both APIs have the same origin.'),
  FLEX_CERT: text(
    '',
    'As ACCOUNT_CERT, for the flex API; by default ACCOUNT_CERT and ACCOUNT_KEY where both APIs have the same origin.',
  ),
  FLEX_KEY: key('the flex API'),
  CRM_CA: authority('the CRM'),
  CRM_CERT: certificate('the CRM'),
  CRM_KEY: key('the CRM'),
  FORUM_CA: authority('the forum'),
  FORUM_CERT: certificate('the forum'),
  FORUM_KEY: key('the forum'),
};

/** The settings of one upstream, or of the gateway's own server. */
type Names = readonly [ca: string, cert: string, key: string];

type Paths = Readonly<Record<string, unknown>>;

const OWN: Names = ['TLS_CA', 'TLS_CERT', 'TLS_KEY'];

const UPSTREAMS = [
  ['ACCOUNT_URL', ['ACCOUNT_CA', 'ACCOUNT_CERT', 'ACCOUNT_KEY']],
  ['FLEX_URL', ['FLEX_CA', 'FLEX_CERT', 'FLEX_KEY']],
  ['CRM_URL', ['CRM_CA', 'CRM_CERT', 'CRM_KEY']],
  ['FORUM_URL', ['FORUM_CA', 'FORUM_CERT', 'FORUM_KEY']],
] as const satisfies readonly (readonly [string, Names])[];

/** A certificate needs its key, a key its certificate, and the authorities of callers need HTTPS. */
export function tlsPairs(config: Paths): string | undefined {
  for (const [, cert, key] of [OWN, ...UPSTREAMS.map(([, names]) => names)]) {
    if (config[cert] && !config[key]) return `${cert} needs ${key}: the file with the key of the certificate.`;
    if (config[key] && !config[cert]) return `${key} needs ${cert}: the file with the certificate of the key.`;
  }
  if (config['TLS_CA'] && !config['TLS_CERT'])
    return 'TLS_CA needs TLS_CERT and TLS_KEY: without them there is no HTTPS.';
  return undefined;
}

/** Certificates for an upstream need an https address: without TLS, credentials would go out for anybody to read. */
export function tlsAddresses(config: Paths): string | undefined {
  for (const [address, names] of UPSTREAMS) {
    const given = names.find((name) => config[name]);
    const url = config[address] ?? (address === 'FLEX_URL' ? config['ACCOUNT_URL'] : undefined);
    const isHttps = url instanceof URL && url.protocol === 'https:';
    if (given !== undefined && !isHttps) return `${given} needs an https address in ${address}.`;
  }
  return undefined;
}
