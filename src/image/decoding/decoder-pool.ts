import type { ChildProcess } from 'node:child_process';
import type { Logger } from '../../context.ts';
import { CommerceError } from '../../errors.ts';
import { DecodeQueue, type QueuedJob } from './decode-queue.ts';
import {
  type Decoded,
  type DecoderChild,
  type DecoderTask,
  exchange,
  type LimitFactors,
  type Result,
  startChild,
} from './decoder-child.ts';

/** One process is reserved for small pictures of merchants with nothing running, which do not wait for costly ones. */
const PROCESSES = 3;
const PROCESSES_PER_MERCHANT = 2;
const MAX_WAITING_JOBS = 1_024;
const MAX_WAITING_BYTES = 128 * 1024 * 1024;
/** For hanging processes. The process itself limits the CPU time of a picture. */
const TASK_TIMEOUT_MS = 120_000;
const RETIRE_ABOVE_BYTES = 256_000_000;
const ATTEMPTS_PER_TASK = 2;

export type PoolSettings = { processes?: number; taskTimeoutMs?: number; retireAboveBytes?: number } & LimitFactors;

/**
 * `bytes` is the memory held while the request waits. `isShort`: whether the picture takes little time. `task` is called
 * when a process is free.
 */
export type DecodeRequest = {
  readonly merchantId: string;
  readonly bytes: number;
  readonly isShort: boolean;
  readonly task: () => Promise<DecoderTask>;
};

/** Pictures that are decoded, and that wait for a process. */
export type DecoderCounts = { readonly running: number; readonly waiting: number };

type Job = QueuedJob & {
  readonly task: () => Promise<DecoderTask>;
  readonly resolve: (decoded: Decoded<Result>) => void;
  readonly reject: (error: unknown) => void;
};
type Slot = { isBusy: boolean; child: DecoderChild | undefined };

/**
 * Decoder processes behind a fair queue. All processes start with the first picture, and a retired one is restarted at
 * once, because starting takes longer than decoding a small picture.
 */
export class DecoderPool {
  readonly #log: Logger;
  readonly #settings: PoolSettings;
  readonly #slots: Slot[];
  readonly #queue: DecodeQueue<Job>;
  #isClosed = false;

  constructor(log: Logger, settings: PoolSettings) {
    const processes = settings.processes ?? PROCESSES;
    this.#log = log;
    this.#settings = settings;
    this.#slots = Array.from({ length: processes }, () => ({ isBusy: false, child: undefined }));
    this.#queue = new DecodeQueue({
      running: processes,
      runningPerMerchant: Math.min(PROCESSES_PER_MERCHANT, processes),
      waiting: MAX_WAITING_JOBS,
      waitingBytes: MAX_WAITING_BYTES,
    });
  }

  get counts(): DecoderCounts {
    return { running: this.#slots.filter(({ isBusy }) => isBusy).length, waiting: this.#queue.waiting };
  }

  /** Throws SERVICE_UNAVAILABLE if the queue is full. */
  async decode({ merchantId, bytes, isShort, task }: DecodeRequest): Promise<Decoded<Result>> {
    if (this.#isClosed) throw tooManyWait();
    const { promise, resolve, reject } = Promise.withResolvers<Decoded<Result>>();
    this.#queue.push({
      owner: merchantId,
      weight: 1,
      bytes,
      isShort,
      task,
      resolve,
      reject,
      refuse: () => reject(tooManyWait()),
    });
    this.#startJobs();
    this.#queue.trim();
    for (const slot of this.#slots) if (!slot.isBusy) slot.child ??= startChild({ inAdvance: true });
    return await promise;
  }

  close(): void {
    this.#isClosed = true;
    this.#queue.clear();
    for (const { child } of this.#slots) child?.process?.kill('SIGKILL');
  }

  #startJobs(): void {
    for (let slot = this.#idleSlot(); slot; slot = this.#idleSlot()) {
      const job = this.#queue.next();
      if (!job) return;
      void this.#run(slot, job);
    }
  }

  #idleSlot(): Slot | undefined {
    return this.#slots.find(({ isBusy }) => !isBusy);
  }

  async #run(slot: Slot, job: Job): Promise<void> {
    slot.isBusy = true;
    await job
      .task()
      .then(async (task) => await this.#decodeIn(slot, task))
      .then(job.resolve, job.reject);
    // The restart after a costly picture still counts against that picture's merchant.
    await slot.child?.ready.catch(() => undefined);
    slot.isBusy = false;
    this.#queue.done(job);
    this.#startJobs();
  }

  /** Replaces a child that has ended while it was idle. */
  async #runningChild(slot: Slot): Promise<ChildProcess> {
    if (this.#isClosed) throw tooManyWait();
    if (!slot.child?.process?.connected) slot.child = startChild({ inAdvance: false });
    await slot.child.ready;
    return slot.child.process!;
  }

  /** Restarts the process to free the memory that its allocator keeps. */
  #retire(slot: Slot, child: ChildProcess): void {
    if (child.connected) child.disconnect();
    slot.child = this.#isClosed ? undefined : startChild({ inAdvance: true });
  }

  // One dead child may have another cause. After two in a row the picture is blamed, unless they were killed because
  // memory is short.
  async #decodeIn(slot: Slot, task: DecoderTask): Promise<Decoded<Result>> {
    const {
      taskTimeoutMs = TASK_TIMEOUT_MS,
      retireAboveBytes = RETIRE_ABOVE_BYTES,
      cpuFactor = 1,
      memoryFactor = 1,
    } = this.#settings;
    let wasKilled = false;
    for (let attempts = 1; attempts <= ATTEMPTS_PER_TASK; attempts += 1) {
      const child = await this.#runningChild(slot);
      const outcome = await exchange(child, { ...task, cpuFactor, memoryFactor }, taskTimeoutMs);
      if (typeof outcome !== 'string') {
        if (outcome.isLast || outcome.residentBytes > retireAboveBytes) this.#retire(slot, child);
        return outcome;
      }
      slot.child = undefined;
      this.#log.warn(
        { attempts, taskTimeoutMs, exitCode: child.exitCode, signal: child.signalCode },
        `image decoder ${outcome}`,
      );
      if (outcome === 'took too long')
        throw new CommerceError('SERVICE_UNAVAILABLE', 'The picture was not decoded in time; try again later.');
      wasKilled = child.signalCode === 'SIGKILL';
    }
    if (wasKilled)
      throw new CommerceError(
        'SERVICE_UNAVAILABLE',
        'There was not enough memory to decode the picture; try again later.',
      );
    return { problem: 'is damaged or not a picture that can be read' };
  }
}

function tooManyWait(): CommerceError {
  return new CommerceError('SERVICE_UNAVAILABLE', 'Too many pictures are waiting to be decoded; try again later.');
}
