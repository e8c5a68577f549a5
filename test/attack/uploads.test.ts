import { setTimeout as wait } from 'node:timers/promises';
import type { Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { uploadPath } from '../../src/http/upload/upload.ts';
import * as make from '../image/pictures.ts';
import { open } from '../support/raw.ts';
import { memoryGrowthMib } from '../support/own-service.ts';
import {
  attack,
  type AttackedService,
  expectUnharmed,
  LONGEST_WAIT_MS,
  startAttackedService,
} from './support/attacked-service.ts';
import {
  createUploader,
  startDecoders,
  type Uploader,
  uploadMeanwhile,
  type Waits,
} from './support/uploading-merchant.ts';

const MERCHANTS = 20;
const UPLOADS = 8;
/** Just below the limit of an upload, and the number of uploads that are sent at once. */
const LARGE_BYTES = 9_700_000;
const LARGE_AT_ONCE = 40;
const ATTACK_MS = 1_500;
const SENT_EVERY_MS = 200;
const SENT_BYTES = 16;
/** Forms of the longest fields that an upload may have, each with nearly as many values as a body may have. */
const FORMS_AT_ONCE = 4;
const FIELDS = 15;
const FIELD_BYTES = 1024 * 1024;
const OBJECTS = 240_000;
/** The bodies themselves have 64 MiB. Parsed, the fields of one form took 250 MiB. */
const MAX_MEMORY_GROWTH_MIB = 300;
const TEST_TIMEOUT_MS = 180_000;

let service: AttackedService;
let attackers: Uploader[];
let second: Uploader;

beforeAll(async () => {
  service = await startAttackedService();
  second = await createUploader(service);
  attackers = [];
  for (let count = 0; count < MERCHANTS; count += 1) attackers.push(await createUploader(service));
  await startDecoders(attackers[0]!, second);
}, TEST_TIMEOUT_MS);
afterAll(() => service.stop());

describe.each([2, MERCHANTS])('%i merchants', (count) => {
  it(
    'that send eight slow uploads each do not delay uploads of another merchant',
    async () => {
      await attackUploads(`${count} merchants: slow uploads`, async () => {
        const sockets = attackers
          .slice(0, count)
          .flatMap((attacker) => Array.from({ length: UPLOADS }, () => begin(attacker)));
        for (let sentMs = 0; sentMs < ATTACK_MS; sentMs += SENT_EVERY_MS) {
          for (const socket of sockets) if (socket.writable) socket.write('x'.repeat(SENT_BYTES));
          await wait(SENT_EVERY_MS);
        }
        sockets.forEach((socket) => socket.destroy());
      });
    },
    TEST_TIMEOUT_MS,
  );
});

it(
  'forty uploads of 9.7 MB at once are all answered, and none is treated as a slow one',
  async () => {
    const picture = await make.noise(200, 200).jpeg().toBuffer();
    const padding = Buffer.alloc(LARGE_BYTES - picture.length);
    const statuses: number[] = [];
    await attackUploads(`${LARGE_AT_ONCE} uploads of 9.7 MB at once`, async () => {
      await Promise.all(
        Array.from({ length: LARGE_AT_ONCE }, async (_, index) => {
          statuses.push(await sendPadded(attackers[0]!, [picture, padding, Buffer.from([index])]));
        }),
      );
    });
    console.log(
      'uploads of 9.7 MB by status',
      Object.fromEntries(
        Map.groupBy(statuses, String)
          .entries()
          .map(([k, v]) => [k, v.length]),
      ),
    );
    expect(statuses.filter((status) => ![200, 429, 503].includes(status))).toEqual([]);
    expect(statuses).toContain(200);
  },
  TEST_TIMEOUT_MS,
);

// docs/reliability-tests.md: 63
it(
  'forms with 240,000 objects in each field neither delay another merchant nor take much memory',
  async () => {
    const values = `[${'{},'.repeat(OBJECTS)}{}]`.padEnd(FIELD_BYTES);
    const fields = ['input', ...Array.from({ length: FIELDS }, (_, index) => `more${index}`)];
    const form = fields.map((name) => jsonPart(name, values)).join('');
    const statuses: number[] = [];
    const sendForm = async (): Promise<void> => {
      const headers = {
        authorization: `Bearer ${attackers[0]!.token}`,
        'content-type': 'multipart/form-data; boundary=b',
      };
      const body = `${form}--b--\r\n`;
      statuses.push((await fetch(`${service.url}${uploadPath}`, { method: 'POST', headers, body })).status);
    };
    const sendForms = async (): Promise<void> =>
      void (await Promise.all(Array.from({ length: FORMS_AT_ONCE }, sendForm)));
    const growthMib = await memoryGrowthMib(
      service,
      async () => await attackUploads('four forms with 16 fields of JSON', sendForms),
    );
    expect(statuses).toEqual([400, 400, 400, 400]);
    expect(growthMib).toBeLessThan(MAX_MEMORY_GROWTH_MIB);
  },
  TEST_TIMEOUT_MS,
);

function jsonPart(name: string, json: string): string {
  const head = `Content-Disposition: form-data; name="${name}"\r\nContent-Type: application/json`;
  return `--b\r\n${head}\r\n\r\n${json}\r\n`;
}

/**
 * Uploads a file of these parts, and returns the status. fetch would copy the parts, which delays the second merchant's
 * client, because both are in this process.
 */
async function sendPadded({ token, brandId }: Uploader, parts: Buffer[]): Promise<number> {
  const input = JSON.stringify({ brandImage: { brandIds: [brandId] } });
  const field = (name: string) => `--b\r\nContent-Disposition: form-data; name="${name}"`;
  const before = `${field('input')}\r\n\r\n${input}\r\n${field('file')}; filename="a.jpg"\r\n\r\n`;
  const body = [Buffer.from(before), ...parts, Buffer.from('\r\n--b--\r\n')];
  const length = body.reduce((sum, part) => sum + part.length, 0);
  const socket = open(service.url);
  const answered = new Promise<number>((resolve, reject) => {
    socket.once('data', (chunk) => resolve(Number(/^HTTP\/1\.1 (\d{3})/.exec(chunk.toString('latin1'))?.[1])));
    socket.on('error', reject).on('close', () => reject(new Error('The connection was closed without an answer.')));
  });
  socket.write(
    `POST ${uploadPath} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: ${length}\r\n\r\n`,
  );
  for (const part of body) socket.write(part);
  const status = await answered;
  socket.destroy();
  return status;
}

/** Sends the headers of an upload and its first bytes. */
function begin({ token }: Uploader): Socket {
  const socket = open(service.url)
    .on('error', () => {})
    .resume();
  socket.write(
    `POST ${uploadPath} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: ${LARGE_BYTES}\r\n\r\n--b\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n\r\n`,
  );
  return socket;
}

/** Attacks while the second merchant uploads small pictures and loads them. */
async function attackUploads(name: string, work: () => Promise<void>) {
  const outcome: { waits: Waits } = { waits: { uploadsMs: [], shownMs: [] } };
  const report = await attack(name, service, async () => {
    outcome.waits = await uploadMeanwhile(second, work());
  });
  const { uploadsMs, shownMs } = outcome.waits;
  console.log(
    `${name}: of ${uploadsMs.length} pictures of 50 x 50 pixels, an upload took ${Math.round(Math.max(...uploadsMs))} ms at most, a look ${Math.round(Math.max(...shownMs))} ms`,
  );
  expectUnharmed(report);
  expect(Math.max(...uploadsMs, ...shownMs)).toBeLessThan(LONGEST_WAIT_MS);
}
