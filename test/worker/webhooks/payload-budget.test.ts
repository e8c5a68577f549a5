import { expect, it } from 'vitest';
import { PayloadBudget } from '../../../src/worker/webhooks/payload-budget.ts';
import { MAX_CLAIMED_BYTES, MAX_CLAIMED_DELIVERIES } from '../../../src/webhook/ledger/claim-deliveries.ts';

const MIB = 1024 * 1024;

/** Makes claims of the maximum size until the budget is used up. */
function fill(budget: PayloadBudget, merchantId: string): number {
  let mebibytes = 0;
  while (budget.claimable(merchantId) > 0) {
    budget.reserve(merchantId);
    budget.hold(merchantId, [MIB]);
    mebibytes += 1;
  }
  return mebibytes;
}

it('lets a merchant hold half of the free bytes that are not reserved', () => {
  const budget = new PayloadBudget();
  expect(['a', 'b', 'c'].map((merchantId) => fill(budget, merchantId))).toEqual([24, 12, 6]);
  expect(budget.claimable('d')).toBeGreaterThan(0);
});

it('leaves bytes for a merchant that holds nothing while twenty others hold as much as they can', () => {
  const budget = new PayloadBudget();
  for (let n = 0; n < 20; n++) fill(budget, `hanging ${n}`);
  expect(budget.claimable('idle')).toBe(MAX_CLAIMED_DELIVERIES);
});

it('reserves bytes also for a merchant that holds few', () => {
  const budget = new PayloadBudget();
  for (let n = 0; n < 10; n++) fill(budget, `hanging ${n}`);
  budget.reserve('small');
  budget.hold('small', [10_000, 10_000]);
  expect(budget.claimable('small')).toBe(MAX_CLAIMED_DELIVERIES);
  budget.reserve('small');
  budget.hold('small', [100_000]);
  expect(budget.claimable('small')).toBe(0);
});

it('counts a claim with its maximum size until its size is known', () => {
  const budget = new PayloadBudget();
  let claims = 0;
  for (; budget.claimable('a') > 0; claims++) budget.reserve('a');
  expect(claims).toBe((24 * MIB) / MAX_CLAIMED_BYTES);
  for (; claims > 0; claims--) budget.hold('a', []);
  expect(fill(budget, 'a')).toBe(24);
});

it('estimates the deliveries of a claim from the last one, and starts again when nothing is held', () => {
  const budget = new PayloadBudget();
  expect(budget.claimable('a')).toBe(MAX_CLAIMED_DELIVERIES);
  budget.reserve('a');
  budget.hold('a', [MIB / 2, MIB / 2]);
  expect(budget.claimable('a')).toBe(2);
  expect(budget.claimable('b')).toBe(MAX_CLAIMED_DELIVERIES);
  budget.reserve('a');
  budget.hold('a', [1_000]);
  expect(budget.claimable('a')).toBe(MAX_CLAIMED_DELIVERIES);
  for (const bytes of [MIB / 2, MIB / 2, 1_000]) budget.release('a', bytes);
  expect(fill(budget, 'a')).toBe(24);
});

it('a payload that is larger than all free bytes counts as a quarter of them for other merchants', () => {
  const budget = new PayloadBudget();
  budget.reserve('a');
  budget.hold('a', [80 * MIB]);
  expect(budget.claimable('a')).toBe(0);
  expect(fill(budget, 'b')).toBe(16);
  budget.release('a', 80 * MIB);
  expect(fill(budget, 'b')).toBe(8);
  expect(fill(budget, 'c')).toBe(12);
});
