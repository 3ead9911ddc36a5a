import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';

export interface CertificateOptions {
  /** The host name or address that it is for, also its name; by default `localhost`. */
  readonly host?: string;
  /** The authority that signs it; by default it signs itself. */
  readonly issuer?: TestCertificate | undefined;
  /** The year at whose begin it expires. */
  readonly until?: number;
}

/** A certificate and its key in PEM, as TLS takes them. */
export interface TestCertificate {
  readonly key: string;
  readonly cert: string;
  readonly name: Buffer;
  readonly privateKey: KeyObject;
}

const ECDSA_WITH_SHA256 = '06082a8648ce3d040302';
const COMMON_NAME = '0603550403';
const BASIC_CONSTRAINTS = '0603551d13';
const SUBJECT_ALTERNATIVE_NAME = '0603551d11';

/** Makes a key and a certificate: node:crypto makes keys and reads certificates, but issues none. */
export function testCertificate({
  host = 'localhost',
  issuer,
  until = 2099,
}: CertificateOptions = {}): TestCertificate {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const algorithm = sequence(bytes(ECDSA_WITH_SHA256));
  const name = sequence(der(0x31, sequence(bytes(COMMON_NAME), der(0x0c, Buffer.from(host)))));
  const validity = sequence(time('20200101000000Z'), time(`${until}0101000000Z`));
  const version = der(0xa0, bytes('020102'));
  const subjectKey = publicKey.export({ type: 'spki', format: 'der' });
  const serial = der(
    0x02,
    Buffer.concat([Buffer.of(1), createHash('sha256').update(subjectKey).digest().subarray(0, 8)]),
  );
  const isAddress = /^[\d.]+$/.test(host);
  const subject = isAddress ? der(0x87, Buffer.from(host.split('.').map(Number))) : der(0x82, Buffer.from(host));
  const extensions = sequence(
    sequence(bytes(BASIC_CONSTRAINTS), der(0x04, sequence(issuer ? Buffer.of() : bytes('0101ff')))),
    sequence(bytes(SUBJECT_ALTERNATIVE_NAME), der(0x04, sequence(subject))),
  );
  const toBeSigned = sequence(
    ...[version, serial, algorithm, issuer?.name ?? name, validity, name, subjectKey],
    der(0xa3, extensions),
  );
  const signature = sign('sha256', toBeSigned, issuer?.privateKey ?? privateKey);
  const base64 = sequence(toBeSigned, algorithm, der(0x03, Buffer.concat([Buffer.of(0), signature]))).toString(
    'base64',
  );
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${base64.replace(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`,
    name,
    privateKey,
  };
}

function bytes(hex: string): Buffer {
  return Buffer.from(hex, 'hex');
}

function sequence(...parts: readonly Uint8Array[]): Buffer {
  return der(0x30, Buffer.concat(parts));
}

function time(at: string): Buffer {
  return der(0x18, Buffer.from(at));
}

/** Tag, length, content. */
function der(tag: number, content: Uint8Array): Buffer {
  const size = content.length;
  const length = size < 128 ? [size] : size < 256 ? [0x81, size] : [0x82, Math.trunc(size / 256), size % 256];
  return Buffer.concat([Buffer.of(tag, ...length), content]);
}
