import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { decodeImage, MAX_IMAGE_BYTES } from '../../src/image/decode.ts';
import { openDecoder } from '../../src/image/decoder.ts';
import { fetchImage } from '../../src/image/fetch-image.ts';
import { openOutbound } from '../../src/outbound/outbound.ts';
import { listenHttp } from '../outbound/receiver.ts';
import { silent } from './log.ts';
import { picture } from './pictures.ts';

const path = ['productImage', 'url'];
const decoder = openDecoder(silent);
let slow: ReturnType<typeof fetchSlowly>;
beforeAll(() => void (slow = fetchSlowly()));
afterAll(() => decoder.close());

const refused = (message: RegExp) => ({
  code: 'ARGUMENT_VALIDATION_ERROR',
  extensions: { issues: [{ path, message: expect.stringMatching(message) }] },
});
const jpeg = await picture(30, 20).jpeg().toBuffer();

describe('a picture behind an address', () => {
  it.each(['image/jpeg', 'text/html', 'application/octet-stream', 'image/svg+xml'])(
    'is accepted with the content type %s',
    async (contentType) => {
      const url = await serve(respond(200, jpeg, [`content-type: ${contentType}`]));
      expect(await fetchAt(url)).toEqual(jpeg);
    },
  );

  it('is accepted without content type and length', async () => {
    const url = await serve((socket) =>
      socket.end(Buffer.concat([Buffer.from('HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n'), jpeg])),
    );
    expect(await fetchAt(url)).toEqual(jpeg);
  });

  it('is accepted after three redirects, and not after four', async () => {
    const url = await serve((socket, text) => {
      const left = Number(/GET \/(\d)/.exec(text)![1]);
      respond(left === 0 ? 200 : 302, left === 0 ? jpeg : Buffer.alloc(0), [`location: /${left - 1}`])(socket);
    });
    expect(await fetchAt(`${url}3`)).toEqual(jpeg);
    await expect(fetchAt(`${url}4`)).rejects.toMatchObject(refused(/could not be fetched: too many redirects/));
  });

  it('is accepted with 20 MB, and refused with one byte more', async () => {
    const url = await serve((socket, text) =>
      respond(200, Buffer.alloc(text.includes('GET /more') ? MAX_IMAGE_BYTES + 1 : MAX_IMAGE_BYTES))(socket),
    );
    expect(await fetchAt(url)).toHaveLength(MAX_IMAGE_BYTES);
    await expect(fetchAt(`${url}more`)).rejects.toMatchObject(refused(/at most 20 MB/));
  });

  // docs/reliability-tests.md: 64
  it('is given up at 20 MB, however much the server would send', async () => {
    let sent = 0;
    const url = await serve((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n');
      const chunk = Buffer.alloc(1_000_000);
      const pour = () => {
        while (!socket.destroyed && socket.write(chunk)) sent += chunk.length;
        sent += chunk.length;
      };
      socket.on('drain', pour);
      pour();
    });
    await expect(fetchAt(url)).rejects.toMatchObject(refused(/at most 20 MB/));
    expect(sent).toBeLessThan(40_000_000);
  });

  it.each([201, 204, 206, 304, 400, 401, 403, 404, 410, 429, 500, 503])('is refused with status %i', async (status) => {
    const url = await serve(respond(status, status === 204 || status === 304 ? Buffer.alloc(0) : jpeg));
    await expect(fetchAt(url)).rejects.toMatchObject(refused(new RegExp(`could not be fetched: status ${status}`)));
  });

  it('is refused if the answer is incomplete', async () => {
    const url = await serve((socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\nhalf'));
    await expect(fetchAt(url)).rejects.toMatchObject(refused(/could not be fetched/));
  });

  it('is refused if there is no answer', async () => {
    await expect(fetchAt('http://127.0.0.1:1/')).rejects.toMatchObject(
      refused(/must not use the port 1|could not be fetched/),
    );
  });
});

describe('a file that is not a picture', () => {
  it.each([
    ['a page that says it is a picture', Buffer.from('<!doctype html><title>Not found</title>'), []],
    ['a picture that is compressed', gzipSync(jpeg), ['content-encoding: gzip']],
    ['a bomb of compressed zeros', gzipSync(Buffer.alloc(100_000_000)), ['content-encoding: gzip']],
  ])('is fetched and then refused: %s', async (_, body, headers) => {
    const url = await serve(respond(200, body, ['content-type: image/jpeg', ...headers]));
    const bytes = await fetchAt(url);
    expect(bytes).toEqual(body);
    await expect(decodeImage({ merchantId: 'a', decoder }, bytes, path)).rejects.toMatchObject(
      refused(/must be a JPEG/),
    );
  });
});

// docs/reliability-tests.md: 64
describe('a forbidden address is not requested:', () => {
  it.each([
    ['file:///etc/passwd', /must start with https:/],
    ['ftp://example.com/a.png', /must start with https:/],
    ['data:image/png;base64,aGVsbG8=', /must start with https:/],
    ['javascript:alert(1)', /must start with https:/],
    ['http://example.com/a.png', /must start with https:/],
    ['https://user:password@example.com/a.png', /must not contain a user name/],
    ['https://127.0.0.1/a.png', /must not point to a private/],
    ['https://[::1]/a.png', /must not point to a private/],
    ['https://169.254.169.254/latest/meta-data', /must not point to a private/],
    ['https://metadata.google.internal/', /must not point to a private/],
    ['https://localhost/a.png', /must not point to a private/],
    ['not an address', /must/],
    [`https://example.com/${'a'.repeat(2_100)}`, /at most 2048 characters/],
  ])('%s', async (url, message) => {
    await expect(fetchAt(url, { allowHttp: false, allowPrivate: false })).rejects.toMatchObject(refused(message));
  });
});

// docs/reliability-tests.md: 64
it('is given up after ten seconds, also if bytes arrive from time to time', async () => {
  const { error, tookMs } = await slow;
  expect(error).toMatchObject(refused(/could not be fetched: timeout/));
  expect(Math.abs(tookMs - 10_000)).toBeLessThan(5_000);
});

/** Begins with the first test, so that the others run while it waits. */
async function fetchSlowly(): Promise<{ error: unknown; tookMs: number }> {
  const server = createServer((socket) => {
    socket.write('HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n');
    const timer = setInterval(() => socket.write('x'), 200);
    socket.on('error', () => {}).on('close', () => clearInterval(timer));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const outbound = openOutbound({ allowHttp: true, allowPrivate: true });
  const startedMs = performance.now();
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const error = await fetchImage(outbound, url, path).catch((error: unknown) => error);
  outbound.close();
  server.close();
  return { error, tookMs: performance.now() - startedMs };
}

function fetchAt(url: string, policy = { allowHttp: true, allowPrivate: true }): Promise<Buffer> {
  const outbound = openOutbound(policy);
  onTestFinished(() => outbound.close());
  return fetchImage(outbound, url, path);
}

async function serve(answer: (socket: Socket, requestText: string) => void): Promise<string> {
  const { port } = await listenHttp(answer);
  return `http://127.0.0.1:${port}/`;
}

function respond(status: number, body: Buffer, headers: string[] = []): (socket: Socket) => void {
  const head = [`HTTP/1.1 ${status} Answer`, `content-length: ${body.length}`, ...headers].join('\r\n');
  return (socket) => socket.write(Buffer.concat([Buffer.from(`${head}\r\n\r\n`), body]));
}
