import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo } from 'node:net';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { join, resolve } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { blocksOf, fileName } from '../docs/blocks.ts';
import { post } from '../support/post.ts';
import { startTestService, type TestService } from '../support/whole-service.ts';

const run = promisify(execFile);
/** Within the repository, so that the files find its packages. */
const FOLDER = resolve('.clients');
const TIMEOUT_MS = 60_000;
const PRODUCTS = ['A', 'B', 'C', 'D', 'E'];
/** The options of a new project. `skipLibCheck` because packages are not ours to check. */
const COMPILER_OPTIONS = {
  target: 'esnext',
  module: 'nodenext',
  types: ['node'],
  strict: true,
  noUncheckedIndexedAccess: true,
  noEmit: true,
  allowImportingTsExtensions: true,
  skipLibCheck: true,
};

const page = await readFile('docs/clients.md', 'utf8');
const files = new Map(
  blocksOf('docs/clients.md').flatMap((block) => {
    const name = fileName(block);
    return name === null ? [] : [[name, block.text] as const];
  }),
);
/** tsc must find an error after each `@ts-expect-error`. It would find none if the types were `any`. */
const WRONG_USES = `
import type { ResultOf, VariablesOf } from '@graphql-typed-document-node/core';
import { initGraphQLTada, type ResultOf as TadaResultOf } from 'gql.tada';
import type { ProductQuery, ProductsQuery } from './documents.ts';
import type { introspection } from './generated/graphql-env.d.ts';

const tada = initGraphQLTada<{ introspection: introspection; scalars: { Timestamp: number; ID: string } }>();
const tadaQuery = tada('query Product($id: String!) { listProduct(id: { eq: $id }) { data { createdAt } } }');
declare const products: ResultOf<typeof ProductsQuery>;
declare const tadaProducts: TadaResultOf<typeof tadaQuery>;
// @ts-expect-error a moment is a number
export const moment: string | null = products.listProduct.data[0]!.createdAt;
// @ts-expect-error a moment is a number
export const tadaMoment: string | null = tadaProducts.listProduct.data[0]!.createdAt;
// @ts-expect-error the id is required
export const variables: VariablesOf<typeof ProductQuery> = {};
`;
const programs = ['fetch', 'client-preset', 'apollo', 'urql', 'graphql-request', 'tada'];

let service: TestService;
let proxy: Server;
let environment: Record<string, string>;
let lost: string[] = [];
beforeAll(async () => {
  service = await startTestService({ introspection: 'token' });
  const { token } = await service.createApp();
  for (const name of PRODUCTS) await save(token, name);
  proxy = await startProxy();
  const { port } = proxy.address() as AddressInfo;
  environment = { COMMERCE_URL: `http://127.0.0.1:${port}/api/v1/admin`, TOKEN: token };
  await writeProject();
}, TIMEOUT_MS);
afterAll(async () => {
  proxy.closeAllConnections();
  proxy.close();
  await service.stop();
  await rm(FOLDER, { recursive: true, force: true });
});

describe('the set-ups of docs/clients.md', () => {
  it(
    'generate their types, and pass tsc',
    async () => {
      await command('graphql-codegen', '--config', 'codegen.ts');
      await command(process.execPath, 'generate-tada.ts');
      const { stdout } = await command('tsc', '--project', '.');
      expect(stdout).toBe('');
    },
    TIMEOUT_MS,
  );

  it.each(programs)(
    '%s reads all pages, saves once though a response is lost, and understands an error',
    async (name) => {
      lost = [];
      const { stdout } = await command(process.execPath, `${name}.ts`);
      const output = JSON.parse(stdout) as { names: string[]; createdAt: number };
      expect(output).toMatchObject({ code: 'ARGUMENT_VALIDATION_ERROR', path: ['input', 'name'] });
      expect(output.names.slice(0, PRODUCTS.length)).toEqual(PRODUCTS);
      expect(Math.abs(output.createdAt - Date.now())).toBeLessThan(TIMEOUT_MS);
      expect(lost).toHaveLength(2);
      expect(await countProducts(`Saved by ${name}`)).toBe(1);
    },
  );

  it('curl reads, saves once, and shows an error', async () => {
    lost = [];
    const { stdout } = await command('bash', 'curl.sh');
    expect(stdout).toContain('{"data":{"listProduct":{"data":[]}}}');
    expect(stdout).toContain('{"data":{"saveProduct":{"name":"Saved by curl"}}}');
    expect(stdout).toContain('"code":"ARGUMENT_VALIDATION_ERROR"');
    expect(lost.length).toBeGreaterThan(0);
    expect(await countProducts('Saved by curl')).toBe(1);
  });

  it('are all tested here', () => {
    expect(
      [...files.keys()].filter(
        (name) => !['retrying-fetch.ts', 'codegen.ts', 'documents.ts', 'generate-tada.ts', 'curl.sh'].includes(name),
      ),
    ).toEqual(programs.map((name) => `${name}.ts`));
  });
});

async function writeProject(): Promise<void> {
  await rm(FOLDER, { recursive: true, force: true });
  await mkdir(FOLDER, { recursive: true });
  for (const [name, text] of files) await writeFile(join(FOLDER, name), text);
  await writeFile(join(FOLDER, 'wrong-uses.ts'), WRONG_USES);
  const tsconfig = { compilerOptions: COMPILER_OPTIONS, include: ['*.ts'] };
  await writeFile(join(FOLDER, 'tsconfig.json'), JSON.stringify(tsconfig));
  await writeFile(join(FOLDER, 'package.json'), JSON.stringify({ type: 'module' }));
  const download = /^curl -sf .*schema\.graphql$/m.exec(page)![0];
  await command('bash', '-c', download);
}

async function command(file: string, ...args: string[]): Promise<{ stdout: string }> {
  const path = `${resolve('node_modules/.bin')}:${process.env['PATH']}`;
  return await run(file, args, { cwd: FOLDER, env: { ...process.env, ...environment, PATH: path } }).catch(
    (error: unknown) => {
      const { stdout, stderr } = error as { stdout: string; stderr: string };
      throw new Error(`${file} ${args.join(' ')}\n${stdout}\n${stderr}`);
    },
  );
}

async function startProxy(): Promise<Server> {
  const server = createServer((request, response) => void handOn(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

/** Forwards a request. Closes the connection instead of sending the first response to a mutation. */
async function handOn(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await buffer(request);
  const { host: _, ...headers } = request.headers as Record<string, string>;
  const key = headers['idempotency-key'] ?? '';
  const answer = await fetch(`${service.url}${request.url}`, {
    method: request.method!,
    headers: { ...headers, 'accept-encoding': 'identity' },
    ...(body.length > 0 && { body }),
  });
  if (/mutation/.test(body.toString()) && !lost.includes(key)) {
    lost.push(key);
    return void request.socket.destroy();
  }
  response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type')! });
  response.end(Buffer.from(await answer.arrayBuffer()));
}

async function save(token: string, name: string): Promise<void> {
  const query = 'mutation ($input: ProductInput!) { saveProduct(input: $input) { id } }';
  const input = { name, type: 'PHYSICAL', variants: [{ prices: [{ sellPrice: 1 }] }] };
  await post(service.graphqlUrl, { query, variables: { input } }, { token });
}

async function countProducts(name: string): Promise<number> {
  const query = 'query ($name: String!) { listProduct(name: {eq: $name}) { count } }';
  const { body } = await post(service.graphqlUrl, { query, variables: { name } }, { token: environment['TOKEN']! });
  return (body.data!['listProduct'] as { count: number }).count;
}
