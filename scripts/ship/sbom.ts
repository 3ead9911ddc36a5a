// `npm run sbom`: writes the bill of materials of what users install to sbom.cdx.json, as CycloneDX, from npm's own. It goes
// with a release: docs/releasing.md.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { z } from 'zod';

const component = z.looseObject({
  name: z.string(),
  version: z.string(),
  licenses: z.array(z.unknown()).default([]),
  properties: z.array(z.object({ name: z.string(), value: z.string() })),
  externalReferences: z.array(z.object({ type: z.string(), url: z.string() })),
});

const billOfMaterials = z.looseObject({
  bomFormat: z.literal('CycloneDX'),
  metadata: z.looseObject({ component }),
  components: z.array(component),
});

const { name, version, dependencies } = z
  .object({ name: z.string(), version: z.string(), dependencies: z.record(z.string(), z.string()) })
  .parse(JSON.parse(readFileSync('package.json', 'utf8')));

// With --omit=dev npm leaves out what packages of development want, too, graphql among them.
const printed = npm('sbom', '--sbom-format', 'cyclonedx', '--package-lock-only');
const { metadata, components, ...rest } = billOfMaterials.parse(JSON.parse(printed));
const shipped = components
  .filter(({ properties }) => properties.every((property) => property.name !== 'cdx:npm:package:development'))
  .map((each) => ({
    ...each,
    // The registry that a package came from is the machine's.
    externalReferences: each.externalReferences.filter(({ type }) => type !== 'distribution'),
  }));
// npm names the project after its folder.
const bill = { ...rest, metadata: { ...metadata, component: { ...metadata.component, name } }, components: shipped };
const text = `${JSON.stringify(bill, null, 2)}\n`;

assert.equal(metadata.component.version, version);
const listed = new Set(shipped.map((each) => `${each.name}@${each.version}`));
const missing = Object.entries(dependencies).filter(([name, version]) => !listed.has(`${name}@${version}`));
assert.deepEqual(missing, [], 'It lacks dependencies.');
assert.deepEqual(
  shipped.filter(({ licenses }) => licenses.length === 0).map((each) => each.name),
  [],
  'Packages have no license.',
);
for (const trace of [process.cwd(), homedir(), new URL(npm('config', 'get', 'registry').trim()).host])
  assert.ok(!text.includes(trace), 'It shows the machine that it was made on.');

writeFileSync('sbom.cdx.json', text);
console.log(`sbom.cdx.json lists ${shipped.length} packages.`);

function npm(...args: readonly string[]): string {
  return execFileSync('npm', args, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    maxBuffer: 64 * 1024 ** 2,
  });
}
