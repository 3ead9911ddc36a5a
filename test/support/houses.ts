/** The texts of files, by their paths. */
export type Files = Readonly<Record<string, string>>;

/** A small tree of files in which every rule is kept. */
export const sound: Files = {
  'package.json': JSON.stringify({
    dependencies: {
      graphql: '*',
      '@pothos/core': '*',
      ioredis: '*',
      '@opentelemetry/core': '*',
      '@graphql-inspector/core': '*',
    },
    devDependencies: { tsx: '*' },
  }),
  'node_modules/graphql/index.js': '',
  'node_modules/@pothos/core/index.js': '',
  'node_modules/@opentelemetry/core/index.js': '',
  'node_modules/@graphql-inspector/core/index.js': '',
  'node_modules/ioredis/index.js': '',
  'node_modules/tsx/index.js': '',
  'node_modules/stray/index.js': '',
  'src/main.ts': `import './cli/serve.ts';`,
  'src/cli/serve.ts': `import '../sandbox/server.ts'; import '../edge/server.ts'; import '../observe/metrics/metrics.ts';`,
  'src/edge/server.ts': `import '../apis/served-schema.ts'; import '../operation/limits.ts'; import '../redis/shared-store.ts'; import '../observe/opentelemetry/start.ts';`,
  'src/observe/opentelemetry/start.ts': `export const start = () => import('./tracing.ts');`,
  'src/observe/opentelemetry/tracing.ts': `import '@opentelemetry/core';`,
  'src/observe/metrics/metrics.ts': `import '../../calls/transport/path.ts';`,
  'src/operation/limits.ts': `import 'graphql'; import '../execution/plan.ts';`,
  'src/redis/shared-store.ts': `import 'ioredis'; import '../config/setting.ts';`,
  'src/calls/preconditions/record-turns.ts': '',
  'src/calls/preconditions/turns.ts': `import './record-turns.ts'; import '../../redis/shared-store.ts';`,
  'src/apis/response-caches.ts': `import './crm/stale.ts'; import '../calls/session.ts'; import '../redis/shared-store.ts';`,
  'src/apis/crm/stale.ts': `import '../../calls/cache/staleness.ts';`,
  'src/calls/cache/staleness.ts': '',
  'src/config/setting.ts': '',
  'src/apis/schema.ts': `import './links/deal-tasks.ts'; import '../typed-flex/changes/plan-changes.ts';`,
  'src/apis/served-schema.ts': `import './schema.ts'; export const typed = () => import('../typed-flex/types/types.ts');`,
  'src/typed-flex/types/types.ts': `import 'graphql'; import '../../apis/flex/records.ts'; import '../model/model.ts';`,
  'src/typed-flex/model/model.ts': `import '../snapshot/snapshot.ts';`,
  'src/typed-flex/snapshot/snapshot.ts': '',
  'src/typed-flex/public/reads.ts': `import '../types/types.ts';`,
  'src/typed-flex/changes/plan-changes.ts': `import '../../graph/builder.ts'; export const rest = () => import('../types/types.ts');`,
  'src/graph/builder.ts': `import '@pothos/core'; import './ids.ts';`,
  'src/graph/ids.ts': `import 'graphql';`,
  'src/execution/plan.ts': `import 'graphql';`,
  'src/graph/lists/filters.ts': `import '../builder.ts'; import '../../formats/leaves.ts';`,
  'src/formats/leaves.ts': '',
  'src/calls/transport/path.ts': '',
  'src/calls/session.ts': `import './transport/path.ts'; import '../formats/leaves.ts';`,
  'src/apis/crm/deals.ts': `import '../../graph/lists/filters.ts'; import './contacts.ts'; import './source.ts';`,
  'src/apis/crm/contacts.ts': `import '../../graph/builder.ts';`,
  'src/apis/crm/source.ts': `import '../../calls/session.ts'; import './wire.ts';`,
  'src/apis/crm/wire.ts': '',
  'src/apis/flex/records.ts': `import '../../graph/builder.ts';`,
  'src/typed-flex/changes/changes.ts': `export const changes = () => import('@graphql-inspector/core');`,
  'src/cli/contract/reads.ts': `import '../../calls/session.ts'; import '../../apis/crm/wire.ts';`,
  'src/cli/doctor.ts': `import './contract/reads.ts';`,
  'src/apis/links/deal-tasks.ts': `import '../crm/deals.ts'; import '../flex/records.ts';`,
  'src/sandbox/server.ts': `import './store.ts';`,
  'src/sandbox/store.ts': '',
  'test/support/sandbox.ts': `import 'tsx'; import '../../src/sandbox/server.ts';`,
};

