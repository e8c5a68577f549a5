import type { Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { uploadPath } from '../../../src/http/upload/upload.ts';
import { memoryGrowthMib, type Merchant, type OwnService, startOwnService } from '../../support/own-service.ts';
import { cpuMs } from '../../support/process.ts';
import { open, sendRaw } from '../../support/raw.ts';

const CHUNK = '1\r\nx\r\n';
const LAST_CHUNK = '0\r\n\r\n';
/** So many were received of a body that nobody reads. */
const UNREAD_CHUNKS = 75_000;
const UPLOADS = 20;
const TOKEN_CHUNKS = 16_000;
const TOKEN_REQUESTS = 60;
const LONG_CHUNKS = 600_000;
/**
 * Connections stay open until the service has hardly worked for this time, and no longer than the second time. While it
 * reads chunks it uses a whole CPU, and on a busy machine a fair part of one.
 */
const QUIET_MS = 500;
const MAX_OPEN_MS = 4_000;
const MAX_QUIET_CPU_SHARE = 0.1;
/** With a Buffer for each chunk the uploads took 600 MiB, the requests for tokens 140 and the GraphQL request 120. */
const MAX_MEMORY_GROWTH_MIB = 100;
/** Node takes 3 µs for each of 3,000,000 chunks, and more on a busy machine. */
const TEST_TIMEOUT_MS = 180_000;

let service: OwnService;
let merchant: Merchant;
beforeAll(async () => {
  service = await startOwnService();
  merchant = await service.createMerchant();
});
afterAll(() => service.stop());

describe('bodies in chunks of one byte take little memory', { timeout: TEST_TIMEOUT_MS }, () => {
  it('in uploads that wait unread', async () => {
    const growthMib = await growthMibOf(async () => {
      await keepOpen(UPLOADS, `${headOf(uploadPath)}${CHUNK.repeat(UNREAD_CHUNKS)}`);
    });
    expect(growthMib).toBeLessThan(MAX_MEMORY_GROWTH_MIB);
  });

  it('in requests for tokens that have no end', async () => {
    const head = headOf('/api/admin/oauth/token').replace(/Authorization: .*\r\n/, '');
    const growthMib = await growthMibOf(async () => {
      await keepOpen(TOKEN_REQUESTS, `${head}${CHUNK.repeat(TOKEN_CHUNKS)}`);
    });
    expect(growthMib).toBeLessThan(MAX_MEMORY_GROWTH_MIB);
  });

  it('in a GraphQL request', async () => {
    const start = '{"query":"{ me { id } }","operationName":"';
    const first = `${start.length.toString(16)}\r\n${start}\r\n`;
    const rest = `${CHUNK.repeat(LONG_CHUNKS)}2\r\n"}\r\n${LAST_CHUNK}`;
    let answer = '';
    const growthMib = await growthMibOf(async () => {
      answer = await sendRaw(service.url, `${headOf('/api/v1/admin/graphql')}${first}${rest}`);
    });
    expect(answer).toContain('"errors":');
    expect(growthMib).toBeLessThan(MAX_MEMORY_GROWTH_MIB);
  });
});

function headOf(path: string): string {
  return `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${merchant.token}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`;
}

/** Sends the same bytes on so many connections, which stay open until the service has taken what it takes of them. */
async function keepOpen(connections: number, bytes: string): Promise<void> {
  const sockets: Socket[] = Array.from({ length: connections }, () =>
    open(service.url)
      .on('error', () => {})
      .resume(),
  );
  for (const socket of sockets) socket.write(bytes);
  await untilQuiet();
  for (const socket of sockets) socket.destroy();
}

async function untilQuiet(): Promise<void> {
  const pid = service.process.child.pid!;
  for (const endsAtMs = performance.now() + MAX_OPEN_MS; performance.now() < endsAtMs;) {
    const beforeMs = cpuMs(pid);
    await wait(QUIET_MS);
    if (cpuMs(pid) - beforeMs < QUIET_MS * MAX_QUIET_CPU_SHARE) return;
  }
}

/**
 * The service answers others afterwards. How long they wait meanwhile is not limited: Node takes the same time for each
 * chunk.
 */
async function growthMibOf(work: () => Promise<void>): Promise<number> {
  const growthMib = await memoryGrowthMib(service, work);
  expect((await merchant.send({ query: '{ me { id } }' })).body.errors).toBeUndefined();
  return growthMib;
}
