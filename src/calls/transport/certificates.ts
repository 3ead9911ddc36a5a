import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { createSecureContext, type SecureContext, type SecureContextOptions } from 'node:tls';
import { addressOf, type ApiName, apis, type ByApi, byApi } from '../../config/apis.ts';
import { type Config, ConfigError } from '../../config.ts';
import { errorCode } from '../../system.ts';

/** The checked content of the files of certificates. */
export interface Certificates {
  /** For the server of the gateway; undefined when it serves HTTP. */
  readonly own: SecureContextOptions | undefined;
  /** For the connections to the upstreams; undefined for Node's defaults. */
  readonly upstreams: UpstreamContexts;
  /** A sentence for each certificate that is not valid now, with its setting. */
  readonly warnings: readonly string[];
}

/** For the connections to each upstream; undefined for Node's defaults. */
export type UpstreamContexts = ByApi<SecureContext | undefined>;

/** A setting, and the path that it holds. */
interface File {
  readonly setting: string;
  readonly path: string;
}

/** The files of one side of a connection. The certificate and the key are given together. */
interface Files {
  readonly ca?: File | undefined;
  readonly cert?: File | undefined;
  readonly key?: File | undefined;
}

const MIN_VERSION = 'TLSv1.2';

/** A file is no larger: the public authorities of a system are about 220 KB. */
const MAX_FILE_BYTES = 4 * 1024 ** 2;

const CERTIFICATES = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g;

/** Whether a setting names a certificate, so that there are files to be read again. */
export function hasCertificates(config: Config): boolean {
  return [ownFiles(config), ...Object.values(byApi((name) => upstreamFiles(name, config)))].some(
    ({ ca, cert }) => ca ?? cert,
  );
}

/**
 * Reads and checks all files of certificates that the settings name.
 *
 * @throws ConfigError when a file cannot be used. The message is one line, names the setting, and shows nothing of the file
 */
export function readCertificates(config: Config): Certificates {
  const warnings = new Set<string>();
  const read = (files: Files) => readFiles(files, (warning) => warnings.add(warning));
  const own = read(ownFiles(config));
  return {
    own: own?.options,
    upstreams: byApi((name) => read(upstreamFiles(name, config))?.context),
    warnings: [...warnings],
  };
}

function ownFiles({ TLS_CA, TLS_CERT, TLS_KEY }: Config): Files {
  return { ca: file('TLS_CA', TLS_CA), cert: file('TLS_CERT', TLS_CERT), key: file('TLS_KEY', TLS_KEY) };
}

function upstreamFiles(name: ApiName, config: Config): Files {
  const { prefix, fallback } = apis[name];
  const own = filesOf(prefix, config);
  if (!fallback || addressOf(name, config)?.origin !== config[`${fallback}_URL`]?.origin) return own;
  const inherited = filesOf(fallback, config);
  const { cert, key } = own.cert ? own : inherited;
  return { ca: own.ca ?? inherited.ca, cert, key };
}

function filesOf(prefix: Uppercase<ApiName>, config: Config): Files {
  const [ca, cert, key] = [`${prefix}_CA`, `${prefix}_CERT`, `${prefix}_KEY`] as const;
  return { ca: file(ca, config[ca]), cert: file(cert, config[cert]), key: file(key, config[key]) };
}

function file(setting: string, path: string): File | undefined {
  return path === '' ? undefined : { setting, path };
}

/** @returns undefined without a file */
function readFiles({ ca, cert, key }: Files, warn: (warning: string) => void) {
  if (!ca && !cert) return undefined;
  const authorities = ca && certificatesIn(ca, warn);
  const chain = cert && certificatesIn(cert, warn);
  const ownKey = key && keyIn(key);
  const leaf = chain?.[0];
  if (leaf && ownKey && !leaf.checkPrivateKey(ownKey)) {
    throw new ConfigError(`${key.setting} holds another key than that of the certificate in ${cert?.setting}.`);
  }
  const options: SecureContextOptions = {
    minVersion: MIN_VERSION,
    ...(authorities && { ca: authorities.map(String) }),
    ...(chain && { cert: chain.join('') }),
    ...(ownKey && { key: ownKey.export({ type: 'pkcs8', format: 'pem' }) }),
  };
  return { options, context: contextOf(options, cert ?? ca) };
}

function contextOf(options: SecureContextOptions, first: File | undefined): SecureContext {
  try {
    return createSecureContext(options);
  } catch (error) {
    // For instance a key that is too short for OpenSSL's level of security.
    throw new ConfigError(`${first?.setting} is refused by OpenSSL (${errorCode(error) ?? 'no reason given'}).`, {
      cause: error,
    });
  }
}

function certificatesIn(file: File, warn: (warning: string) => void): X509Certificate[] {
  const { setting } = file;
  const certificates = (contentOf(file).match(CERTIFICATES) ?? []).map((pem) => {
    try {
      return new X509Certificate(pem);
    } catch (error) {
      throw new ConfigError(`${setting} names a file with a certificate that cannot be read.`, { cause: error });
    }
  });
  if (certificates.length === 0) throw new ConfigError(`${setting} names a file without a certificate in PEM.`);
  for (const { validFrom, validTo } of certificates) {
    if (Date.parse(validTo) < Date.now()) warn(`${setting} holds a certificate that expired on ${validTo}.`);
    if (Date.parse(validFrom) > Date.now())
      warn(`${setting} holds a certificate that is not valid before ${validFrom}.`);
  }
  return certificates;
}

function keyIn(file: File): KeyObject {
  const content = contentOf(file);
  try {
    return createPrivateKey(content);
  } catch (error) {
    const isEncrypted = content.includes('ENCRYPTED');
    const problem = isEncrypted
      ? 'whose key is encrypted: it takes one without a passphrase'
      : 'without a private key in PEM';
    throw new ConfigError(`${file.setting} names a file ${problem}.`, { cause: error });
  }
}

function contentOf({ setting, path }: File): string {
  try {
    const stats = statSync(path);
    if (!stats.isFile() || stats.size > MAX_FILE_BYTES)
      throw new ConfigError(`${setting} takes the path of a PEM file.`);
    return readFileSync(path, 'latin1');
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    if (errorCode(error) === 'ENOENT')
      throw new ConfigError(`${setting} names a file that does not exist.`, { cause: error });
    throw new ConfigError(`${setting} names a file that cannot be read (${errorCode(error) ?? 'no reason given'}).`, {
      cause: error,
    });
  }
}
