import { randomUUID } from 'node:crypto';
import { createSocket, type Socket } from 'node:dgram';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { startPictureServer } from '../image/picture-server.ts';
import { deflatedZeros, png, pngChunk } from '../image/pictures.ts';
import { listen } from '../outbound/receiver.ts';
import { type Answer, codes } from '../support/post.ts';
import type { Merchant } from '../support/own-service.ts';
import {
  attack,
  type AttackedService,
  expectUnharmed,
  LONGEST_WAIT_MS,
  startAttackedService,
} from './support/attacked-service.ts';

const READINESS_ASKED_EVERY_MS = 250;
/** The second merchant's requests are followed to their end, also those that wait for longer. */
const ATTACK_MS = 800;
/** In each attack the requests of each manner alone are as many as the service has connections, four, or more. */
const REQUESTS = 40;
const UPLOADS = 12;
const COSTLY_UPLOADS = 8;
const DOCUMENTS = 8;
const SIDE = 6_320;
const SLOW_ADDRESSES = 12;
const SECOND_MERCHANTS_PICTURES = 10;
/** It takes 1.3 s without an attack. Waiting for one slow address takes 10 s. */
const FETCHED_WITHIN_MS = 5_000;
const POLLED_EVERY_MS = 100;
const TEST_TIMEOUT_MS = 180_000;
const preload = new URL('support/resolve-with.ts', import.meta.url).href;
const saveWebhook = 'mutation ($input: WebhookInput!) { saveWebhook(input: $input) { id } }';
const scope = 'store/product/updated';

/** With a key, or in a dry run, the operations of a request run in one transaction. */
const inOneTransaction: (() => Record<string, string>)[] = [
  () => ({ 'idempotency-key': randomUUID() }),
  () => ({ 'x-dry-run': 'true' }),
];
const inAnyManner = [...inOneTransaction, () => ({})];

let service: AttackedService;
beforeAll(async () => await start());
afterAll(async () => await service.stop());

async function start(environment: Record<string, string> = {}): Promise<void> {
  service = await startAttackedService({
    IMAGE_ALLOW_HTTP: 'true',
    IMAGE_ALLOW_PRIVATE: 'true',
    WEBHOOK_ALLOW_HTTP: 'true',
    WEBHOOK_ALLOW_PRIVATE: 'true',
    ...environment,
  });
}

// test/contract/transactions.test.ts shows for each operation and manner that no transaction is open while it waits.
describe('a receiver that never answers occupies no connections of others', () => {
  it('when three samples each are requested at once, with keys and in dry runs', async () => {
    await registerSilentReceiver();
    const query = `mutation { ${[1, 2, 3].map((at) => `test${at}: testWebhook(scope: "${scope}") { endpoint }`).join(' ')} }`;
    const answers: Answer[] = [];
    await attackReady(`${DOCUMENTS} documents of three testWebhook`, async () => {
      const send = async (at: number) => await service.attacker.send({ query }, headersOf(inOneTransaction, at));
      answers.push(...(await all(DOCUMENTS, send)));
    });
    expect(answers.map(codes)).toEqual(answers.map(() => ['ARGUMENT_VALIDATION_ERROR']));
  });

  it('when many requests send one sample each, with keys, in dry runs and without either', async () => {
    await registerSilentReceiver();
    const query = `mutation { testWebhook(scope: "${scope}") { endpoint } }`;
    await attackReady(`${REQUESTS} requests of one testWebhook each`, async () => {
      await attackWith(REQUESTS, async (at) => await service.attacker.send({ query }, headersOf(inAnyManner, at)));
    });
  });
});

describe('pictures occupy no connections of others', () => {
  let brand: string;
  beforeAll(async () => {
    const answer = await service.attacker.send({
      query: 'mutation { saveProductBrand(input: { name: "Brand" }) { id } }',
    });
    brand = (answer.body.data!['saveProductBrand'] as { id: string }).id;
  });

  it('when many are uploaded from a server that never answers, with keys and in dry runs', async () => {
    const { port } = await listen((socket) => socket.resume());
    await attackReady(`${UPLOADS} uploads from a silent server`, async () => {
      await attackWith(UPLOADS, async (at) => await upload(at, { url: `http://127.0.0.1:${port}/${at}.png` }));
    });
  });

  it('when costly ones are uploaded, with keys and in dry runs', async () => {
    const pictures = Array.from({ length: COSTLY_UPLOADS }, (_, at) => costlyPicture(at).toString('base64'));
    await attackReady(`${COSTLY_UPLOADS} uploads of 40 megapixels`, async () => {
      await all(COSTLY_UPLOADS, async (at) => await upload(at, { base64: pictures[at] }));
    });
  });

  async function upload(at: number, source: object): Promise<void> {
    const headers = headersOf(inOneTransaction, at);
    const response = await fetch(`${service.url}/api/v1/admin/product/upload/image`, {
      method: 'POST',
      headers: { authorization: `Bearer ${service.attacker.token}`, 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ brandImage: { brandIds: [brand], ...source } }),
    });
    await response.arrayBuffer();
  }
});

