import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take more than half a minute, the longest first. */
const LONGEST = [
  'test/bench/plans.test.ts',
  'test/worker/webhooks/idle.test.ts',
  'test/image/decoding/decode-limits.test.ts',
  'test/attack/payloads.test.ts',
  'test/attack/transactions.test.ts',
  'test/faults/connection.test.ts',
];

/**
 * Starts the longest files of a project first, so that none of them runs alone at the end. Vitest knows the times of an
 * earlier run, but a fresh clone has none.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => {
      const index = LONGEST.findIndex((file) => moduleId.endsWith(file));
      return index === -1 ? LONGEST.length : index;
    };
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b));
  }
}
