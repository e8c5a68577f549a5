import { createConnection, type Socket } from 'node:net';

/** TCP keep-alive: first probe after this many idle seconds. The kernel gives up after ten probes, one second apart. */
export const KEEP_ALIVE_AFTER_S = 4;

/** The address that the driver connects to. */
type Target = { host: string[]; port: number[]; path?: string | false };

/**
 * Sockets of one driver client. The driver has one connection per client and opens a second one to cancel a
 * statement. Records when data was last received.
 */
export class ClientSockets {
  readonly #open = new Set<Socket>();
  #opened = 0;
  #bytesRead = 0;
  #heardAtMs = performance.now();

  /** Passed to the driver as its `socket` option. */
  readonly connect = ({ host, port, path }: Target): Socket => {
    const place = this.#opened++ % host.length;
    const to = path ? { path } : { host: host[place]!, port: port[place]! };
    const socket = createConnection({ ...to, keepAlive: true, keepAliveInitialDelay: KEEP_ALIVE_AFTER_S * 1_000 });
    this.#open.add(socket.once('close', () => this.#open.delete(socket)));
    // The driver verifies the TLS certificate against this host.
    return Object.assign(socket, { host: host[place], port: port[place] });
  };

  /** Returns the time at which received bytes were last seen. Its precision is the interval between calls. */
  updateLastReadMs(nowMs: number): number {
    const bytesRead = this.#countRead();
    if (bytesRead !== this.#bytesRead) this.#heardAtMs = nowMs;
    this.#bytesRead = bytesRead;
    return this.#heardAtMs;
  }

  get heardAtMs(): number {
    return this.#heardAtMs;
  }

  /** Rejects pending statements with ETIMEDOUT. The driver reconnects when it needs a connection. */
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
