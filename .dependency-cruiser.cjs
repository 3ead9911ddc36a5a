// The directions of the house. test/architecture.test.ts holds the tree to them, and breaks each one to see it work.

const slice = 'apis/(account|flex|crm|forum)';
const graphqlPackages = 'node_modules/(graphql/|graphql-|@graphql-|@pothos/|@envelop/|@apollo/)';

/** The rooms of typed databases: each may import those before it. */
const typedRooms = ['snapshot', 'model', 'types', 'public'];

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: 'upstream-knows-no-graphql',
      comment:
        'Calling an API and reading its answer has nothing to do with GraphQL: what does that can be tested, and reused, ' +
        'without a schema. A detour through another file counts too.',
      severity: 'error',
      from: { path: ['^src/(calls|formats)/', `^src/${slice}/(public-)?(source|wire)\\.ts$`] },
      to: { path: [graphqlPackages, '^src/(graph|edge)/', `^src/operation/${served}`], reachable: true },
    },
    {
      name: 'slices-stay-apart',
      comment:
        'A slice is read, changed or taken out alone. What joins two APIs is a file in links/, which no slice knows.',
      severity: 'error',
      from: { path: `^src/${slice}/` },
      to: { path: [`^src/${slice}/`, '^src/apis/links/'], pathNot: '^src/$1/' },
    },
    {
      name: 'common-code-knows-no-slice',
      comment:
        'http/, graphql/, lists/, federation/ and what runs operations in server/ hold what is true of every API. What is true of ' +
        'one belongs into its slice. A detour through another file counts too.',
      severity: 'error',
      from: {
        path: ['^src/(http|graphql|lists|federation)/', '^src/edge/(operations|errors|incremental|cost|documents)/'],
      },
      to: { path: [`^src/${slice}/`, '^src/apis/links/'], reachable: true },
    },
    {
      name: 'http-in-layers',
      comment:
        'Formats know no connection, the transport no operation: formats/ imports neither of the others, transport/ not ' +
        'session/.',
      severity: 'error',
      from: { path: '^src/http/(formats|transport)/' },
      to: { path: ['^src/calls/', '^src/calls/transport/'], pathNot: '^src/http/$1/' },
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
      from: { path: '^src/', pathNot: ['^src/edge/', '^src/cli/'] },
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
      to: { path: '^src/', pathNot: ['^src/redis/', '^src/config/', '^src/process/system\\.ts$'] },
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
          '^src/(contract|http)/',
          `^src/${slice}/wire\\.ts$`,
          '^src/(upstreams/apis|tls/certificates|config|operation/credentials)\\.ts$',
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
      from: { path: '^src/calls/cache/' },
      to: {
        path: '^src/',
        pathNot: ['^src/(response-cache|http|redis)/', `^src/${slice}/stale\\.ts$`, '^src/config/(setting|apis)\\.ts$'],
      },
    },
    {
      name: 'tables-are-data',
      comment: 'A table of what is stale is read beside the document of its API, and by the cache without that API.',
      severity: 'error',
      from: { path: `^src/${slice}/stale\\.ts$` },
      to: { pathNot: '^src/response-cache/staleness\\.ts$' },
    },
    {
      name: 'receipts-know-no-api',
      comment:
        'A receipt is kept by hashes, and tells an outcome: what is written, where, and how it is served is not known there.',
      severity: 'error',
      from: { path: '^src/idempotency/' },
      to: { path: [graphqlPackages, `^src/${slice}/`, '^src/(graphql|links|server|upstreams)/'] },
    },
    {
      name: 'turns-know-no-write',
      comment: 'Whose turn it is has nothing to do with what is written: neither an API nor GraphQL is known there.',
      severity: 'error',
      from: { path: '^src/calls/preconditions/' },
      to: {
        path: ['^src/', graphqlPackages],
        pathNot: ['^src/(preconditions|redis)/', '^src/http/session/record-turns\\.ts$'],
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
        pathNot: ['^src/(typed-flex|cli|server|upstreams|schema)/'],
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
        pathNot: ['^src/(typed-flex|flex|graphql|http|lists)/', '^src/(operation/context|config|process/system)\\.ts$'],
      },
    },
    ...typedRooms.map((room, index) => ({
      name: `typed-flex-builds-up-to-${room}`,
      comment:
        'A snapshot is read, a model is made of it, types are made of the model, and those of public methods of both.',
      severity: 'error',
      from: { path: `^src/typed-flex/${room}/` },
      to: { path: '^src/typed-flex/', pathNot: `^src/typed-flex/(${typedRooms.slice(0, index + 1).join('|')})/` },
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
          '^src/(config/setting|operation/operation-observer|process/system)\\.ts$',
          '^src/http/transport/call-',
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
          '^src/http/(errors|transport/)',
          '^src/(config/setting|operation/operation-observer|process/system)\\.ts$',
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
