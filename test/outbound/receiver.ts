import { createServer, type AddressInfo, type Socket } from 'node:net';
import { afterEach } from 'vitest';

const open = new Set<() => Promise<void>>();

/** A TCP server on loopback that counts what reaches it. Closed after the test. */
export type Receiver = {
  readonly port: number;
  /** All connections accepted so far. */
  readonly connections: () => number;
  /** Connections open now. */
  readonly openSockets: () => number;
  readonly close: () => Promise<void>;
};

export async function listen(onConnection: (socket: Socket) => void): Promise<Receiver> {
  const sockets = new Set<Socket>();
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
    onConnection(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = async (): Promise<void> => {
    open.delete(close);
    sockets.forEach((socket) => socket.destroy());
    await new Promise((resolve) => server.close(resolve));
  };
  open.add(close);
  return {
    port: (server.address() as AddressInfo).port,
    connections: () => connections,
    openSockets: () => sockets.size,
    close,
  };
}

/** A receiver that calls `respond` when a complete request has arrived. */
export function listenHttp(respond: (socket: Socket, requestText: string) => void): Promise<Receiver> {
  return listen((socket) => {
    let text = '';
    socket.setEncoding('utf8').on('data', (chunk) => {
      text += chunk;
      if (isWhole(text)) {
        const whole = text;
        text = '';
        respond(socket, whole);
      }
    });
  });
}

afterEach(async () => {
  await Promise.all([...open].map((close) => close()));
});

function isWhole(text: string): boolean {
  const head = text.indexOf('\r\n\r\n');
  const length = Number(/^content-length: (\d+)/im.exec(text.slice(0, head))?.[1] ?? 0);
  return head !== -1 && Buffer.byteLength(text.slice(head + 4)) >= length;
}
