import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { uploadPath, uploadRoutes } from '../../../src/http/upload/upload.ts';
import { noise } from '../../image/pictures.ts';
import { brandOf, openImageDependencies } from '../../image/shop.ts';
import { createContext, webhook } from '../../support/context.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { open, sendRaw } from '../../support/raw.ts';
import { startServer, type TestServer } from '../../support/server.ts';

/** Three of them are the memory for bodies that a merchant may have. */
const LARGE_BYTES = 20 * 1024 * 1024;
/** The service waits for 2 s. */
const FORM_TIMEOUT_MS = 500;
/** The server reads each packet by itself. */
const PACKET_INTERVAL_MS = 50;
const MERCHANTS = ['one', 'another'] as const;
type Merchant = (typeof MERCHANTS)[number];

let database: TestDatabase;
let parts: Awaited<ReturnType<typeof openImageDependencies>>;
let server: TestServer;
let withoutEnd: TestServer;
const brands: Partial<Record<Merchant, string>> = {};

beforeAll(async () => {
  database = await createDatabase();
  parts = await openImageDependencies();
  server = await start();
  withoutEnd = await start(neverEndForms);
  for (const name of MERCHANTS) {
    const ctx = await createContext(database.db);
    brands[name] = await brandOf(ctx);
    for (const { sessions } of [server, withoutEnd])
      sessions.set(name, { ...ctx.session, scopes: new Set(['write_products']) });
  }
});
afterAll(async () => {
  await Promise.all([server, withoutEnd].map(async (one) => await one.drain()));
  await parts.close();
  await database.drop();
});

async function start(change: (app: FastifyInstance) => void = () => {}): Promise<TestServer> {
  const { db } = database;
  return await startServer({
    db,
    routes: [
      async (app, options) => {
        await uploadRoutes(app, { db, webhook, formTimeoutMs: FORM_TIMEOUT_MS, ...options, ...parts });
        change(app);
      },
    ],
  });
}

/** As a parser that does not notice the end of a form. */
function neverEndForms(app: FastifyInstance): void {
  app.addHook('preHandler', async (request) => {
    const files = request.files.bind(request);
    request.files = async function* () {
      yield* files();
      await new Promise(() => {});
    };
  });
}

const note = 'content-disposition: form-data; name="note"';
const head = (name: string) =>
  `content-disposition: form-data; name="${name}"${name === 'file' ? '; filename="a"' : ''}`;
const part = (name: string, body: string) => `--b\r\n${head(name)}\r\n\r\n${body}\r\n`;
const inputOf = (merchant: Merchant, source = {}) =>
  JSON.stringify({ brandImage: { brandIds: [brands[merchant]], ...source } });
const requestHead = (merchant: Merchant, length: number) =>
  `POST ${uploadPath} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${merchant}\r\ncontent-type: multipart/form-data; boundary=b\r\ncontent-length: ${length}\r\n\r\n`;

let width = 20;

// docs/reliability-tests.md: 63
describe('a form is refused', () => {
  it.each([
    ['a field without a line of its own', part('note', 'x').slice(0, -5)],
    ['an input without a line of its own', `--b\r\n${head('input')}\r\n\r\n`],
    ['a file without a line of its own', `${part('input', '{}')}--b\r\n${head('file')}\r\n\r\n`],
    ['headers that the end cuts off', `--b\r\n${note}\r\n`],
    ['a file that begins with the boundary', part('input', '{}') + part('file', '--b inside')],
    ['a file that is the boundary', part('input', '{}') + part('file', '--b')],
    ['a file that is the end', part('input', '{}') + part('file', '--b--')],
    ['a file with the boundary in a line', part('input', '{}') + part('file', 'x\r\n--bY\r\n')],
    ['a file with the boundary and more in a line', part('input', '{}') + part('file', 'x\r\n--bY z')],
    ['a file with the boundary at its end', part('input', '{}') + part('file', 'x\r\n--bY')],
    ['an input that begins with the boundary', part('input', '--b inside')],
    ['a field that begins with the boundary', part('input', '{}') + part('note', '--b inside')],
  ])('that has %s', async (_, form) => {
    const body = `${form}--b--\r\n`;
    const answer = await sendRaw(server.url, requestHead('one', body.length) + body);
    expect(answer).toMatch(/^HTTP\/1\.1 400 .*"code":"ARGUMENT_VALIDATION_ERROR"/s);
  });
});

