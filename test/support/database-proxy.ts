import { type AddressInfo, createConnection, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

type Mode = 'serving' | 'stalled' | 'silent' | 'refusing';

/** The connection of a client, and the one to the server for it. */
type Pair = { near: Socket; far: Socket; isDead: boolean; isAnswered: boolean };

/**
 * A TCP proxy between the service and PostgreSQL that can cut, delay, stall and silence connections, as a
 * network does. The service gets `url` as its `DATABASE_URL`.
 */
export class DatabaseProxy {
  readonly url: string;
  readonly #server: Server;
  readonly #pairs = new Set<Pair>();
  /**
   * Connections that were accepted without an answer, or that are open on the server after the client has closed them.
   */
  readonly #leftOpen = new Set<Socket>();
  #target: URL;
  #mode: Mode = 'serving';
  #delayMs = 0;
  #roundTrips = 0;
  #stallAfter: string | null = null;
  /** Resolves when bytes are passed on again. */
  #flowing = Promise.resolve();
  #letFlow = (): void => {};

  private constructor(databaseUrl: string, server: Server) {
    this.#target = new URL(databaseUrl);
    const { port } = server.address() as AddressInfo;
    this.url = Object.assign(new URL(databaseUrl), { hostname: '127.0.0.1', port: String(port) }).href;
    this.#server = server.on('connection', (near: Socket) => this.#accept(near));
  }

  static async open(databaseUrl: string): Promise<DatabaseProxy> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new DatabaseProxy(databaseUrl, server);
  }

  get connections(): number {
    return this.#pairs.size;
  }

  /** How often a client has sent something after an answer, or as the first. */
  get roundTrips(): number {
    return this.#roundTrips;
  }

  /** Leads new connections to another server, as a name does after a failover. Open ones stay. */
  switchTo(databaseUrl: string): void {
    this.#target = new URL(databaseUrl);
  }

  /** Closes all connections. New ones are served. */
  cut(): void {
    for (const { near, far } of this.#pairs) for (const socket of [near, far]) socket.destroy();
  }

  /** Delays every byte by this time, in both directions. */
  delay(ms: number): void {
    this.#delayMs = ms;
  }

  /** Holds all bytes back until `heal`. */
  stall(): void {
    this.#mode = 'stalled';
    this.#flowing = new Promise((resolve) => (this.#letFlow = resolve));
  }

  /** Holds all bytes back until `heal` as soon as a client has sent a message with this text, which is passed on. */
  stallAfter(text: string): void {
    this.#stallAfter = text;
  }

  /**
   * Open connections pass on no more bytes, also after `heal`, and PostgreSQL is not told that a client has closed one.
   * New connections get no answer.
   */
  silence(): void {
    this.#mode = 'silent';
    for (const pair of this.#pairs) pair.isDead = true;
  }

  /** Closes all connections, and every new one. */
  refuse(): void {
    this.#mode = 'refusing';
    this.cut();
  }

  /** Serves new connections, and continues stalled ones. */
  heal(): void {
    this.#mode = 'serving';
    this.#delayMs = 0;
    this.#stallAfter = null;
    this.#letFlow();
  }

  async close(): Promise<void> {
    this.heal();
    this.cut();
    for (const socket of this.#leftOpen) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #accept(near: Socket): void {
    if (this.#mode === 'refusing') return void near.destroy();
    if (this.#mode === 'silent') return this.#leaveOpen(near);
    const { hostname, port } = this.#target;
    const pair = { near, far: createConnection(Number(port), hostname), isDead: false, isAnswered: true };
    this.#pairs.add(pair);
    this.#forward(pair, near, pair.far);
    this.#forward(pair, pair.far, near);
  }

  #forward(pair: Pair, from: Socket, to: Socket): void {
    let sent = Promise.resolve();
    from.setNoDelay().on('data', (chunk: Buffer) => {
      if (from === pair.near && pair.isAnswered) this.#roundTrips += 1;
      pair.isAnswered = from === pair.far;
      const due = Promise.all([sent, this.#delayMs > 0 && wait(this.#delayMs), this.#flowing]);
      sent = due.then(() => void (!pair.isDead && to.write(chunk)));
      if (this.#stallAfter !== null && from === pair.near && chunk.includes(this.#stallAfter)) this.stall();
    });
    from
      .on('error', () => undefined)
      .on('close', () => {
        this.#pairs.delete(pair);
        if (pair.isDead) this.#leaveOpen(to);
        else void sent.then(() => to.destroy());
      });
  }

  #leaveOpen(socket: Socket): void {
    this.#leftOpen.add(socket.on('error', () => undefined).on('close', () => this.#leftOpen.delete(socket)));
  }
}
