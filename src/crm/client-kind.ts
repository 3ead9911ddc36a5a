import { wireEnum, wireValues } from '../graphql/enums.ts';
import { oneOf } from '../http/formats/leaves.ts';

const clientKinds = { buyer: 'Buys from the account.', seller: 'Sells to the account.' };
export const ClientKind = wireEnum('ClientKind', 'The role of a client towards the account.', clientKinds);

/** Decodes the `kind` of a client. */
export const clientKind = oneOf(wireValues(clientKinds));
