import type { ContactFields, ContactRecord, DealFields, DealRecord } from '../../apis/crm/wire.ts';
import { GatewayError } from '../../errors.ts';
import type { ReadReport } from './reads.ts';

/** The calls of the CRM that the probes need. */
export interface ProbedCrm {
  createDeal(deal: DealFields): Promise<DealRecord>;
  updateDeal(id: string, deal: DealFields): Promise<unknown>;
  deal(id: string): Promise<DealRecord>;
  deleteDeal(id: string): Promise<unknown>;
  createContact(contact: ContactFields): Promise<ContactRecord>;
  updateContact(id: string, contact: ContactFields): Promise<unknown>;
  contact(id: string): Promise<ContactRecord>;
}

const name = 'trivium doctor';
const record = { name, description: 'A trial of PUT. This record can be deleted.' };

/**
 * Creates a deal and a contact, changes one field of each, and tells whether the other is still there. Not documented (A259): that it
 * is. The deal is deleted; the document has no deletion of a contact. A contact list has one documented field, so none could be lost.
 */
export async function probePartialPuts(crm: ProbedCrm): Promise<ReadReport[]> {
  const deal = await probe('PUT /app/deals/:id.json', async () => {
    const { id } = await crm.createDeal(record);
    try {
      await crm.updateDeal(id, { name: `${name}, changed` });
      return (await crm.deal(id)).description;
    } finally {
      await crm.deleteDeal(id);
    }
  });
  const contact = await probe('PUT /app/contacts/:id.json', async () => {
    const { id } = await crm.createContact(record);
    await crm.updateContact(id, { name: `${name}, changed` });
    return (await crm.contact(id)).description;
  });
  return [deal, contact];
}

async function probe(endpoint: string, unsentField: () => Promise<unknown>): Promise<ReadReport> {
  try {
    if ((await unsentField()) === record.description) return { api: 'crm', endpoint, result: 'same' };
    return { api: 'crm', endpoint, result: 'differs', reason: 'a field that was not sent has changed' };
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    return { api: 'crm', endpoint, result: 'failed', reason: error.code };
  }
}
