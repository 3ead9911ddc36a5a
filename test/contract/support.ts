import type { Config } from '../../src/config.ts';
import type { Bounds } from '../../src/cli/contract/calls.ts';
import { compareContract, type ReadReport } from '../../src/cli/contract/reads.ts';
import { contractJson, contractText } from '../../src/cli/contract/report.ts';
import { Credentials } from '../../src/operation/credentials.ts';
import type { Sandbox } from '../../src/sandbox/server.ts';
import { sharesToken } from '../../src/apis/upstreams.ts';
import { settingsFor, testConfig } from '../support/gateway.ts';

/** Compares with the credentials of the doctor, and gives the reports and all that is printed of them. */
export async function compared(
  settings: Partial<Config>,
  token = 'demo-admin',
  login = 'Basic ZGVtbzpkZW1v',
  bounds?: Bounds,
) {
  const config = testConfig(settings);
  const headers = { authorization: `Bearer ${token}`, 'x-forum-authorization': login };
  const credentials = new Credentials(headers, { crmSharesToken: sharesToken(config) });
  const reports = await compareContract(config, credentials, bounds);
  return { reports, text: contractText(reports, '1.0.0'), json: contractJson(reports, '1.0.0') };
}

export const comparedOver = (sandbox: Sandbox) => compared(settingsFor(sandbox));

/** The endpoints with this result. */
export const endpointsOf = (reports: readonly ReadReport[], result: ReadReport['result']) =>
  reports.filter((report) => report.result === result).map(({ endpoint }) => endpoint);
