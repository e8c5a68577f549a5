import { createSocket, type Socket } from 'node:dgram';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deflatedZeros, png, pngChunk } from '../image/pictures.ts';
import { listen } from '../outbound/receiver.ts';
import { type Answer, codes } from '../support/post.ts';
import {
  attack,
  type AttackedService,
  expectUnharmed,
  LONGEST_WAIT_MS,
  type Report,
  startAttackedService,
} from './support/attacked-service.ts';

const READINESS_ASKED_EVERY_MS = 250;
/** The second merchant's requests are followed to their end, also those that wait for longer. */
const ATTACK_MS = 1_500;
const REQUESTS = 40;
const UPLOADS = 12;
const COSTLY_UPLOADS = 5;
const SIDE = 6_320;
const preload = new URL('support/resolve-with.ts', import.meta.url).href;
const saveWebhook = 'mutation ($input: WebhookInput!) { saveWebhook(input: $input) { id } }';
const scope = 'store/product/updated';

/** Headers with which the operations of a request run in one transaction. */
const inOneTransaction: [string, (at: number) => Record<string, string>][] = [
  ['with keys', (at) => ({ 'idempotency-key': `key-${at}` })],
  ['in dry runs', () => ({ 'x-dry-run': 'true' })],
];

let service: AttackedService;
const start = async (environment: Record<string, string> = {}): Promise<void> => {
  service = await startAttackedService({
    IMAGE_ALLOW_HTTP: 'true',
    IMAGE_ALLOW_PRIVATE: 'true',
    WEBHOOK_ALLOW_HTTP: 'true',
    WEBHOOK_ALLOW_PRIVATE: 'true',
    ...environment,
  });
};

describe('a receiver that never answers occupies no connections of others', () => {
  beforeAll(async () => await start());
  afterAll(() => service.stop());

  it.each(inOneTransaction)('when nine samples are requested at once %s', async (manner, headers) => {
    await registerSilentReceiver();
    const query = `mutation { ${[1, 2, 3].map((at) => `test${at}: testWebhook(scope: "${scope}") { endpoint }`).join(' ')} }`;
    const answers: Answer[] = [];
    const report = await attackReady(`three documents of three testWebhook ${manner}`, async () => {
      answers.push(...(await all(3, async (at) => await service.attacker.send({ query }, headers(at)))));
    });
    expect(answers.map(codes)).toEqual([1, 2, 3].map(() => ['ARGUMENT_VALIDATION_ERROR']));
    expectUnharmed(report);
    expect(report.longestReadinessWaitMs).toBeLessThan(LONGEST_WAIT_MS);
  });

  it('when many requests send one sample each, with and without keys', async () => {
    await registerSilentReceiver();
    const query = `mutation { testWebhook(scope: "${scope}") { endpoint } }`;
    const manners = [{}, ...inOneTransaction.map(([, headers]) => headers)];
    const report = await attackReady(`${REQUESTS} requests of one testWebhook each`, async () => {
      await attackWith(REQUESTS, async (at) => {
        const headers = manners[at % manners.length]!;
        await service.attacker.send({ query }, typeof headers === 'function' ? headers(1_000 + at) : headers);
      });
    });
    expectUnharmed(report);
    expect(report.longestReadinessWaitMs).toBeLessThan(LONGEST_WAIT_MS);
  });
});

describe('a name server that never answers occupies no connections of others', () => {
  let nameServer: Socket;
  beforeAll(async () => {
    nameServer = createSocket('udp4');
    await new Promise<void>((resolve) => nameServer.bind(0, '127.0.0.1', resolve));
    await start({
      WEBHOOK_ALLOW_PRIVATE: 'false',
      NODE_OPTIONS: `--import ${preload}`,
      NAME_SERVER: `127.0.0.1:${nameServer.address().port}`,
    });
  });
  afterAll(async () => {
    nameServer.close();
    await service.stop();
  });

  it.each([...inOneTransaction, ['without either', () => ({})] as const])(
    'when many webhooks are saved %s',
    async (manner, headers) => {
      const input = { endpoint: 'https://hangs.example/', scopes: [scope] };
      const report = await attackReady(`${REQUESTS} requests of saveWebhook ${manner}`, async () => {
        await attackWith(
          REQUESTS,
          async (at) => await service.attacker.send({ query: saveWebhook, variables: { input } }, headers(at)),
        );
      });
      expectUnharmed(report);
      expect(report.longestReadinessWaitMs).toBeLessThan(LONGEST_WAIT_MS);
    },
  );
});

