import { generateKeyPairSync, sign } from 'node:crypto';

/** A key and a certificate for `localhost` that nobody has signed but itself, as a TLS server takes them. */
export function selfSigned(): { readonly key: string; readonly cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const ecdsaWithSha256 = sequence(Buffer.from('06082a8648ce3d040302', 'hex'));
  const commonName = Buffer.from('0603550403', 'hex');
  const name = sequence(der(0x31, sequence(commonName, der(0x0c, Buffer.from('localhost')))));
  const validity = sequence(time('20200101000000Z'), time('20990101000000Z'));
  const version = der(0xa0, Buffer.from('020102', 'hex'));
  const serial = Buffer.from('020101', 'hex');
  const subjectKey = publicKey.export({ type: 'spki', format: 'der' });
  const toBeSigned = sequence(version, serial, ecdsaWithSha256, name, validity, name, subjectKey);
  const signature = der(0x03, Buffer.concat([Buffer.of(0), sign('sha256', toBeSigned, privateKey)]));
  const base64 = sequence(toBeSigned, ecdsaWithSha256, signature).toString('base64');
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${base64.replace(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`,
  };
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
