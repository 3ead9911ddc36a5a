import { text } from './setting.ts';

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
