import { wireEnum, wireValues } from '../graphql/enums.ts';
import { oneOf } from '../http/formats/leaves.ts';

const kinds = { buyer: 'Buys from the account.', seller: 'Sells to the account.' };
export const ClientKind = wireEnum('ClientKind', 'What a client is to the account.', kinds);
export const clientKind = oneOf(wireValues(kinds));
