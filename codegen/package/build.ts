import { execFile } from 'node:child_process';
import { cp, rm } from 'node:fs/promises';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/**
 * Makes `dist/` for `npm pack`: the service as JavaScript, because Node runs no TypeScript in `node_modules`, and
 * around it the files that it reads, at the same paths as in the repository.
 */
const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const CONFIG = fileURLToPath(new URL('tsconfig.json', import.meta.url));
const COMPILER = `${ROOT}node_modules/.bin/tsc`;
const READ_BY_THE_SERVICE = ['docs', 'examples', 'migrations', 'package.json', 'schema'];
/** The SDL of earlier releases. The package does not need it: it is for comparisons only. */
const RELEASES = `${ROOT}docs/releases`;

await rm(`${ROOT}dist`, { recursive: true, force: true });
await promisify(execFile)(COMPILER, ['--project', CONFIG], { cwd: ROOT });
await copy('src', (path) => !/\.tsx?$|tsconfig\.json$/.test(path) && path !== `${ROOT}src/console/console.css`);
for (const name of READ_BY_THE_SERVICE) await copy(name, (path) => path !== RELEASES && extname(path) !== '.ts');

async function copy(name: string, filter: (path: string) => boolean): Promise<void> {
  await cp(`${ROOT}${name}`, `${ROOT}dist/${name}`, { recursive: true, filter });
}
