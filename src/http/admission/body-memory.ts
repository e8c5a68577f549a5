import type { FastifyReply, FastifyRequest } from 'fastify';
import { clientGone, FairLimiter, type FairLimits, type Release } from './fair-limiter.ts';

const CHECK_INTERVAL_MS = 250;
/** For so long a body has the memory for all of it, also while others wait. Most have arrived by then. */
const WHOLE_BODY_MS = 500;
/** How much more a slow body may send before it needs the memory for all of it again. */
const SLOW_WINDOW_BYTES = 256 * 1024;

export type BodyLimits = FairLimits & { maxBodyBytes: number };

/**
 * Divides the memory for bodies between merchants. A body is read when there is memory for all of it, and keeps what has
 * arrived until its request is executed and its response is sent. While others wait, a slow body gives back the memory
 * for what has not arrived: it sends a little more, then it is not read until there is memory for its rest. Slow bodies
 * together keep so little that another one has room, so that all arrive in turn.
 */
export class BodyMemory {
  readonly #limiter: FairLimiter;
  readonly #bodies = new WeakMap<FastifyRequest, ArrivingBody>();
  readonly #slowMax: number;
  #slowBytes = 0;

  constructor({ maxBodyBytes, ...limits }: BodyLimits) {
    this.#limiter = new FairLimiter(limits);
    this.#slowMax = limits.max - maxBodyBytes;
  }

  /** Resolves when the body may be read. `bytes`: its length, or the largest that is accepted. */
  async admit(bytes: number, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    // The client has disconnected during the look-up of its token: there will be no `close`.
    if (reply.raw.destroyed) throw clientGone();
    const body = new ArrivingBody(this, bytes, { request, reply });
    this.#bodies.set(request, body);
    reply.raw.once('close', () => body.close());
    await body.reserve();
    body.follow();
  }

  /** Runs work that needs the body. Until it has ended the body keeps its memory, also if the client disconnects. */
  async keepDuring<T>(request: FastifyRequest, work: () => Promise<T>): Promise<T> {
    const body = this.#bodies.get(request);
    return body ? await body.keepDuring(work) : await work();
  }

  get isWanted(): boolean {
    return this.#limiter.counts.waiting > 0;
  }

  async acquire(bytes: number, { request, reply }: Exchange, heldBytes: number): Promise<Release> {
    request.isBodyUnread = true;
    try {
      return await this.#limiter.acquire(request.session, bytes, reply.raw, heldBytes);
    } finally {
      request.isBodyUnread = false;
    }
  }

  /** Whether a slow body may keep so many bytes. */
  keepSlow(bytes: number): boolean {
    if (this.#slowBytes + bytes > this.#slowMax) return false;
    this.#slowBytes += bytes;
    return true;
  }

  endSlow(bytes: number): void {
    this.#slowBytes -= bytes;
  }
}

type Exchange = { request: FastifyRequest; reply: FastifyReply };
/** Memory that was reserved at once, for the bytes of the body from the first on. */
type Reserved = { readonly first: number; readonly release: Release };

class ArrivingBody {
  readonly #memory: BodyMemory;
  readonly #bytes: number;
  readonly #exchange: Exchange;
  readonly #reserved: Reserved[] = [];
  #reservedBytes = 0;
  #reservedAtMs = 0;
  #arrivedBytes = 0;
  /** What it keeps as a slow body; 0 while it has the memory for all of it. */
  #slowBytes = 0;
  #isNeeded = false;
  #isClosed = false;
  #isEnded = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(memory: BodyMemory, bytes: number, exchange: Exchange) {
    this.#memory = memory;
    this.#bytes = bytes;
    this.#exchange = exchange;
  }

  /** Waits for the memory of all that has not arrived. */
  async reserve(): Promise<void> {
    const first = this.#reservedBytes;
    const release = await this.#memory.acquire(this.#bytes - first, this.#exchange, first);
    if (this.#isEnded) return release();
    this.#reserved.push({ first, release });
    this.#reservedBytes = this.#bytes;
    this.#reservedAtMs = performance.now();
    this.#endSlow();
  }

  /** Counts what arrives. Nothing is read before the body's reader resumes the stream. */
  follow(): void {
    const { raw } = this.#exchange.request;
    raw.pause();
    raw.on('data', (chunk: Buffer) => this.#arrived(chunk.length));
    raw.once('end', () => this.#keepArrived());
    this.#timer = setInterval(() => this.#giveBack(), CHECK_INTERVAL_MS).unref();
  }

  /** The response is sent, or the client has disconnected. */
  close(): void {
    this.#isClosed = true;
    if (!this.#isNeeded || !this.#exchange.request.raw.complete) this.#end();
  }

  async keepDuring<T>(work: () => Promise<T>): Promise<T> {
    this.#isNeeded = true;
    try {
      return await work();
    } finally {
      this.#isNeeded = false;
      if (this.#isClosed) this.#end();
    }
  }

  #end(): void {
    this.#isEnded = true;
    clearInterval(this.#timer);
    this.#endSlow();
    for (const { release } of this.#reserved) release();
  }

  #arrived(bytes: number): void {
    const isPaused = this.#arrivedBytes > this.#reservedBytes;
    this.#arrivedBytes += bytes;
    // Bytes that arrive after the response are discarded, and need no memory.
    if (!isPaused && !this.#isEnded && this.#arrivedBytes > this.#reservedBytes) void this.#reserveRest();
  }

  /** A body without Content-Length is mostly much shorter than it may be. */
  #keepArrived(): void {
    clearInterval(this.#timer);
    this.#endSlow();
    const last = this.#reserved.at(-1);
    last?.release(Math.max(0, this.#arrivedBytes - last.first));
  }

  async #reserveRest(): Promise<void> {
    const { raw } = this.#exchange.request;
    // The reader of a form resumes the stream whenever it has room.
    const pause = (): void => void raw.pause();
    raw.on('resume', pause).pause();
    try {
      await this.reserve();
    } catch (error) {
      // Without a reader an error of the stream would end the process.
      if (!this.#isEnded && raw.listenerCount('error') > 0) raw.emit('error', error);
    } finally {
      raw.off('resume', pause).resume();
    }
  }

  #giveBack(): void {
    const isWhole = performance.now() - this.#reservedAtMs < WHOLE_BODY_MS;
    if (isWhole || this.#slowBytes > 0 || !this.#memory.isWanted) return;
    const kept = this.#arrivedBytes + SLOW_WINDOW_BYTES;
    if (kept >= this.#bytes || !this.#memory.keepSlow(kept)) return;
    this.#slowBytes = kept;
    this.#reservedBytes = kept;
    const { first, release } = this.#reserved.at(-1)!;
    release(kept - first);
  }

  #endSlow(): void {
    this.#memory.endSlow(this.#slowBytes);
    this.#slowBytes = 0;
  }
}