describe('a form that the parser does not end is refused', () => {
  const large = () => `${part('file', 'x'.repeat(LARGE_BYTES))}--b--\r\n`;
  const sendLarge = async (): Promise<string> => {
    const body = large();
    return await sendRaw(withoutEnd.url, requestHead('one', body.length) + body);
  };
  const disconnect = async (): Promise<void> => {
    const body = large();
    const socket = open(withoutEnd.url);
    await new Promise<void>((resolve) => socket.write(requestHead('one', body.length) + body, () => resolve()));
    socket.destroy();
    await once(socket, 'close');
  };
  const uploadAsJson = async (merchant: Merchant): Promise<number> => {
    const picture = await noise((width += 1), 10)
      .png()
      .toBuffer();
    const { status } = await fetch(`${withoutEnd.url}${uploadPath}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${merchant}`, 'content-type': 'application/json' },
      body: inputOf(merchant, { base64: picture.toString('base64') }),
    });
    return status;
  };

  it('with the reason', async () => {
    const body = `${part('input', '{}')}--b--\r\n`;
    const answer = await sendRaw(withoutEnd.url, requestHead('one', body.length) + body);
    expect(answer).toMatch(/^HTTP\/1\.1 400 .*"The form could not be read: .*"code":"ARGUMENT_VALIDATION_ERROR"/s);
  });

  it('while another merchant uploads, and its memory is free again', async () => {
    const sending = Promise.all([1, 2, 3].map(sendLarge));
    expect(await uploadAsJson('another')).toBe(200);
    for (const answer of await sending) expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(await sendLarge()).toMatch(/^HTTP\/1\.1 400 /);
    expect(await uploadAsJson('one')).toBe(200);
  });

  it('and its memory is free again after its client has disconnected', async () => {
    await Promise.all([1, 2, 3].map(disconnect));
    expect(await sendLarge()).toMatch(/^HTTP\/1\.1 400 /);
  });
});

/** Longer than the chunks that the server joins. */
const longNote = part('note', 'x'.repeat(5_000));

describe('a form is accepted', () => {
  it.each([
    ['without a line break after its end', [], []],
    ['with the line break after its end in a packet of its own', [], ['\r\n']],
    ['with text after its end in packets of their own', [], ['\r\n', 'text', '\r\n']],
    ['with the line breaks after its headers in two packets', ['\r', '\n\r\n'], []],
  ])('%s', async (_, [before = '\r\n\r\n', after = ''], rest) => {
    const picture = await noise((width += 1), 10)
      .png()
      .toBuffer();
    const input = part('input', inputOf('one'));
    const last = '--b\r\ncontent-disposition: form-data; filename="a"; name=file';
    const packets = [
      Buffer.from(`${longNote}${input}${last}${before}`),
      Buffer.concat([Buffer.from(after), picture, Buffer.from(`\r\n${longNote}--b--`)]),
      ...rest.map((text) => Buffer.from(text)),
    ];
    expect(await sendPackets(packets)).toMatch(/^HTTP\/1\.1 200 /);
  });

  async function sendPackets(packets: Buffer[]): Promise<string> {
    const socket = open(server.url).setNoDelay();
    const answered = once(socket, 'data') as Promise<[Buffer]>;
    socket.write(requestHead('one', Buffer.concat(packets).length));
    for (const packet of packets) {
      socket.write(packet);
      await wait(PACKET_INTERVAL_MS);
    }
    const [answer] = await answered;
    socket.destroy();
    return answer.toString();
  }
});
