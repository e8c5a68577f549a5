import type { TestProject } from 'vitest/node';

/** A line of a file: `test/config.test.ts:20`. */
const LINE = /:\d+$/;

/** Vitest itself reports an argument without test files only if no argument has any. */
export default async function refuseUnknownPaths({ vitest }: TestProject): Promise<void> {
  const { filenamePattern = [] } = vitest as unknown as { filenamePattern?: string[] };
  const unknown = [];
  for (const path of filenamePattern)
    if ((await vitest.globTestSpecifications([path.replace(LINE, '')])).length === 0) unknown.push(path);
  if (unknown.length > 0) throw new Error(`No test file has this in its path: ${unknown.join(', ')}`);
}
