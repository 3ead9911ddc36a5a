import { describe, expect, test } from 'vitest';
import { CallBudget } from '../../../src/calls/transport/call-budget.ts';
import { API } from '../../support/fake-upstream.ts';

describe('a budget of calls', () => {
  const call = { api: API.name, endpoint: 'GET /a' };

  test('counts what was spent and what is left', () => {
    const budget = new CallBudget(3);
    budget.spend(call);
    expect([budget.spent, budget.left]).toEqual([1, 2]);
  });

  test('refuses the call beyond it, and names the maximum and the setting', () => {
    const budget = new CallBudget(1);
    budget.spend(call);
    expect(() => budget.spend(call)).toThrow(/more than 1 upstream calls.*MAX_UPSTREAM_CALLS/);
    expect(budget.spent).toBe(1);
  });

  test('refuses every call once its time is over, and names both ways to have more', () => {
    const budget = new CallBudget(3, 0);
    expect(() => budget.spend(call)).toThrow(/longer than 0 s.*OPERATION_TIMEOUT_MS.*X-Trivium-Timeout-Ms/);
    expect(budget.spent).toBe(0);
  });
});
