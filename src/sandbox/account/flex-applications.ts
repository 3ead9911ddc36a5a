import { z } from 'zod';
import { booleanColumn, type Store } from '../store.ts';

/** An application of the flexible database service; a `flex_app:<app_id>` tile names one. */
interface FlexApplication {
  readonly id: string;
  readonly account: number;
  readonly name: string;
  readonly active: boolean;
}

const applicationRow = z.object({ name: z.string(), active: booleanColumn });

export function createApplication(store: Store, { id, account, name, active }: FlexApplication): void {
  store.run('INSERT INTO flex_applications (id, account_id, name, active) VALUES (:id, :account, :name, :active)', {
    id: id.toLowerCase(),
    account,
    name,
    active: Number(active),
  });
}

export function setApplicationActive(store: Store, id: string, active: boolean): void {
  store.run('UPDATE flex_applications SET active = :active WHERE id = :id', { id, active: Number(active) });
}

/** The application of this account with this uuid, while it is active. */
export function activeApplication(store: Store, account: number, id: string): { readonly name: string } | null {
  return store.find(
    applicationRow,
    'SELECT name, active FROM flex_applications WHERE id = :id AND account_id = :account AND active = 1',
    { id, account },
  );
}
