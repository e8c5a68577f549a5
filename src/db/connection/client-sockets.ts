import { createConnection, type Socket } from 'node:net';

/** TCP keep-alive: first probe after this many idle seconds. The kernel gives up after ten probes, one second apart. */
export const KEEP_ALIVE_AFTER_S = 4;

/** The address that the driver connects to. */
type Target = { host: string[]; port: number[]; path?: string | false };

/**
 * Sockets of one driver client. The driver has one connection per client and opens a second one to cancel a
 * statement. Records when data was last received on the first of them, the connection itself.
 */
export class ClientSockets {
  /**
   * In the order in which they were opened. Closed sockets stay in the list until it is next read: with TLS the driver
   * removes all listeners, so that no event tells of the end.
   */
  #sockets: readonly Socket[] = [];
  #opened = 0;
  #bytesRead = 0;
  #heardAtMs = performance.now();

  /** Passed to the driver as its `socket` option. */
  readonly connect = async ({ host, port, path }: Target): Promise<Socket> => {
    // The driver adds its listeners some microtasks later. A socket that is created in a microtask emits nothing before
    // all of them have run; otherwise the error of one that fails at once would be uncaught, and end the process.
    await Promise.resolve();
    const place = this.#opened++ % host.length;
    const to = path ? { path } : { host: host[place]!, port: port[place]! };
    const socket = createConnection({ ...to, keepAlive: true, keepAliveInitialDelay: KEEP_ALIVE_AFTER_S * 1_000 });
    this.#sockets = [...this.#open(), socket];
    // The driver verifies the TLS certificate against this host.
    return Object.assign(socket, { host: host[place], port: port[place] });
  };

  /** Returns the time at which received bytes were last seen. Its precision is the interval between calls. */
  updateLastReadMs(nowMs: number): number {
    // A cancel request opens a second socket, whose bytes do not show that the connection of the statement works.
    const bytesRead = this.#open()[0]?.bytesRead ?? 0;
    if (bytesRead !== this.#bytesRead) this.#heardAtMs = nowMs;
    this.#bytesRead = bytesRead;
    return this.#heardAtMs;
  }

  get heardAtMs(): number {
    return this.#heardAtMs;
  }

  /** Rejects pending statements with ETIMEDOUT. The driver reconnects when it needs a connection. */
  destroy(): void {
    for (const socket of this.#open())
      socket.destroy(Object.assign(new Error('Postgres did not answer.'), { code: 'ETIMEDOUT' }));
  }

  #open(): Socket[] {
    return this.#sockets.filter(({ destroyed }) => !destroyed);
  }
}
