import { expect, test } from 'vitest';
import { gatewayOverAnswers } from '../account/support.ts';
import { DBS } from './support.ts';

// Ids that upstream itself hands out are parts of later paths, too: of those that could lead elsewhere none is sent back.

test.each(['../../account/api_tokens', '..', 'a%2fb', 'a?b=c', '..;x'])(
  'the id %s of a database leads nowhere',
  async (id) => {
    const { execute, received } = await gatewayOverAnswers({ [DBS]: [{ id, name: 'Odd', code: 'odd' }] });
    const { data, errors } = await execute('{ flexDbs { name records(first: 5) { nodes { id } } } }');
    expect(data).toEqual({ flexDbs: [] });
    expect(errors).toMatchObject([{ path: ['flexDbs'], extensions: { code: 'UPSTREAM_BAD_RESPONSE' } }]);
    expect(received).toEqual([DBS]);
  },
);
