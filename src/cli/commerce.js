#!/usr/bin/env node
// The command `commerce`. It is JavaScript, so that a Node that cannot run it gets a sentence instead of a stack.
// For the same reason it imports no name that Node 20 does not have.
import '../process/check-node.js';
import { existsSync } from 'node:fs';
import module from 'node:module';
import { fileURLToPath } from 'node:url';

// `commerce start` replaces this process by the service, which finds the cache by the variable.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('../../node_modules/.cache/node', import.meta.url));
module.enableCompileCache(process.env.NODE_COMPILE_CACHE);
// `npm start` and `npm run admin` read the file too.
if (existsSync('.env')) process.loadEnvFile('.env');
// Node runs no TypeScript in node_modules: an installed package has `dist/`, which `npm pack` makes.
const isInstalled = import.meta.url.includes('/node_modules/');
const { runProgram } = await import(isInstalled ? '../../dist/src/cli/program.js' : './program.ts');
process.exitCode = await runProgram('commerce', process.argv);
