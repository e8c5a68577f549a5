import { describe, expect, it } from 'vitest';
import { MAX_REQUEST_COST } from '../../../src/graphql/cost/request-cost.ts';
import { spendPoints } from '../../../src/http/graphql/points.ts';

function refusalOf(points: number): unknown {
  const cost = {
    requested: () => points,
    mostExpensiveField: () => ({ key: 'a', name: 'listProduct', points }),
  };
  const valid = { operation: { cost }, graphql: { variables: {} }, request: { session: null } };
  return spendPoints(valid as never, undefined);
}

describe('a request', () => {
  it('may cost as many points as allowed', () => {
    expect(refusalOf(MAX_REQUEST_COST)).toBeNull();
  });

  it('is refused if it costs one more', () => {
    expect(refusalOf(MAX_REQUEST_COST + 1)).toMatchObject({ code: 'ARGUMENT_VALIDATION_ERROR' });
  });
});
