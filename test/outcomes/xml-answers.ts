import { BROKEN, type Case, type Expected, LATE, REFUSED, STATUSES, told, UNREADABLE, untold } from './json-answers.ts';

// Answers of the forum. The rules are those of JSON; the key is the name of the element that was sent.

/** `<post>` is the key of all but the user, where errors in it are none of the user's. */
const refusedInPost: Expected = (mutation) => (mutation.kind === 'change' ? told : REFUSED)(mutation);

/** Errors beside a record that shows what was sent are its own. A deletion and a new user have no such record. */
const toldIfShown: Expected = (mutation) => (mutation.kind === 'create' ? told : REFUSED)(mutation);

/** A read by id finds no record any more. */
const seenGone =
  (otherwise: Expected): Expected =>
  (mutation) =>
    (mutation.kind === 'delete' ? told : otherwise)(mutation);

const ID = '<id type="integer">11</id>';
const SHOWN = '<title>N</title><content>N</content>';
const OLD = '<title>old</title><content>N</content>';
const ERRORS = '<errors><error>is bad</error></errors>';

const saying = (text: string, expected: Expected, status = 200): Case => ({
  name: `${status} ${text}`,
  text,
  status,
  expected,
});

export const xmlAnswers: readonly Case[] = [
  saying(`<post>${ID}${SHOWN}</post>`, told),
  saying(`<post>${ID}${SHOWN}</post>`, told, 201),
  saying(`<post><id type="integer"> 11 </id></post>`, told),
  saying(`<hash><comments type="array"/><post>${ID}${SHOWN}</post></hash>`, told),
  saying(`<post>${ID}<status>error</status><success>false</success></post>`, told),
  saying(`<post>${ID}${SHOWN}<errors/><error nil="true"/></post>`, told),
  saying(`<post>${ID}${SHOWN}${ERRORS}</post>`, toldIfShown),
  saying(`<post>${SHOWN}</post>`, untold),
  saying(`<post><id nil="true"/>${SHOWN}</post>`, untold),
  saying('<user><id>3</id><login>x</login></user>', untold),
  saying('<hash><status>ok</status></hash>', untold),
  saying('<nil-classes type="array"/>', untold),
  saying('', untold),
  saying(' ', untold),
  saying('', untold, 201),
  saying('', untold, 204),
  saying('<post><id>11</id>', untold),
  saying('<!DOCTYPE post><post><id>11</id></post>', untold),
  { name: 'ok', text: 'ok', type: 'text/plain', expected: untold },
  { name: 'a space as HTML', text: ' ', type: 'text/html; charset=utf-8', expected: untold },
  { name: 'a line end as text', text: '\r\n', type: 'text/plain', expected: untold },
  saying('<hash><id>7</id><status>error</status></hash>', untold),

  saying(ERRORS, REFUSED),
  saying('<error>is bad</error>', REFUSED),
  saying(`<post>${ERRORS}</post>`, REFUSED),
  saying(`<post><id nil="true"/>${ERRORS}</post>`, REFUSED),
  saying('<post><id/><error>is bad</error></post>', REFUSED),
  saying(`<post>${ID}${OLD}${ERRORS}</post>`, REFUSED),
  saying(`<hash><post><id nil="true"/>${ERRORS}</post></hash>`, refusedInPost),
  saying('<hash><status>error</status><message>is bad</message></hash>', REFUSED),
  saying('<hash><status>failed</status></hash>', REFUSED),
  saying('<hash><success type="boolean">false</success></hash>', REFUSED),
  saying('<response><ok>0</ok></response>', REFUSED),
  saying(`<hash>${ERRORS}</hash>`, REFUSED),
  ...Object.entries(STATUSES).map(([status, expected]) => saying(ERRORS, expected, Number(status))),

  saying('<hash><status>500</status></hash>', BROKEN),
  ...[
    '<!doctype html><html></html>',
    '\n<!DOCTYPE html><title>x</title>',
    '\uFEFF<HTML>',
    '<!-- x --><html></html>',
  ].map((text): Case => ({ name: `a web page: ${text}`, text, type: 'text/html', expected: UNREADABLE })),
  { name: 'an answer that is cut', fault: 'cut', expected: BROKEN },
  { name: 'an answer that is cut, of a record that is gone', fault: 'cut', later: 'gone', expected: seenGone(BROKEN) },
  { name: 'a body that is cut', fault: 'cut in its body', expected: BROKEN },
  { name: 'an answer that hangs', fault: 'hangs', expected: LATE },
  { name: 'an answer that hangs, of a record that is gone', fault: 'hangs', later: 'gone', expected: seenGone(LATE) },
];
