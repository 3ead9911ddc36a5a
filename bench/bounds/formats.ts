import { readExactly } from '../../src/graph/json.ts';
import { json } from '../../src/formats/json.ts';
import { parseXml } from '../../src/formats/xml-document.ts';
import { xml } from '../../src/formats/xml.ts';
import { createRedactor } from '../../src/calls/transport/redaction.ts';
import { refusalError } from '../../src/calls/transport/refusal.ts';
import { API } from '../../test/support/fake-upstream.ts';
import {
  ESCAPES,
  HOSTILE_NUMBERS,
  HOSTILE_PROLOGUES,
  HOSTILE_SECRETS,
  HOSTILE_XML,
  largestXml,
  REFUSAL_PARTS,
  sized,
} from './hostile-texts.ts';
import { type Bound, cpuBound } from './bound.ts';

// What upstream sends is read in time that is linear in its length.

const MEGABYTE = 1_000_000;

/** A text of so many characters. */
const filled = (part: string, length: number) => part.repeat(Math.ceil(length / part.length));

/** Does work that may refuse what it is given. */
async function tried(work: () => unknown): Promise<void> {
  try {
    await work();
  } catch {
    // it is refused
  }
}

const body = (text: string, contentType: string) => ({ body: [Buffer.from(text)], contentType, contentEncoding: '' });

const XML_MS = 400;

const documents = HOSTILE_XML.map(([name, text]) =>
  cpuBound(
    `a megabyte of XML is read or refused: ${name}`,
    XML_MS,
    () => sized(text, MEGABYTE),
    (document) => tried(() => parseXml(document)),
  ),
);

const largestDocument = cpuBound(
  'a megabyte of XML is read: as much of everything as is allowed',
  XML_MS,
  () => largestXml(MEGABYTE),
  parseXml,
);

const prologues = HOSTILE_PROLOGUES.map((part) =>
  cpuBound(
    `an XML answer that nobody reads is no web page: many ${JSON.stringify(part)}`,
    100,
    () => body(part.repeat(100_000), 'text/html'),
    (answer) => xml.assertNotWebPage(answer, 'FORUM_URL'),
  ),
);

const numbers = HOSTILE_NUMBERS.map(([name, text]) =>
  cpuBound(
    `4 MB of JSON with long numbers are read or refused: ${name}`,
    1_000,
    () => body(sized(text, 4 * MEGABYTE), 'application/json'),
    (answer) => tried(() => json.parse(answer, 'CRM_URL')),
  ),
);

const redaction = HOSTILE_SECRETS.map(([name, secret]) =>
  cpuBound(
    `a secret is looked for in ${ESCAPES.length} texts of 256 K characters: ${name}`,
    1_500,
    () => ESCAPES.map((part) => `${filled(part, 2 ** 18)}!`),
    (texts) => texts.map(createRedactor([secret, 'other', 'demo']).text),
  ),
);

const redactor = createRedactor(['0a1b2c3d4e5f', '\\\\\\/', 'dXNlcjpzZWNyZXQ=']);
const call = { api: 'CRM', endpoint: 'GET /app/deals.json' };
const readRefusal = (refusal: unknown) =>
  refusalError({ status: 422, retryAfter: '', date: '' }, refusal, {
    ...{ api: API, call, credential: 'X-CRM-Token', sent: undefined, redactor },
  });
const shortTexts = () => Array.from({ length: 2 * MEGABYTE }, (_none, index) => `${index % 1_000}`);

const REFUSALS: readonly (readonly [name: string, make: () => unknown])[] = [
  ...REFUSAL_PARTS.flatMap((part): [string, () => unknown][] => [
    [`a message of ${part}`, () => ({ message: filled(part, 20 * MEGABYTE) })],
    [`a field of ${part}`, () => ({ errors: { name: [filled(part, 20 * MEGABYTE)] } })],
  ]),
  ['two million short texts', () => ({ errors: { name: shortTexts() }, available_tables: shortTexts() })],
];

const refusals = REFUSALS.map(([name, make]) =>
  cpuBound(`a refusal of 20 MB is read: ${name}`, 1_000, make, readRefusal),
);

const values = [
  ['lists', []],
  ['objects', { a: 1 }],
  ['numbers', 1],
].map(([name, part]) =>
  cpuBound(
    `a JSON argument of half a million ${String(name)} is checked`,
    300,
    () => ({ all: Array.from({ length: 500_000 }, () => part) }),
    (value) => void readExactly(value),
  ),
);

export const formats: readonly Bound[] = [
  ...values,
  ...documents,
  largestDocument,
  ...prologues,
  ...numbers,
  ...redaction,
  ...refusals,
];
