// Rules of the linter for regular expressions, in JavaScript: the linter loads them itself, and Node 20 loads no TypeScript.
import { getStaticValue, ReferenceTracker } from '@eslint-community/eslint-utils';
import { checkSync } from 'recheck';

/** Reports a RegExp that is built from a value only known at run time: nothing can tell how long it takes. */
const noDynamic = {
  create: (context) => ({
    'Program:exit'(program) {
      for (const { call, scope } of constructed(context, program)) {
        const [pattern] = call.arguments;
        if (!pattern || getStaticValue(pattern, scope)) continue;
        context.report({ node: call, message: 'Build a RegExp from literals and constants of the module only.' });
      }
    },
  }),
};

/**
 * Times in milliseconds that no analysis takes: its steps bound it, and it finds the same on any machine. With the defaults a busy
 * machine ends the search for texts early, and its verdict is wrong.
 */
const TIMES = { timeout: 60_000, incubationTimeout: 30_000, geneticTimeout: 30_000, attackTimeout: 30_000 };

/** Reports a RegExp that some text keeps busy for more than linear time. It takes seconds for a project. */
const linearTime = {
  create(context) {
    const check = (node, source, flags) => {
      const { status, complexity, attack } = checkSync(source, flags, TIMES);
      if (status !== 'vulnerable') return; // an analysis that a busy machine did not end in time says nothing
      const reason = `${complexity.summary} for ${attack.pattern}`;
      context.report({ node, message: `This pattern can take more than linear time: ${reason}.` });
    };
    return {
      Literal(node) {
        if (node.regex) check(node, node.regex.pattern, node.regex.flags);
      },
      'Program:exit'(program) {
        for (const { call, scope } of constructed(context, program)) {
          const { value } = getStaticValue(call, scope) ?? {};
          if (value instanceof RegExp) check(call, value.source, value.flags);
        }
      },
    };
  },
};

/** Every `new RegExp(…)` and `RegExp(…)` of a module, under any name. */
function constructed({ sourceCode }, program) {
  const calls = new ReferenceTracker(sourceCode.getScope(program)).iterateGlobalReferences({
    RegExp: { [ReferenceTracker.CALL]: true, [ReferenceTracker.CONSTRUCT]: true },
  });
  return Array.from(calls, ({ node }) => ({ call: node, scope: sourceCode.getScope(node) }));
}

export default { meta: { name: 'patterns' }, rules: { 'no-dynamic': noDynamic, 'linear-time': linearTime } };
