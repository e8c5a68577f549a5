import { connect, type Socket } from 'node:net';

/**
 * Sends bytes, and returns all bytes received until the server closes the connection, or shortly after the first
 * answer.
 */
export async function sendRaw(url: string, bytes: string | Buffer, { untilClosed = false } = {}): Promise<string> {
  const socket = open(url);
  const chunks: Buffer[] = [];
  return await new Promise((resolve, reject) => {
    const done = (): void => {
      socket.destroy();
      resolve(Buffer.concat(chunks).toString('latin1'));
    };
    socket.on('data', (chunk) => {
      chunks.push(Buffer.from(chunk));
      if (!untilClosed && /\r\n\r\n/.test(Buffer.concat(chunks).toString('latin1'))) setTimeout(done, 20);
    });
    socket.on('close', done);
    socket.on('error', (error: NodeJS.ErrnoException) =>
      error.code === 'ECONNRESET' || error.code === 'EPIPE' ? done() : reject(error),
    );
    socket.write(bytes);
  });
}

export function open(url: string): Socket {
  const { hostname, port } = new URL(url);
  return connect({ host: hostname, port: Number(port) });
}
