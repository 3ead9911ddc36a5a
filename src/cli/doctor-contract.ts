import type { Config } from '../config.ts';
import { compareContract } from '../contract/reads.ts';
import { contractJson, contractText, isAsKnown } from '../contract/report.ts';
import { Credentials } from '../credentials.ts';
import { sharesToken } from '../upstreams.ts';
import { version } from '../version.ts';
import { print } from './output.ts';

/** `trivium doctor --contract`. @returns 0 when the answers have the known shapes, else 1 */
export async function compareWithContract(config: Config, asJson: boolean): Promise<0 | 1> {
  const { API_TOKEN: token, CRM_TOKEN: crmToken, FORUM_AUTHORIZATION: login } = config;
  const headers = {
    ...(token !== '' && { authorization: `Bearer ${token}` }),
    ...(crmToken !== '' && { 'x-crm-token': crmToken }),
    ...(login !== '' && { 'x-forum-authorization': login }),
  };
  const reports = await compareContract(config, new Credentials(headers, { crmSharesToken: sharesToken(config) }));
  print((asJson ? contractJson : contractText)(reports, version()));
  return isAsKnown(reports) ? 0 : 1;
}
