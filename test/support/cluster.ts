import { inject, type TestContext } from 'vitest';

/** Skips the test on a cluster. Vitest prints the reason. */
export function skipOnCluster({ skip }: Pick<TestContext, 'skip'>, reason: string): void {
  skip(inject('isCluster'), reason);
}
