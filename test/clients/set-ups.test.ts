import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { type AddressInfo } from 'node:net';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { post } from '../support/post.ts';
import { startTestService, type TestService } from '../support/whole-service.ts';
import { EmptyFolder, nameOf } from './empty-folder.ts';

const TIMEOUT_MS = 60_000;
/** With CLIENTS_FROM_REGISTRY some 300 packages are installed. */
const INSTALL_TIMEOUT_MS = 240_000;
const PRODUCTS = ['A', 'B', 'C', 'D', 'E'];
const ENDPOINT = 'http://127.0.0.1:3000/webhooks';

const page = await readFile('docs/clients.md', 'utf8');
const files = EmptyFolder.files();
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
const others = ['answer.ts', 'retrying-fetch.ts', 'codegen.ts', 'documents.ts', 'generate-tada.ts', 'curl.sh'];

let service: TestService;
let folder: EmptyFolder;
let proxy: Server;
let environment: Record<string, string>;
let lost: string[] = [];
beforeAll(async () => {
  service = await startTestService({ introspection: 'token' }, 'all', {
    webhook: { allowHttp: true, allowPrivate: true },
  });
  const { token } = await service.createApp();
  for (const name of PRODUCTS) await save(token, name);
  proxy = await startProxy();
  const { port } = proxy.address() as AddressInfo;
  environment = { COMMERCE_URL: `http://127.0.0.1:${port}/api/v1/admin`, TOKEN: token, ENDPOINT };
  folder = await EmptyFolder.make();
  await folder.setUp();
  await writeFiles();
}, INSTALL_TIMEOUT_MS);
afterAll(async () => {
  proxy.closeAllConnections();
  proxy.close();
  await service.stop();
  await folder.remove();
});

describe('the set-ups of docs/clients.md', () => {
  it(
    'generate their types, and pass tsc',
    async () => {
      await command('graphql-codegen', '--config', 'codegen.ts');
      await command(process.execPath, 'generate-tada.ts');
      const { stdout } = await command('npm', 'run', '--silent', 'check');
      expect(stdout).toBe('');
    },
    TIMEOUT_MS,
  );

  it('install the versions that are tested here', async () => {
    const { packages } = JSON.parse(await readFile('package-lock.json', 'utf8')) as {
      packages: Record<string, { version: string }>;
    };
    // This repository has the types of a newer Node.
    const named = EmptyFolder.packages().filter((text) => nameOf(text) !== '@types/node');
    const tested = named.map((text) => {
      const [name, version] = [nameOf(text), text.slice(nameOf(text).length + 1)];
      const locked = packages[`node_modules/${name}`]!.version;
      return `${name}@${`${locked}.`.startsWith(`${version}.`) ? version : locked}`;
    });
    expect(named).toEqual(tested);
    expect(named.length).toBeGreaterThan(8);
  });

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

  it('the upload adds a picture to a product, and shows the error of a file that is none', async () => {
    const { stdout } = await command(process.execPath, 'upload.ts');
    const { imageId, code } = JSON.parse(stdout) as { imageId: string; code: string };
    expect(code).toBe('ARGUMENT_VALIDATION_ERROR');
    const query = `{ listProduct(name: {eq: "Saved by upload"}) { data { variants { images { imageId isMain } } } } }`;
    const { body } = await post(service.graphqlUrl, { query }, { token: environment['TOKEN']! });
    expect(body.data!['listProduct']).toEqual({ data: [{ variants: [{ images: [{ imageId, isMain: true }] }] }] });
  });

  it('the webhook is registered, and an endpoint that is not allowed shows its error', async () => {
    const { stdout } = await command(process.execPath, 'webhook.ts');
    const scopes = ['store/product/created', 'store/product/updated'];
    expect(JSON.parse(stdout)).toEqual({ scopes, code: 'ARGUMENT_VALIDATION_ERROR', path: ['input', 'endpoint'] });
    const { body } = await post(
      service.graphqlUrl,
      { query: '{ listWebhook { scope endpoint } }' },
      { token: environment['TOKEN']! },
    );
    const found = (body.data!['listWebhook'] as { scope: string }[]).toSorted((a, b) => (a.scope < b.scope ? -1 : 1));
    expect(found).toEqual(scopes.map((scope) => ({ scope, endpoint: ENDPOINT })));
  });

  it.each([...programs, 'webhook'])('%s ends with the code of the error if the token is wrong', async (name) => {
    const ended = folder.run({ ...environment, TOKEN: 'wrong' }, process.execPath, `${name}.ts`);
    await expect(ended).rejects.toThrow(/CommerceError: [^]*code: 'LOGIN_REQUIRED'/);
  });

  it('are all tested here, and read no data before they have looked at the errors', () => {
    const tested = [...programs, 'upload', 'webhook'].map((name) => `${name}.ts`);
    expect([...files.keys()].filter((name) => !others.includes(name))).toEqual(tested);
    expect([...files].filter(([, text]) => /\w!(?:\.|\[)/.test(text)).map(([name]) => name)).toEqual([]);
  });
});

async function writeFiles(): Promise<void> {
  for (const [name, text] of files) await folder.write(name, text);
  await folder.write('wrong-uses.ts', WRONG_USES);
  const download = /^curl -sf .*schema\.graphql$/m.exec(page)![0];
  await command('bash', '-c', download);
}

async function command(file: string, ...args: string[]): Promise<{ stdout: string }> {
  return await folder.run(environment, file, ...args);
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
  const sent = ['content-type', 'x-image-id'].flatMap((name) => {
    const value = answer.headers.get(name);
    return value === null ? [] : [[name, value] as const];
  });
  response.writeHead(answer.status, Object.fromEntries(sent));
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
