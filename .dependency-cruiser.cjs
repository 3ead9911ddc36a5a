// The directions of imports. test/architecture.test.ts holds the tree to them, and breaks each one to see it work.

const slice = 'apis/(account|flex|crm|forum)';
const graphqlPackages = 'node_modules/(graphql/|graphql-|@graphql-|@pothos/|@envelop/|@apollo/)';

/** What serves operations. The settings of rate limits are read with all others, and what operations have is known to resolvers. */
const server = [
  '^src/edge/(?!rate-limits/rates\\.ts$)',
  '^src/operation/(?!(context|credentials|operation-observer)\\.ts$)',
];

/** Calls of upstreams, without what is kept between operations. */
const calls = '^src/calls/(transport/)?[^/]+$';

/** The folders of typed databases: each may import those before it. */
const typedFolders = ['snapshot', 'model', 'types', 'public'];

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: 'upstream-knows-no-graphql',
      comment:
        'Calling an API and reading its answer has nothing to do with GraphQL: what does that can be tested, and reused, ' +
        'without a schema. A detour through another file counts too.',
      severity: 'error',
      from: {
        path: ['^src/(calls|formats)/', '^src/errors\\.ts$', `^src/${slice}/(public-)?(source|wire)\\.ts$`],
        // It reads files that settings name, when a gateway starts: config.ts knows the settings of all.
        pathNot: '^src/calls/transport/certificates\\.ts$',
      },
      to: { path: [graphqlPackages, '^src/graph/', ...server], reachable: true },
    },
    {
      name: 'slices-stay-apart',
      comment:
        'A slice is read, changed or taken out alone. What joins APIs is in links/ or directly in ' +
        'apis/, which no slice knows.',
      severity: 'error',
      from: { path: `^src/${slice}/` },
      to: { path: '^src/apis/', pathNot: '^src/apis/$1/' },
    },
    {
      name: 'common-code-knows-no-slice',
      comment:
        'calls/, formats/, graph/, execution/ and operation/ hold what is true of every API. What is true of one belongs ' +
        'into its slice. A detour through another file counts too.',
      severity: 'error',
      from: { path: '^src/(calls|formats|graph|execution|operation)/' },
      to: { path: '^src/apis/', reachable: true },
    },
    {
      name: 'formats-know-no-connection',
      comment: 'A format reads and writes bodies: who sends them, and for which operation, is not known there.',
      severity: 'error',
      from: { path: '^src/formats/' },
      to: { path: '^src/', pathNot: ['^src/formats/', '^src/errors\\.ts$'] },
    },
    {
      name: 'transport-knows-no-operation',
      comment:
        'The transport sends single requests. Batches, caches and what an operation may do are the work of its callers.',
      severity: 'error',
      from: { path: '^src/calls/transport/' },
      to: { path: '^src/calls/', pathNot: '^src/calls/transport/' },
    },
    {
      name: 'execution-knows-no-schema',
      comment: 'The executor executes any schema: it knows what GraphQL says of one, and nothing of ours.',
      severity: 'error',
      from: { path: '^src/execution/' },
      to: { path: '^src/', pathNot: '^src/execution/' },
    },
    {
      name: 'only-the-server-knows-the-server',
      comment:
        'Yoga, its plugins and its responses are one way to serve the schema: nothing that makes the schema knows it.',
      severity: 'error',
      from: { path: '^src/', pathNot: [...server, '^src/cli/'] },
      to: { path: server },
    },
    {
      name: 'operations-know-no-edge',
      comment:
        'An operation runs the same however its request came in: connections and steps of requests are in edge/.',
      severity: 'error',
      from: { path: '^src/operation/' },
      to: { path: '^src/edge/' },
    },
    {
      name: 'only-main-knows-the-command-line',
      comment: 'Commands are one way to start the gateway and the sandbox: neither knows that there are any.',
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/cli/', '^src/main\\.ts$'] },
      to: { path: '^src/cli/' },
    },
    {
      name: 'redis-knows-no-user',
      comment:
        'The shared store runs commands, or says that Redis is away. Limits, documents and caches decide what that means: ' +
        'none of them is known there, nor is the server.',
      severity: 'error',
      from: { path: '^src/redis/' },
      to: { path: '^src/', pathNot: ['^src/redis/', '^src/config/', '^src/system\\.ts$'] },
    },
    {
      name: 'only-redis-knows-ioredis',
      comment: 'A command that is sent past the shared store has no bound in time.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/redis/' },
      to: { path: 'node_modules/ioredis/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'contract-reads-the-wire',
      comment:
        'The contract compares what APIs send, so it knows the requests and answers of each of them, and nothing that ' +
        'serves a schema. The doctor alone uses it.',
      severity: 'error',
      from: { path: '^src/cli/contract/' },
      to: {
        path: [graphqlPackages, '^src/'],
        pathNot: [
          '^src/(cli/contract|formats)/',
          calls,
          `^src/${slice}/(wire|keys)\\.ts$`,
          '^src/(apis/apis|config|errors|operation/credentials)\\.ts$',
        ],
      },
    },
    {
      name: 'only-the-doctor-knows-the-contract',
      comment:
        'An answer that differs from its known shape is no reason to refuse it: the gateway decodes what it is asked for.',
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/cli/contract/', '^src/cli/doctor\\.ts$'] },
      to: { path: '^src/cli/contract/' },
    },
    {
      name: 'the-response-cache-knows-tables-only',
      comment: 'What makes an answer stale is a row of its slice: the cache needs no rule, type or source of one.',
      severity: 'error',
      from: { path: ['^src/calls/cache/', '^src/apis/response-caches\\.ts$'] },
      to: {
        path: '^src/',
        pathNot: [
          '^src/calls/(?!preconditions/)',
          '^src/(formats|redis)/',
          `^src/${slice}/stale\\.ts$`,
          '^src/(errors|config/(setting|apis))\\.ts$',
        ],
      },
    },
    {
      name: 'tables-are-data',
      comment: 'A table of what is stale is read beside the document of its API, and by the cache without that API.',
      severity: 'error',
      from: { path: `^src/${slice}/stale\\.ts$` },
      to: { pathNot: '^src/calls/cache/staleness\\.ts$' },
    },
    {
      name: 'receipts-know-no-api',
      comment:
        'A receipt is kept by hashes, and tells an outcome: what is written, where, and how it is served is not known there.',
      severity: 'error',
      from: { path: '^src/idempotency/' },
      to: { path: [graphqlPackages, '^src/(apis|graph)/', ...server] },
    },
    {
      name: 'turns-know-no-write',
      comment: 'Whose turn it is has nothing to do with what is written: neither an API nor GraphQL is known there.',
      severity: 'error',
      from: { path: '^src/calls/preconditions/(?!precondition\\.ts$|record-turns\\.ts$)' },
      to: {
        path: ['^src/', graphqlPackages],
        pathNot: ['^src/calls/preconditions/(?!precondition\\.ts$)', '^src/redis/'],
      },
    },
    {
      name: 'sandbox-stands-alone',
      comment:
        'The sandbox is the test bed of the gateway: code that both share would let one mistake pass both sides.',
      severity: 'error',
      from: { path: '^src/sandbox/' },
      to: { path: '^src/', pathNot: '^src/sandbox/' },
    },
    {
      name: 'gateway-needs-no-sandbox',
      comment: 'The gateway serves real upstreams; only the command line starts a sandbox beside it.',
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/sandbox/', '^src/cli/'] },
      to: { path: '^src/sandbox/' },
    },
    {
      name: 'traces-are-loaded-when-on',
      comment:
        'OpenTelemetry is off by default, and costs nothing then: its packages, and the files that use them, are loaded ' +
        'by one `await import` in start.ts. Their settings are known without them.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/observe/opentelemetry/(?!(start|settings)\\.ts$)' },
      to: {
        path: ['^src/observe/opentelemetry/(?!(start|settings)\\.ts$)', 'node_modules/@opentelemetry/'],
        dynamic: false,
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'types-of-databases-are-loaded-when-wanted',
      comment:
        'Without FLEX_SCHEMA a gateway starts as fast as if there were no typed databases: their code is loaded by `await ' +
        'import`. Each schema has a field of plans, which loads the rest on demand, too. The error is one class, and what reads the file loads the rest on demand.',
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/typed-flex/(?!(changes/plan-changes|flex-schema)\\.ts$)', '^src/cli/'] },
      to: {
        path: '^src/typed-flex/',
        pathNot: '^src/typed-flex/(changes/plan-changes|flex-schema|snapshot/snapshot-error)\\.ts$',
        dynamic: false,
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'typed-databases-lie-over-the-schema',
      comment:
        'Typed databases are made of a schema that is whole without them: no slice and no common code knows them, only ' +
        'what puts the parts of a process together.',
      severity: 'error',
      from: {
        path: '^src/',
        pathNot: ['^src/(typed-flex|cli|edge)/', '^src/apis/[^/]+$'],
      },
      to: { path: '^src/typed-flex/' },
    },
    {
      name: 'typed-databases-know-flex',
      comment:
        'They are made of definitions, and call what the flex slice calls: neither another API nor how a schema is served ' +
        'is known there.',
      severity: 'error',
      from: { path: '^src/typed-flex/' },
      to: {
        path: '^src/',
        pathNot: [
          '^src/(typed-flex|apis/flex|formats)/',
          '^src/graph/(?!federation/)',
          calls,
          '^src/(operation/context|config|errors|system)\\.ts$',
        ],
      },
    },
    ...typedFolders.map((folder, index) => ({
      name: `typed-flex-builds-up-to-${folder}`,
      comment:
        'A snapshot is read, a model is made of it, types are made of the model, and those of public methods of both.',
      severity: 'error',
      from: { path: `^src/typed-flex/${folder}/` },
      to: { path: '^src/typed-flex/', pathNot: `^src/typed-flex/(${typedFolders.slice(0, index + 1).join('|')})/` },
    })),
    {
      name: 'traces-know-no-graphql',
      comment: 'Spans are made of what observers are told: of the names of fields, and of no value or document.',
      severity: 'error',
      from: { path: '^src/observe/opentelemetry/' },
      to: {
        path: ['^src/', graphqlPackages],
        pathNot: [
          '^src/observe/opentelemetry/',
          '^src/(config/setting|operation/operation-observer|system)\\.ts$',
          '^src/calls/transport/call-',
        ],
      },
    },
    {
      name: 'schemas-are-compared-on-demand',
      comment: 'Dry runs and a command compare schemas: a gateway that never does so does not load the package for it.',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: 'node_modules/@graphql-inspector/', dynamic: false, dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'metrics-only-observe',
      comment:
        'Metrics are loaded when a setting asks for them, and the gateway behaves the same without: only what starts it ' +
        'knows them, and they know what they observe, and no API.',
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/observe/metrics/', '^src/edge/', '^src/cli/', '^src/config\\.ts$'] },
      to: { path: '^src/observe/metrics/' },
    },
    {
      name: 'metrics-know-what-they-observe',
      comment: 'What is measured is told by observers and plain figures: neither GraphQL nor an API is known here.',
      severity: 'error',
      from: { path: '^src/observe/metrics/' },
      to: {
        path: ['^src/', graphqlPackages],
        pathNot: [
          '^src/observe/metrics/',
          '^src/errors\\.ts$',
          '^src/calls/transport/',
          '^src/(config/setting|operation/operation-observer|system)\\.ts$',
        ],
      },
    },
    {
      name: 'no-cycle',
      comment: 'Modules in a cycle can only be understood, and loaded, together.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-orphan',
      comment: 'A file that imports nothing and that nobody imports was forgotten.',
      severity: 'error',
      // The probe of the soak is loaded by Node's --import, the scripts of a page by a browser.
      from: { orphan: true, pathNot: ['^scripts/soak/probe\\.mjs$', '^src/edge/pages/client/'] },
      to: {},
    },
    {
      name: 'no-unresolved-import',
      comment: 'An import that cannot be followed would slip through every other rule.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: 'product-needs-no-tooling',
      comment:
        'src/ is what is shipped: it runs where the development dependencies, the tests, the scripts and the kits are not.',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^(test|scripts|bench|kits)/' },
    },
    {
      name: 'examples-stand-alone',
      comment:
        'An example is a project of somebody else, installed and tested by itself: nothing here can count on it.',
      severity: 'error',
      from: { pathNot: '^examples/' },
      to: { path: '^examples/' },
    },
    {
      name: 'kits-stand-alone',
      comment: 'The kits are a package of their own: in an app there is nothing of the gateway.',
      severity: 'error',
      from: { path: '^kits/' },
      to: { path: '^(src|test|scripts|bench)/' },
    },
    {
      name: 'product-imports-dependencies-only',
      comment: 'A package that is not among the dependencies is missing in production, or there by chance.',
      severity: 'error',
      from: { path: '^src/' },
      to: { dependencyTypes: ['npm-dev', 'npm-optional', 'npm-peer', 'npm-no-pkg', 'npm-unknown'] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    // A package of its own, which is installed when the benchmark runs.
    exclude: { path: '^bench/peers/' },
    // Imports of types are directions too.
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default', 'types'] },
  },
};
