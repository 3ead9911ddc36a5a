import type { Server } from 'node:http';
import type { Logger } from 'pino';
import { type Certificates, readCertificates } from '../certificates.ts';
import { type Config, ConfigError } from '../config.ts';
import type { Upstreams } from '../upstreams.ts';
import { renewServer } from './http-server.ts';

/** Reads the files of certificates again, for all connections from now on. With a bad file the old ones stay. */
export function renewCertificates(config: Config, server: Server, upstreams: Upstreams, log: Logger): void {
  try {
    const certificates = readCertificates(config);
    renewServer(server, certificates.own);
    upstreams.renew(certificates.upstreams);
    logWarnings(log, certificates);
    log.info('certificates were read again');
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    log.error({ reason: error.message }, 'certificates cannot be read again: the old ones stay');
  }
}

/** Logs which certificates are not valid now. */
export function logWarnings(log: Logger, { warnings }: Certificates): void {
  for (const reason of warnings) log.warn({ reason }, 'a certificate is not valid now');
}