it(
  "twelve slow addresses of one merchant do not delay another's ten pictures",
  async () => {
    // It never answers the paths of the attacker, so that each attempt lasts until its timeout.
    const pictures = await startPictureServer((path) => path.startsWith('/slow'));
    onTestFinished(() => pictures.close());
    const addresses = (count: number, path: (index: number) => string) =>
      Array.from({ length: count }, (_, index) => `${pictures.url}${path(index)}`);
    const [first, second] = [await service.createMerchant(), await service.createMerchant()];
    let tookMs = 0;
    const report = await attack('slow addresses', service, async () => {
      await bulkUpdate(
        first,
        addresses(SLOW_ADDRESSES, (index) => `/slow-${index}`),
      );
      await until(() => pictures.requests.some((path) => path.startsWith('/slow')));
      const startedAtMs = performance.now();
      const id = await bulkUpdate(
        second,
        addresses(SECOND_MERCHANTS_PICTURES, (index) => `/${20 + index}.png`),
      );
      await until(async () => (await operation(second, id))['status'] === 'COMPLETED');
      tookMs = performance.now() - startedAtMs;
      expect(await operation(second, id)).toMatchObject({ imagesPending: 0, imagesFailed: 0 });
    });
    console.log(
      `slow addresses: the second merchant's ${SECOND_MERCHANTS_PICTURES} pictures took ${Math.round(tookMs)} ms`,
    );
    expectUnharmed(report);
    expect(tookMs).toBeLessThan(FETCHED_WITHIN_MS);
  },
  TEST_TIMEOUT_MS,
);

// The last ones, with another service.
describe('a name server that never answers occupies no connections of others', () => {
  let nameServer: Socket;
  beforeAll(async () => {
    nameServer = createSocket('udp4');
    await new Promise<void>((resolve) => nameServer.bind(0, '127.0.0.1', resolve));
    await service.stop();
    await start({
      WEBHOOK_ALLOW_PRIVATE: 'false',
      NODE_OPTIONS: `--import ${preload}`,
      NAME_SERVER: `127.0.0.1:${nameServer.address().port}`,
    });
  });
  afterAll(() => void nameServer.close());

  it('when many webhooks are saved, with keys, in dry runs and without either', async () => {
    const input = { endpoint: 'https://hangs.example/', scopes: [scope] };
    const save = async (at: number) =>
      await service.attacker.send({ query: saveWebhook, variables: { input } }, headersOf(inAnyManner, at));
    await attackReady(`${REQUESTS} requests of saveWebhook`, async () => await attackWith(REQUESTS, save));
  });
});

/** Takes the manners in turns. */
function headersOf(manners: (() => Record<string, string>)[], at: number): Record<string, string> {
  return manners[at % manners.length]!();
}

async function registerSilentReceiver(): Promise<void> {
  const { port } = await listen((socket) => socket.resume());
  const input = { endpoint: `http://127.0.0.1:${port}/`, scopes: [scope] };
  expect(codes(await service.attacker.send({ query: saveWebhook, variables: { input } }))).toEqual([]);
}

/** Pixels of the largest allowed picture. */
const pixels = deflatedZeros((SIDE + 1) * SIDE);

/** Another file for each number. */
function costlyPicture(at: number): Buffer {
  return png({ width: SIDE, height: SIDE, before: [pngChunk('tEXt', Buffer.from(`Comment\0${at}`))], data: pixels });
}

async function all<T>(count: number, work: (at: number) => Promise<T>): Promise<T[]> {
  return await Promise.all(Array.from({ length: count }, async (_, at) => await work(at)));
}

/** Does not wait for all answers: by then it is known how long the second merchant waits. */
async function attackWith(count: number, work: (at: number) => Promise<unknown>): Promise<void> {
  await Promise.race([all(count, async (at) => await work(at).catch(() => undefined)), wait(ATTACK_MS)]);
}

/** Attacks, while another client requests /readyz, and expects that neither it nor the second merchant waits. */
async function attackReady(name: string, work: () => Promise<void>): Promise<void> {
  const waitsMs: number[] = [];
  const notReady: string[] = [];
  let isOver = false;
  const watching = (async () => {
    while (!isOver) {
      const askedAtMs = performance.now();
      const response = await fetch(`${service.url}/readyz`);
      if (response.status !== 200) notReady.push(await response.text());
      waitsMs.push(performance.now() - askedAtMs);
      await wait(READINESS_ASKED_EVERY_MS);
    }
  })();
  const report = await attack(name, service, work);
  isOver = true;
  await watching;
  const longestReadinessWaitMs = Math.max(...waitsMs);
  console.log(`${name}: /readyz took ${Math.round(longestReadinessWaitMs)} ms at most`);
  expectUnharmed({ ...report, failures: [...report.failures, ...notReady] });
  expect(longestReadinessWaitMs).toBeLessThan(LONGEST_WAIT_MS);
}

async function bulkUpdate(merchant: Merchant, addresses: string[]): Promise<string> {
  const images = addresses.map((imageUrl, order) => ({ imageUrl, isMain: order === 0, order }));
  const variants = [{ sourceId: 'v', isActive: true, deleted: false, prices: [{ sellPrice: 1 }], images }];
  const input = [{ sourceId: 'p', name: 'P', type: 'PHYSICAL', categories: [], productVariantTypes: [], variants }];
  const { body } = await merchant.send({
    query: 'mutation ($input: [BulkUpdateProductsInput!]!) { bulkUpdateProducts(input: $input) }',
    variables: { input },
  });
  expect(body.errors).toBeUndefined();
  return body.data!['bulkUpdateProducts'] as string;
}

async function operation(merchant: Merchant, id: string): Promise<Record<string, unknown>> {
  const { body } = await merchant.send({
    query: 'query ($id: ID!) { getBulkOperation(id: $id) { status imagesPending imagesFailed } }',
    variables: { id },
  });
  expect(body.errors).toBeUndefined();
  return body.data!['getBulkOperation'] as Record<string, unknown>;
}

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await wait(POLLED_EVERY_MS);
}
