import { getOperationAST, OperationTypeNode, parse } from 'graphql';
import { account } from '../../test/endpoints/account.ts';
import { crm } from '../../test/endpoints/crm.ts';
import { flex, publicFlex } from '../../test/endpoints/flex.ts';
import { forum } from '../../test/endpoints/forum.ts';

export type ApiName = 'account' | 'flex' | 'crm' | 'forum';

/** A row of the endpoint table. */
export interface Endpoint {
  readonly api: ApiName;
  readonly method: string;
  /** Such as `/app/deals/:id.json`, without a query. */
  readonly template: string;
  /** An operation that reaches it. DB, RECORD and FORUM_POST stand for ids. */
  readonly operation: string;
  /** Whether it changes nothing: a query reaches it. */
  readonly isRead: boolean;
  /** Whether it is a public method of a flex database, which gets no credential. */
  readonly isPublic: boolean;
}

type Row = readonly [endpoint: string, call: unknown, operation: string];

function endpointsOf(api: ApiName, rows: Readonly<Record<string, Row>>, isPublic = false): Endpoint[] {
  return Object.values(rows).map(([endpoint, , operation]) => {
    const [method = '', target = ''] = endpoint.split(' ');
    const [template = ''] = target.split('?');
    const isRead = getOperationAST(parse(operation))?.operation === OperationTypeNode.QUERY;
    return { api, method, template, operation, isRead, isPublic };
  });
}

/** The whole table. */
export const endpoints: readonly Endpoint[] = [
  ...endpointsOf('account', account),
  ...endpointsOf('flex', flex),
  ...endpointsOf('flex', publicFlex, true),
  ...endpointsOf('crm', crm),
  ...endpointsOf('forum', forum),
];

/** The endpoint of a request. One without parameters goes before one with them. */
export function endpointOf(api: ApiName, method: string, path: string): Endpoint | undefined {
  const fitting = endpoints.filter((row) => row.api === api && row.method === method && fits(path, row.template));
  return fitting.find(({ template }) => !template.includes(':')) ?? fitting[0];
}

/** Whether a path is made of a template: each parameter is some text within its own segment. */
export function fits(path: string, template: string): boolean {
  const [segments, parts] = [path.split('/'), template.split('/')];
  return segments.length === parts.length && parts.every((part, index) => fitsSegment(segments[index] ?? '', part));
}

function fitsSegment(segment: string, part: string): boolean {
  const [before = '', parameter] = part.split(':');
  if (parameter === undefined) return segment === part;
  const after = parameter.endsWith('.json') ? '.json' : parameter.endsWith('.xml') ? '.xml' : '';
  return segment.startsWith(before) && segment.endsWith(after) && segment.length > before.length + after.length;
}

/** A path after no, one and two percent-decodings, each as a server may resolve it. */
export function readings(path: string): string[] {
  const once = percentDecoded(path);
  return [path, once, percentDecoded(once)].map(resolved);
}

/** Decodes every percent-encoded byte, also where the result is no UTF-8. */
function percentDecoded(text: string): string {
  const bytes = Buffer.from(text).toString('latin1');
  const decoded = bytes.replaceAll(/%([\da-f]{2})/gi, (_all, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return Buffer.from(decoded, 'latin1').toString();
}

/** A path without query, fragment and parameters, backslashes as slashes, dot segments resolved. */
function resolved(path: string): string {
  const segments: string[] = [];
  for (const segment of (path.split(/[?#]/)[0] ?? '').replaceAll('\\', '/').split('/')) {
    const name = segment.split(';')[0] ?? '';
    if (name === '..') segments.pop();
    else if (name !== '.') segments.push(name);
  }
  return segments.join('/');
}
