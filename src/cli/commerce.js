#!/usr/bin/env node
// The command `commerce`. It is JavaScript, so that a Node that cannot run it gets a sentence instead of a stack.
import { existsSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

const MIN_NODE_VERSION = 24;
const EXIT_FAILED = 1;

if (Number.parseInt(process.versions.node, 10) < MIN_NODE_VERSION) {
  process.stderr.write(
    `commerce needs Node ${MIN_NODE_VERSION} or newer, and this is ${process.version}. ` +
      'In the checkout, "npx commerce" runs on the Node that "npm ci" has installed.\n',
  );
  process.exit(EXIT_FAILED);
}
if (import.meta.url.includes('/node_modules/')) {
  process.stderr.write(
    'Node runs no TypeScript in node_modules, so commerce works only in a checkout of its repository: ' +
      'call it there as "npx commerce", or after "npm link" as "commerce".\n',
  );
  process.exit(EXIT_FAILED);
}
enableCompileCache(fileURLToPath(new URL('../../node_modules/.cache/node', import.meta.url)));
// `npm start` and `npm run admin` read the file too.
if (existsSync('.env')) process.loadEnvFile('.env');
const { runProgram } = await import('./program.ts');
process.exitCode = await runProgram('commerce', process.argv);
