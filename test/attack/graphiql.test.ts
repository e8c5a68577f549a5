import { Agent, request } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { attack, type AttackedService, expectUnharmed, startAttackedService } from './support/attacked-service.ts';

const CLIENTS = 64;
const FLOOD_MS = 1_000;
const MIB = 1024 * 1024;
/** The page has 2 MB uncompressed. */
const MAX_PAGE_MIB = 0.7;
const MAX_MEMORY_GROWTH_MIB = 150;

let service: AttackedService;
beforeAll(async () => {
  service = await startAttackedService();
});
afterAll(() => service.stop());

type Page = { status: number; etag: string; bytes: number };

it.each([
  ['that take every coding', { 'accept-encoding': 'gzip, deflate, br, zstd' }],
  ['that take gzip', { 'accept-encoding': 'gzip' }],
  ['that do not say what they take', {}],
])('anonymous clients %s flood the page', async (name, headers) => {
  const memoryMib = service.memoryMib();
  let pages: Page[] = [];
  const report = await attack(`GraphiQL, clients ${name}`, service, async () => (pages = await flood(headers)));
  const pageMib = pages.reduce((sum, { bytes }) => sum + bytes, 0) / pages.length / MIB;
  console.log(`${pages.length} pages of ${pageMib.toFixed(2)} MiB`);
  expectUnharmed(report);
  expect(new Set(pages.map(({ status }) => status))).toEqual(new Set([200]));
  expect(pageMib).toBeLessThan(MAX_PAGE_MIB);
  expect(service.memoryMib() - memoryMib).toBeLessThan(MAX_MEMORY_GROWTH_MIB);
});

it('browsers with a cached page ask whether it has changed', async () => {
  const { etag } = await ask({});
  let pages: Page[] = [];
  const report = await attack(
    'GraphiQL, clients that have it',
    service,
    async () => (pages = await flood({ 'if-none-match': etag })),
  );
  expectUnharmed(report);
  expect(pages.filter(({ status, bytes }) => status !== 304 || bytes > 0)).toEqual([]);
});

/** Clients that request the page again as soon as they have it. */
async function flood(headers: Record<string, string>): Promise<Page[]> {
  const agent = new Agent({ keepAlive: true });
  const endsAtMs = performance.now() + FLOOD_MS;
  const pages: Page[] = [];
  const askOnAndOn = async (): Promise<void> => {
    while (performance.now() < endsAtMs) pages.push(await ask(headers, agent));
  };
  await Promise.all(Array.from({ length: CLIENTS }, askOnAndOn));
  agent.destroy();
  return pages;
}

async function ask(headers: Record<string, string>, agent?: Agent): Promise<Page> {
  return await new Promise((resolve, reject) => {
    const asked = request(service.graphqlUrl, { headers: { accept: 'text/html', ...headers }, agent }, (response) => {
      let bytes = 0;
      response.on('data', (chunk: Buffer) => (bytes += chunk.length));
      response
        .once('error', reject)
        .once('end', () => resolve({ status: response.statusCode!, etag: response.headers.etag ?? '', bytes }));
    });
    asked.once('error', reject).end();
  });
}
