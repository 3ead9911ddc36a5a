// `npm run sbom [-- FILE]`: writes the bill of materials of what users install, the packages of the bundle in dist/ among it, to
// sbom.cdx.json or FILE, as CycloneDX, from npm's own. It goes with a release: docs/releasing.md.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
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

const packaged = z.object({ name: z.string(), version: z.string() });
const sourceMap = z.object({ sources: z.array(z.string()) });

/** The folder of a package, which may be inside that of another one, at the beginning of a module's path. */
const PACKAGE_FOLDER = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/;

const { name, version, dependencies } = z
  .object({ name: z.string(), version: z.string(), dependencies: z.record(z.string(), z.string()) })
  .parse(readJson('package.json'));

// npm marks as development what nothing but an optional peer names, although the bundle may hold it; and with --omit=dev it
// leaves out what packages of development want, too, graphql among them.
const bundled = bundledPackages('dist');
const printed = npm('sbom', '--sbom-format', 'cyclonedx', '--package-lock-only');
const { metadata, components, ...rest } = billOfMaterials.parse(JSON.parse(printed));
const shipped = components
  .filter((each) => !isOfDevelopment(each) || bundled.has(idOf(each)))
  .map((each) => ({
    ...each,
    // The registry that a package came from is the machine's.
    externalReferences: each.externalReferences.filter(({ type }) => type !== 'distribution'),
  }));
// npm names the project after its folder.
const bill = { ...rest, metadata: { ...metadata, component: { ...metadata.component, name } }, components: shipped };
const text = `${JSON.stringify(bill, null, 2)}\n`;

assert.equal(metadata.component.version, version);
const listed = new Set(shipped.map(idOf));
const missing = Object.entries(dependencies).filter(([name, version]) => !listed.has(idOf({ name, version })));
assert.deepEqual(missing, [], 'It lacks dependencies.');
assert.deepEqual(
  [...bundled].filter((id) => !listed.has(id)),
  [],
  'It lacks packages of the bundle.',
);
assert.deepEqual(
  shipped.filter(({ licenses }) => licenses.length === 0).map((each) => each.name),
  [],
  'Packages have no license.',
);
for (const trace of [process.cwd(), homedir(), new URL(npm('config', 'get', 'registry').trim()).host])
  assert.ok(!text.includes(trace), 'It shows the machine that it was made on.');

const [file = 'sbom.cdx.json'] = process.argv.slice(2);
writeFileSync(file, text);
console.log(`${file} lists ${shipped.length} packages.`);

function isOfDevelopment({ properties }: z.infer<typeof component>): boolean {
  return properties.some((property) => property.name === 'cdx:npm:package:development');
}

/** Names a package and its version, such as `debug@4.4.3`. */
function idOf(each: { readonly name: string; readonly version: string }): string {
  return `${each.name}@${each.version}`;
}

/** The packages that a bundle has modules of, by its source maps. */
function bundledPackages(folder: string): Set<string> {
  const maps = readdirSync(folder).filter((name) => name.endsWith('.map'));
  assert.ok(maps.length > 0, `${folder} has no source maps: npm run build writes them.`);
  const modules = maps.flatMap((name) => sourceMap.parse(readJson(join(folder, name))).sources);
  const folders = new Set(modules.flatMap((path) => PACKAGE_FOLDER.exec(path)?.[0] ?? []));
  return new Set([...folders].map((path) => idOf(packaged.parse(readJson(join(folder, path, 'package.json'))))));
}

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(file, 'utf8'));
}

function npm(...args: readonly string[]): string {
  return execFileSync('npm', args, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    maxBuffer: 64 * 1024 ** 2,
  });
}