/** What breaks a rule, by the rule's name: the report that is expected, and the files that are planted for it. */
export const violations: readonly [rule: string, report: string, planted: Files][] = [
  [
    'upstream-knows-no-graphql',
    'src/calls/transport/path.ts → node_modules/graphql/index.js',
    { 'src/calls/transport/path.ts': `import 'graphql';` },
  ],
  [
    'upstream-knows-no-graphql',
    'src/apis/crm/wire.ts → node_modules/@pothos/core/index.js',
    { 'src/apis/crm/wire.ts': `import type { SchemaTypes } from '@pothos/core';` },
  ],
  [
    'upstream-knows-no-graphql',
    'src/apis/crm/source.ts → src/graph/builder.ts',
    { 'src/apis/crm/wire.ts': `import './detour.ts';`, 'src/apis/crm/detour.ts': `import '../../graph/builder.ts';` },
  ],
  [
    'upstream-knows-no-graphql',
    'src/calls/transport/path.ts → src/graph/ids.ts',
    { 'src/calls/transport/path.ts': `import '../../graph/ids.ts';` },
  ],
  [
    'slices-stay-apart',
    'src/apis/flex/records.ts → src/apis/crm/wire.ts',
    { 'src/apis/flex/records.ts': `import type { DealRecord } from '../crm/wire.ts';` },
  ],
  [
    'slices-stay-apart',
    'src/apis/flex/records.ts → src/apis/links/searches.ts',
    { 'src/apis/flex/records.ts': `import '../links/searches.ts';`, 'src/apis/links/searches.ts': '' },
  ],
  [
    'slices-stay-apart',
    'src/apis/flex/records.ts → src/apis/served-schema.ts',
    { 'src/apis/flex/records.ts': `import type { Served } from '../served-schema.ts';` },
  ],
  [
    'execution-knows-no-schema',
    'src/execution/plan.ts → src/graph/builder.ts',
    { 'src/execution/plan.ts': `import '../graph/builder.ts';` },
  ],
  [
    'common-code-knows-no-slice',
    'src/graph/ids.ts → src/apis/crm/wire.ts',
    { 'src/graph/ids.ts': `import type { DealRecord } from '../apis/crm/wire.ts';` },
  ],
  [
    'common-code-knows-no-slice',
    'src/graph/lists/filters.ts → src/apis/crm/wire.ts',
    {
      'src/graph/builder.ts': `import '../operation/context.ts';`,
      'src/operation/context.ts': `import type { Deal } from '../apis/crm/wire.ts';`,
    },
  ],
  [
    'common-code-knows-no-slice',
    'src/operation/limits.ts → src/apis/crm/wire.ts',
    { 'src/operation/limits.ts': `import '../apis/crm/wire.ts';` },
  ],
  [
    'common-code-knows-no-slice',
    'src/calls/session.ts → src/apis/response-caches.ts',
    { 'src/calls/session.ts': `import '../apis/response-caches.ts';` },
  ],
  [
    'formats-know-no-connection',
    'src/formats/leaves.ts → src/calls/transport/path.ts',
    { 'src/formats/leaves.ts': `import '../calls/transport/path.ts';` },
  ],
  [
    'transport-knows-no-operation',
    'src/calls/transport/path.ts → src/calls/session.ts',
    { 'src/calls/transport/path.ts': `import '../session.ts';` },
  ],
  [
    'only-the-server-knows-the-server',
    'src/graph/builder.ts → src/operation/limits.ts',
    { 'src/graph/builder.ts': `import '../operation/limits.ts';` },
  ],
  [
    'only-the-server-knows-the-server',
    'src/operation/context.ts → src/operation/limits.ts',
    {
      'src/graph/builder.ts': `import '../operation/context.ts';`,
      'src/operation/context.ts': `import type { Limits } from './limits.ts';`,
    },
  ],
  [
    'operations-know-no-edge',
    'src/operation/limits.ts → src/edge/steps.ts',
    { 'src/operation/limits.ts': `import type { Step } from '../edge/steps.ts';`, 'src/edge/steps.ts': '' },
  ],
  [
    'only-main-knows-the-command-line',
    'src/edge/server.ts → src/cli/serve.ts',
    { 'src/edge/server.ts': `import '../cli/serve.ts';` },
  ],
  [
    'redis-knows-no-user',
    'src/redis/shared-store.ts → src/operation/limits.ts',
    { 'src/redis/shared-store.ts': `import '../operation/limits.ts';` },
  ],
  [
    'the-response-cache-knows-tables-only',
    'src/apis/response-caches.ts → src/apis/crm/source.ts',
    { 'src/apis/response-caches.ts': `import './crm/source.ts';` },
  ],
  [
    'the-response-cache-knows-tables-only',
    'src/calls/cache/staleness.ts → src/graph/ids.ts',
    { 'src/calls/cache/staleness.ts': `import '../../graph/ids.ts';` },
  ],
  [
    'tables-are-data',
    'src/apis/crm/stale.ts → src/apis/crm/wire.ts',
    { 'src/apis/crm/stale.ts': `import './wire.ts';` },
  ],
  [
    'turns-know-no-write',
    'src/calls/preconditions/turns.ts → src/calls/session.ts',
    { 'src/calls/preconditions/turns.ts': `import '../session.ts';` },
  ],
  [
    'only-redis-knows-ioredis',
    'src/operation/limits.ts → node_modules/ioredis/index.js',
    { 'src/operation/limits.ts': `import 'ioredis';` },
  ],
  [
    'receipts-know-no-api',
    'src/idempotency/receipts.ts → src/apis/crm/wire.ts',
    { 'src/idempotency/receipts.ts': `import '../apis/crm/wire.ts';` },
  ],
  [
    'receipts-know-no-api',
    'src/idempotency/receipts.ts → node_modules/graphql/index.js',
    { 'src/idempotency/receipts.ts': `import 'graphql';` },
  ],
  [
    'contract-reads-the-wire',
    'src/cli/contract/reads.ts → src/apis/crm/deals.ts',
    { 'src/cli/contract/reads.ts': `import '../../apis/crm/deals.ts';` },
  ],
  [
    'contract-reads-the-wire',
    'src/cli/contract/reads.ts → node_modules/graphql/index.js',
    { 'src/cli/contract/reads.ts': `import 'graphql';` },
  ],
  [
    'only-the-doctor-knows-the-contract',
    'src/edge/server.ts → src/cli/contract/reads.ts',
    { 'src/edge/server.ts': `import '../cli/contract/reads.ts';` },
  ],
  [
    'sandbox-stands-alone',
    'src/sandbox/store.ts → src/calls/transport/path.ts',
    { 'src/sandbox/store.ts': `import '../calls/transport/path.ts';` },
  ],
  [
    'gateway-needs-no-sandbox',
    'src/apis/crm/deals.ts → src/sandbox/store.ts',
    { 'src/apis/crm/deals.ts': `import '../../sandbox/store.ts';` },
  ],
  [
    'traces-are-loaded-when-on',
    'src/observe/opentelemetry/start.ts → src/observe/opentelemetry/tracing.ts',
    { 'src/observe/opentelemetry/start.ts': `import './tracing.ts';` },
  ],
  [
    'traces-are-loaded-when-on',
    'src/apis/schema.ts → node_modules/@opentelemetry/core/index.js',
    { 'src/apis/schema.ts': `import '@opentelemetry/core';` },
  ],
  [
    'schemas-are-compared-on-demand',
    'src/typed-flex/changes/changes.ts → node_modules/@graphql-inspector/core/index.js',
    { 'src/typed-flex/changes/changes.ts': `import '@graphql-inspector/core';` },
  ],
  [
    'types-of-databases-are-loaded-when-wanted',
    'src/apis/served-schema.ts → src/typed-flex/types/types.ts',
    { 'src/apis/served-schema.ts': `import './schema.ts'; import '../typed-flex/types/types.ts';` },
  ],
  [
    'types-of-databases-are-loaded-when-wanted',
    'src/typed-flex/changes/plan-changes.ts → src/typed-flex/types/types.ts',
    { 'src/typed-flex/changes/plan-changes.ts': `import '../types/types.ts';` },
  ],
  [
    'typed-databases-lie-over-the-schema',
    'src/apis/flex/records.ts → src/typed-flex/types/types.ts',
    { 'src/apis/flex/records.ts': `import type { Type } from '../../typed-flex/types/types.ts';` },
  ],
  [
    'typed-databases-know-flex',
    'src/typed-flex/types/types.ts → src/apis/crm/wire.ts',
    { 'src/typed-flex/types/types.ts': `import '../../apis/crm/wire.ts';` },
  ],
  [
    'typed-databases-know-flex',
    'src/typed-flex/types/types.ts → src/cli/serve.ts',
    { 'src/typed-flex/types/types.ts': `import type { Serve } from '../../cli/serve.ts';` },
  ],
  [
    'typed-flex-builds-up-to-snapshot',
    'src/typed-flex/snapshot/snapshot.ts → src/typed-flex/changes/changes.ts',
    { 'src/typed-flex/snapshot/snapshot.ts': `import '../changes/changes.ts';` },
  ],
  [
    'typed-flex-builds-up-to-model',
    'src/typed-flex/model/model.ts → src/typed-flex/public/reads.ts',
    { 'src/typed-flex/model/model.ts': `import type { Reads } from '../public/reads.ts';` },
  ],
  [
    'typed-flex-builds-up-to-public',
    'src/typed-flex/public/reads.ts → src/typed-flex/changes/changes.ts',
    { 'src/typed-flex/public/reads.ts': `import '../changes/changes.ts';` },
  ],
  [
    'typed-flex-builds-up-to-types',
    'src/typed-flex/types/types.ts → src/typed-flex/public/reads.ts',
    {
      'src/typed-flex/types/types.ts': `import '../public/reads.ts';`,
      'src/typed-flex/public/reads.ts': '',
    },
  ],
  [
    'traces-know-no-graphql',
    'src/observe/opentelemetry/tracing.ts → src/graph/ids.ts',
    { 'src/observe/opentelemetry/tracing.ts': `import '../../graph/ids.ts';` },
  ],
  [
    'metrics-only-observe',
    'src/apis/schema.ts → src/observe/metrics/metrics.ts',
    { 'src/apis/schema.ts': `import '../observe/metrics/metrics.ts';` },
  ],
  [
    'metrics-know-what-they-observe',
    'src/observe/metrics/metrics.ts → src/apis/crm/wire.ts',
    { 'src/observe/metrics/metrics.ts': `import '../../apis/crm/wire.ts';` },
  ],
  [
    'no-cycle',
    'src/sandbox/server.ts → src/sandbox/store.ts',
    { 'src/sandbox/store.ts': `import type { Sandbox } from './server.ts';` },
  ],
  [
    'no-cycle',
    'src/apis/crm/contacts.ts → src/apis/crm/deals.ts',
    { 'src/apis/crm/contacts.ts': `import '../../graph/builder.ts'; import './deals.ts';` },
  ],
  ['no-orphan', 'src/forgotten.ts', { 'src/forgotten.ts': '' }],
  ['no-unresolved-import', 'src/apis/crm/wire.ts → ./missing.ts', { 'src/apis/crm/wire.ts': `import './missing.ts';` }],
  [
    'product-needs-no-tooling',
    'src/apis/schema.ts → test/support/limits.ts',
    { 'src/apis/schema.ts': `import '../../test/support/limits.ts';`, 'test/support/limits.ts': '' },
  ],
  [
    'examples-stand-alone',
    'test/support/sandbox.ts → examples/relay/client.ts',
    { 'test/support/sandbox.ts': `import '../../examples/relay/client.ts';`, 'examples/relay/client.ts': '' },
  ],
  [
    'kits-stand-alone',
    'kits/src/outcome.ts → src/main.ts',
    {
      'test/support/limits.ts': `import '../../kits/src/outcome.ts';`,
      'kits/src/outcome.ts': `import '../../src/main.ts';`,
    },
  ],
  [
    'product-imports-dependencies-only',
    'src/apis/crm/wire.ts → node_modules/tsx/index.js',
    { 'src/apis/crm/wire.ts': `import 'tsx';` },
  ],
  [
    'product-imports-dependencies-only',
    'src/apis/crm/wire.ts → node_modules/stray/index.js',
    { 'src/apis/crm/wire.ts': `import 'stray';` },
  ],
];
