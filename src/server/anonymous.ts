import type { IncomingMessage } from 'node:http';
import type { Config } from '../config.ts';

/**
 * Creates a function that takes the credentials out of a request before anything reads them. It does so where PUBLIC serves
 * anonymous callers: then no limit counts them, no operation holds them, and no upstream gets them.
 */
export function credentialFilter({ PUBLIC }: Config): (request: IncomingMessage) => void {
  if (PUBLIC !== 'true') return () => {};
  return ({ headers }) => {
    delete headers.authorization;
    delete headers['proxy-authorization'];
    delete headers['x-crm-token'];
    delete headers['x-forum-authorization'];
  };
}
