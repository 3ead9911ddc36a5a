// `npm run bench:profile W1,W2`: the CPU profile of the gateway by layer. With `--save LABEL` docs/performance.md has it,
// once `npm run bench:page` has written the page.
import { parseArgs } from 'node:util';
import { prepareThisProcess } from './driver/processes.ts';
import { chosen, named } from './driver/options.ts';
import { profileTables } from './page/profiles.ts';
import { saveProfiles } from './parts/profiles.ts';
import { profileWorkload } from './profile/measure.ts';
import type { Profile } from './results.ts';
import { WORKLOADS } from './workloads/workload.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { save: { type: 'string' }, seconds: { type: 'string', default: '6' } },
});

prepareThisProcess();
const profiles: Profile[] = [];
for (const workload of chosen('The command', positionals.join(',') || 'W1', named(WORKLOADS))) {
  profiles.push(await profileWorkload(workload, values.save ?? 'now', Number(values.seconds)));
}
console.log(profileTables(profiles));
if (values.save !== undefined) saveProfiles(profiles);
