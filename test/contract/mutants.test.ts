import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const FOLDER = 'test/model/mutants';
const PATCHES = readdirSync(FOLDER).filter((file) => file.endsWith('.patch'));

// Not beside the patches: `npm run mutants` runs the tests of that folder on changed source.
it.each(PATCHES)('the seeded fault %s can be applied to the source', (file) => {
  const check = () => execFileSync('git', ['apply', '--check', join(FOLDER, file)], { stdio: 'pipe' });
  expect(check).not.toThrow();
});
