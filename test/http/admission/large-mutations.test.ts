import type { Socket } from 'node:net';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { type Answer, post } from '../../support/post.ts';
import { open } from '../../support/raw.ts';
import { startTestService, type TestService } from '../../support/whole-service.ts';

/** Letters of two bytes. */
const DESCRIPTION = 'ж'.repeat(65_000);
const CATEGORIES = 20;
/** Two more than may receive large responses at once. */
const CONNECTIONS = 5;
const RECEIVING = 3;
const MUTATIONS = 5;
const SAVE = `mutation ($input: CategoryInput!) { saveCategory(input: $input) { ${aliases(20)} } }`;

type App = Awaited<ReturnType<TestService['createApp']>>;

let service: TestService;
let exporter: App;
let saver: App;
beforeAll(async () => {
  service = await startTestService();
  [exporter, saver] = await Promise.all([service.createApp(), service.createApp()]);
  for (let saved = 0; saved < CATEGORIES; saved++) await save(exporter, `${saved}`);
});
afterAll(() => service.stop());

it('a merchant saves with large responses while another one reads large ones on several connections', async () => {
  let receiving = 0;
  const readers = Array.from({ length: CONNECTIONS }, () => slowReader(exporter));
  onTestFinished(() => readers.forEach((reader) => reader.destroy()));
  for (const reader of readers) reader.once('readable', () => (receiving += 1));
  await expect.poll(() => receiving, { timeout: 10_000 }).toBe(RECEIVING);
  for (let count = 0; count < MUTATIONS; count++) {
    const { status, body } = await save(saver, `Large ${count}`, SAVE);
    expect([count, status, body.errors]).toEqual([count, 200, undefined]);
  }
});

async function save(
  app: App,
  name: string,
  query = 'mutation ($input: CategoryInput!) { saveCategory(input: $input) { id } }',
): Promise<Answer> {
  return await post(
    service.graphqlUrl,
    { query, variables: { input: { name, description: DESCRIPTION } } },
    { token: app.token },
  );
}

/** A client that does not read its response of 13 MB, which is more than the system buffers. */
function slowReader({ token }: App): Socket {
  const body = JSON.stringify({ query: `{ listCategory { ${aliases(5)} } }` });
  const head = `POST /api/v1/admin/graphql HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`;
  const reader = open(service.url);
  reader.on('error', () => {}).write(head + body);
  return reader;
}

function aliases(count: number): string {
  return Array.from({ length: count }, (_, at) => `a${at}: description`).join(' ');
}
