import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Received = {
  id: string;
  path: string;
  body: Record<string, unknown>;
  headers: IncomingMessage['headers'];
  atMs: number;
};

/** An HTTP receiver on loopback that records its requests and sends the given response. */
export async function openReceiver(
  answer: (received: Received, response: ServerResponse) => void = (_, response) => response.writeHead(200).end(),
) {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request
      .setEncoding('utf8')
      .on('data', (chunk: string) => (text += chunk))
      .on('end', () => {
        const body = JSON.parse(text) as Record<string, unknown>;
        const one = { id: String(body.id), path: request.url!, body, headers: request.headers, atMs: Date.now() };
        received.push(one);
        answer(one, response);
      });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    received,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Waits until `read` returns an expected state. The error has the last state. */
export async function until<T>(
  read: () => Promise<T> | T,
  holds: (value: T) => boolean,
  withinMs = 15_000,
): Promise<T> {
  const endsAtMs = Date.now() + withinMs;
  for (;;) {
    const value = await read();
    if (holds(value)) return value;
    if (Date.now() > endsAtMs) throw new Error(`did not come about: ${JSON.stringify(value)?.slice(0, 1_000)}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
