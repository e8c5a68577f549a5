import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { CoalescingRequest } from '../../../src/http/server/coalescing-request.ts';
import { open, sendRaw } from '../../support/raw.ts';

const CRLF = Buffer.from('\r\n');
const BLOCK_BYTES = 4_096;
const HEAD = 'POST / HTTP/1.1\r\nHost: x\r\n';
const CHUNKED_HEAD = `${HEAD}Transfer-Encoding: chunked\r\n\r\n`;
const UNREAD_BYTES = 300_000;
/** What Node buffers of a body that nobody reads, with a last read of a socket and an incomplete block. */
const MAX_UNREAD_BYTES = 128 * 1024;

let server: Server;
const sockets: Socket[] = [];
afterEach(() => {
  sockets.splice(0).forEach((socket) => socket.destroy());
  server.closeAllConnections();
  server.close();
});

type Handler = (request: IncomingMessage, response: ServerResponse) => unknown;

async function start(handle: Handler): Promise<string> {
  server = createServer({ IncomingMessage: CoalescingRequest }, (request, response) => void handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A body in HTTP chunks of these lengths. */
function chunked(lengths: number[]): { body: Buffer; sent: Buffer } {
  const chunks = lengths.map((length, index) => Buffer.alloc(length, String.fromCodePoint(97 + (index % 26))));
  const framed = chunks.map((chunk) => Buffer.concat([Buffer.from(`${chunk.length.toString(16)}\r\n`), chunk, CRLF]));
  return { body: Buffer.concat(chunks), sent: Buffer.concat([...framed, Buffer.from('0\r\n\r\n')]) };
}

describe('the body of a request', () => {
  it('arrives exactly, in buffers of at least a block except the last', async () => {
    let received: Buffer[] = [];
    const url = await start((request, response) => {
      received = [];
      request.on('data', (chunk: Buffer) => received.push(chunk)).on('end', () => response.end());
    });
    const length = fc.oneof(
      fc.integer({ min: 1, max: 200 }),
      fc.constantFrom(BLOCK_BYTES - 1, BLOCK_BYTES, BLOCK_BYTES + 1, 2 * BLOCK_BYTES, 20_000),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(length, { minLength: 1, maxLength: 150 }), async (lengths) => {
        const { body, sent } = chunked(lengths);
        await sendRaw(url, Buffer.concat([Buffer.from(CHUNKED_HEAD), sent]));
        expect(Buffer.concat(received).equals(body)).toBe(true);
        expect(received.slice(0, -1).filter((chunk) => chunk.length < BLOCK_BYTES)).toEqual([]);
      }),
      { numRuns: 40 },
    );
  });

  it('arrives in one buffer if it has one chunk', async () => {
    const buffers: string[] = [];
    const url = await start((request, response) => {
      request.on('data', (chunk: Buffer) => buffers.push(chunk.toString())).on('end', () => response.end());
    });
    await sendRaw(url, `${HEAD}Content-Length: 5\r\n\r\nhello`);
    expect(buffers).toEqual(['hello']);
  });

  it.each([
    ['empty', `${HEAD}Content-Length: 0\r\n\r\n`, ''],
    ['of HTTP/1.0', 'POST / HTTP/1.0\r\nContent-Length: 2\r\n\r\nhi', 'hi'],
    ['with trailers', `${CHUNKED_HEAD}2\r\nhi\r\n0\r\nx-trailer: 1\r\n\r\n`, 'hi'],
    ['after 100 Continue', `${HEAD}Expect: 100-continue\r\nConnection: close\r\nContent-Length: 2\r\n\r\nhi`, 'hi'],
  ])('arrives: %s', async (_, bytes, body) => {
    let received: Buffer | undefined;
    const url = await start(async (request, response) => {
      received = await buffer(request);
      response.end();
    });
    await sendRaw(url, bytes);
    await vi.waitUntil(() => received);
    expect(received!.toString()).toBe(body);
  });

  it('of each of several requests on one connection arrives', async () => {
    const received: string[] = [];
    const url = await start(async (request, response) => {
      received.push((await buffer(request)).toString());
      response.end();
    });
    await sendRaw(url, `${CHUNKED_HEAD}1\r\na\r\n1\r\nb\r\n0\r\n\r\n`.repeat(3));
    await vi.waitUntil(() => received.length === 3);
    expect(received).toEqual(['ab', 'ab', 'ab']);
  });

  it('ends with an error if the client disconnects', async () => {
    const failure = Promise.withResolvers<Error>();
    const url = await start((request) => request.on('error', failure.resolve).resume());
    const socket = open(url);
    socket.write(`${CHUNKED_HEAD}1\r\na\r\n`, () => socket.destroy());
    expect((await failure.promise).message).toBe('aborted');
  });

  it.each([1, 3, 5_000])('in chunks of %i bytes is not read further than needed, and arrives later', async (length) => {
    const unread = Promise.withResolvers<IncomingMessage>();
    const received = Promise.withResolvers<Buffer>();
    const url = await start((request) => unread.resolve(request));
    const { body, sent } = chunked(Array.from({ length: Math.ceil(UNREAD_BYTES / length) }, () => length));
    sockets.push(open(url).on('error', () => {}));
    sockets[0]!.write(CHUNKED_HEAD);
    sockets[0]!.write(sent);
    const request = await unread.promise;
    await vi.waitUntil(() => request.readableLength >= request.readableHighWaterMark, { timeout: 20_000 });
    expect(request.readableLength).toBeLessThan(MAX_UNREAD_BYTES);
    expect(request.complete).toBe(false);
    buffer(request).then(received.resolve, received.reject);
    expect((await received.promise).equals(body)).toBe(true);
  });
});
