import { builder } from '../../graph/builder.ts';
import { wireEnum } from '../../graph/enums.ts';
import { operationQuota } from '../../graph/operation-state.ts';
import { type DefinitionPlan, FlexDbPlan } from '../../apis/flex/plans.ts';
import { QueryLimitError } from '../../errors.ts';
import type { Criticality, SchemaChange } from './changes.ts';
import type { PlanEffect } from './plan-effect.ts';

// The effect of a plan of a definition on the types that are made of definitions.

const criticalities: Readonly<Record<Criticality, string>> = {
  BREAKING: 'An operation that is valid today becomes invalid, or means something else.',
  DANGEROUS: 'An operation stays valid, but its answer may hold what the client does not know.',
  SAFE: 'No operation of today is affected.',
};

const FlexGraphqlCriticality = wireEnum(
  'FlexGraphqlCriticality',
  'What a change of the GraphQL schema does to the operations that clients have.',
  criticalities,
);

const FlexGraphqlChange = builder.objectRef<SchemaChange>('FlexGraphqlChange').implement({
  description: 'A change of the GraphQL schema.',
  fields: (t) => ({
    criticality: t.expose('criticality', {
      type: FlexGraphqlCriticality,
      nullable: false,
      description: 'What it does to operations.',
    }),
    path: t.exposeString('path', { nullable: false, description: 'What changes, such as `TrackerTask.dueAt`.' }),
    message: t.exposeString('message', { nullable: false, description: 'The change in words.' }),
  }),
});

/** The list of changes has this many at most. */
const MAX_CHANGES = 1000;

const FlexGraphqlChanges = builder.objectRef<PlanEffect>('FlexGraphqlChanges').implement({
  description: 'The changes of the GraphQL schema that a plan would cause, once its definition is pulled and served.',
  fields: (t) => ({
    criticality: t.field({
      type: FlexGraphqlCriticality,
      description: 'That of the worst change. Null without changes, and when they are not known.',
      resolve: ({ changes }) => changes?.[0]?.criticality,
    }),
    changes: t.field({
      type: [FlexGraphqlChange],
      description: `The changes, the worst first: at most ${MAX_CHANGES}. Null when they are not known: see \`problems\`.`,
      resolve: ({ changes }) => changes?.slice(0, MAX_CHANGES),
    }),
    total: t.int({
      description: 'The number of all changes.',
      resolve: ({ changes }) => changes?.length,
    }),
    problems: t.stringList({
      nullable: false,
      description:
        'What the mapping of names lacks, with the entry and what to write there. Until then these tables and fields ' +
        'have no types, and `changes` leaves them out. Also why changes are not known.',
      resolve: ({ problems }) => [...problems],
    }),
  }),
});

/** The plans of an operation whose changes are computed: each may take a second, while its cost is that of one object. */
const MAX_PLANS = 10;

const reserveQuota = operationQuota();

/** The effect of each plan: one computation serves all its selections. */
const effects = new WeakMap<DefinitionPlan, Promise<PlanEffect>>();

builder.objectField(FlexDbPlan, 'graphqlChanges', (t) =>
  t.field({
    type: FlexGraphqlChanges,
    description:
      'What the change does to the GraphQL schema with typed databases, under the names that the gateway serves or else ' +
      `those that \`trivium flex pull\` makes. An operation takes those of ${MAX_PLANS} plans at most.`,
    resolve: async (plan, _args, context) => {
      const { typedBase } = context;
      if (!typedBase) return null;
      const known = effects.get(plan);
      if (known) return known;
      if (!reserveQuota(context, 1, MAX_PLANS))
        throw new QueryLimitError(`The operation asks for the changes of more than ${MAX_PLANS} plans.`);
      const effect = import('./plan-effect.ts').then(({ planEffect }) => planEffect(plan, typedBase));
      effects.set(plan, effect);
      return effect;
    },
  }),
);