describe('pictures occupy no connections of others', () => {
  let brand: string;
  beforeAll(async () => {
    await start();
    const answer = await service.attacker.send({
      query: 'mutation { saveProductBrand(input: { name: "Brand" }) { id } }',
    });
    brand = (answer.body.data!['saveProductBrand'] as { id: string }).id;
  });
  afterAll(() => service.stop());

  it.each(inOneTransaction)('when many are uploaded from a server that never answers %s', async (manner, headers) => {
    const { port } = await listen((socket) => socket.resume());
    const report = await attackReady(`${UPLOADS} uploads from a silent server ${manner}`, async () => {
      await attackWith(UPLOADS, async (at) => await upload(headers(at), { url: `http://127.0.0.1:${port}/${at}.png` }));
    });
    expectUnharmed(report);
    expect(report.longestReadinessWaitMs).toBeLessThan(LONGEST_WAIT_MS);
  });

  it.each(inOneTransaction)('when costly ones are uploaded %s', async (manner, headers) => {
    const pictures = Array.from({ length: COSTLY_UPLOADS }, (_, at) =>
      costlyPicture(`${manner} ${at}`).toString('base64'),
    );
    const report = await attackReady(`${COSTLY_UPLOADS} uploads of 40 megapixels ${manner}`, async () => {
      await all(COSTLY_UPLOADS, async (at) => await upload(headers(1_000 + at), { base64: pictures[at] }));
    });
    expectUnharmed(report);
    expect(report.longestReadinessWaitMs).toBeLessThan(LONGEST_WAIT_MS);
  });

  async function upload(headers: Record<string, string>, source: object): Promise<void> {
    const response = await fetch(`${service.url}/api/v1/admin/product/upload/image`, {
      method: 'POST',
      headers: { authorization: `Bearer ${service.attacker.token}`, 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ brandImage: { brandIds: [brand], ...source } }),
    });
    await response.arrayBuffer();
  }
});

async function registerSilentReceiver(): Promise<void> {
  const { port } = await listen((socket) => socket.resume());
  const input = { endpoint: `http://127.0.0.1:${port}/`, scopes: [scope] };
  expect(codes(await service.attacker.send({ query: saveWebhook, variables: { input } }))).toEqual([]);
}

/** Pixels of the largest allowed picture. */
const pixels = deflatedZeros((SIDE + 1) * SIDE);

/** Another file for each text. */
function costlyPicture(text: string): Buffer {
  return png({ width: SIDE, height: SIDE, before: [pngChunk('tEXt', Buffer.from(`Comment\0${text}`))], data: pixels });
}

async function all<T>(count: number, work: (at: number) => Promise<T>): Promise<T[]> {
  return await Promise.all(Array.from({ length: count }, async (_, at) => await work(at)));
}

/** Does not wait for all answers: by then it is known how long the second merchant waits. */
async function attackWith(count: number, work: (at: number) => Promise<unknown>): Promise<void> {
  await Promise.race([all(count, async (at) => await work(at).catch(() => undefined)), wait(ATTACK_MS)]);
}

/** Attacks, while another client requests /readyz. */
async function attackReady(
  name: string,
  work: () => Promise<void>,
): Promise<Report & { longestReadinessWaitMs: number }> {
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
  return { ...report, failures: [...report.failures, ...notReady], longestReadinessWaitMs };
}
