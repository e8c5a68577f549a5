import { createConnection, type Socket } from 'node:net';

/** TCP asks the other end's machine whether it is still there; ten times, a second apart, before it gives up. */
export const KEEP_ALIVE_AFTER_S = 4;

/** Where the driver wants to connect to. */
type Target = { host: string[]; port: number[]; path?: string | false };

/**
 * The sockets of one client of the driver, which has one connection at a time and opens another to cancel a statement.
 * Knows since when they have been silent.
 */
export class ClientSockets {
  readonly #open = new Set<Socket>();
  #opened = 0;
  #bytesRead = 0;
  #heardAtMs = performance.now();

  /** For the driver's setting `socket`. */
  readonly connect = ({ host, port, path }: Target): Socket => {
    const place = this.#opened++ % host.length;
    const to = path ? { path } : { host: host[place]!, port: port[place]! };
    const socket = createConnection({ ...to, keepAlive: true, keepAliveInitialDelay: KEEP_ALIVE_AFTER_S * 1_000 });
    this.#open.add(socket.once('close', () => this.#open.delete(socket)));
    // The driver checks a certificate against this name.
    return Object.assign(socket, { host: host[place], port: port[place] });
  };

  /** When the last byte arrived, as far as calls of this method can tell. */
  updateLastReadMs(nowMs: number): number {
    const bytesRead = this.#countRead();
    if (bytesRead !== this.#bytesRead) this.#heardAtMs = nowMs;
    this.#bytesRead = bytesRead;
    return this.#heardAtMs;
  }

  get heardAtMs(): number {
    return this.#heardAtMs;
  }

  /** Fails what waits for an answer. The driver opens another connection when it needs one. */
  destroy(): void {
    for (const socket of this.#open)
      socket.destroy(Object.assign(new Error('Postgres did not answer.'), { code: 'ETIMEDOUT' }));
  }

  #countRead(): number {
    let bytes = 0;
    for (const { bytesRead } of this.#open) bytes += bytesRead;
    return bytes;
  }
}
