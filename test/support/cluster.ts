import { inject, type TestContext } from 'vitest';

/** Skips the test on a cluster. The reason is printed beside its name. */
export function skipOnCluster({ skip }: Pick<TestContext, 'skip'>, reason: string): void {
  skip(inject('isCluster'), reason);
}
