import { describe, expect, it } from 'vitest';
import { differenceText } from '../../../src/cli/import/print-differences.ts';

const difference = {
  handle: 'tee',
  name: 'Tee',
  change: 'UPDATED' as const,
  outcome: 'WRITTEN' as const,
  reason: null,
  members: [{ member: 'vendorId', old: null, new: 'v' }],
};

describe('the differences of a dry run on a terminal', () => {
  it('has a line for the product and one for each member', () => {
    expect(differenceText(difference)).toBe('~ tee  Tee\n    vendorId: none -> "v"');
  });

  it('marks products that are not written, with the reason', () => {
    const left = { ...difference, outcome: 'SKIPPED' as const, reason: 'has been deleted in the shop' };
    expect(differenceText(left)).toMatch(
      /^! tee {2}Tee {2}\(skipped until --keep is given: it has been deleted in the shop\)\n/,
    );
    expect(differenceText({ ...left, outcome: 'KEPT' })).toMatch(/^! tee {2}Tee {2}\(left as it is: it has been/);
  });
});
