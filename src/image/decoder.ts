import { fork, type ChildProcess } from 'node:child_process';
import { setPriority } from 'node:os';
import { CommerceError } from '../errors.ts';
import type { Logger } from '../context.ts';
import type { Original } from './pixels.ts';
import type { ImageFormat } from './signature.ts';

const PROCESSES = 2;
const MAX_WAITING = 1_024;
const MAX_WAITING_BYTES = 128 * 1024 * 1024;
const START_TIMEOUT_MS = 10_000;
const TASK_TIMEOUT_MS = 10_000;
const RETIRE_ABOVE_BYTES = 256_000_000;
const ATTEMPTS_PER_TASK = 2;
const NICENESS = 10;
// Large blocks go back to the system when they are freed; otherwise its peak stays with the process.
const GLIBC_TUNING = { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '131072' };

export type OriginalTask = { readonly kind: 'original'; readonly bytes: Buffer; readonly format: ImageFormat };
export type RenditionTask = { readonly kind: 'rendition'; readonly bytes: Buffer; readonly width: number };
export type DecoderTask = OriginalTask | RenditionTask;

export type Result = Original | Uint8Array;
export type Decoded<T> = { readonly result: T } | { readonly problem: string };
export type DecoderReply = Decoded<Result> & { readonly residentBytes: number };

/** A task is decoded when its turn comes; a rendition's is asked for only then, so that it waits without its bytes. */
export type Decoder = {
  original(task: OriginalTask): Promise<Decoded<Original>>;
  rendition(task: () => Promise<RenditionTask>): Promise<Decoded<Uint8Array>>;
  close(): void;
};

export type DecoderSettings = { processes?: number; taskTimeoutMs?: number; retireAboveBytes?: number };

type Job = {
  readonly task: () => Promise<DecoderTask>;
  readonly waitingBytes: number;
  readonly resolve: (decoded: Decoded<Result>) => void;
  readonly reject: (error: unknown) => void;
};

type Slot = { busy: boolean; child: ChildProcess | undefined };
type Outcome = DecoderReply | 'died' | 'took too long';

/**
 * Decoding runs in child processes, not in threads: a picture that crashes libvips, hangs it or eats
 * its memory takes one child with it, which can be killed, and the service goes on. The children get
 * nothing of the environment, so there is no secret in them, and a lower priority than requests.
 */
export function openDecoder(log: Logger, settings: DecoderSettings = {}): Decoder {
  const slots: Slot[] = Array.from({ length: settings.processes ?? PROCESSES }, () => ({ busy: false, child: undefined }));
  const waiting: Job[] = [];
  let waitingBytes = 0;
  let closed = false;

  function enqueue(task: Job['task'], bytes: number): Promise<Decoded<Result>> {
    if (closed || waiting.length >= MAX_WAITING || waitingBytes + bytes > MAX_WAITING_BYTES) {
      return Promise.reject(unavailable());
    }
    const { promise, resolve, reject } = Promise.withResolvers<Decoded<Result>>();
    waiting.push({ task, waitingBytes: bytes, resolve, reject });
    waitingBytes += bytes;
    const slot = slots.find(({ busy }) => !busy);
    if (slot) {
      void drain(slot);
    }
    return promise;
  }
  async function drain(slot: Slot): Promise<void> {
    slot.busy = true;
    for (let job = waiting.shift(); job; job = waiting.shift()) {
      waitingBytes -= job.waitingBytes;
      await job.task().then((task) => decodeIn(slot, task, log, settings)).then(job.resolve, job.reject);
      if (closed) {
        slot.child?.kill('SIGKILL');
      }
    }
    slot.busy = false;
  }
  return {
    original: (task) => enqueue(async () => task, task.bytes.length) as Promise<Decoded<Original>>,
    rendition: (task) => enqueue(task, 0) as Promise<Decoded<Uint8Array>>,
    close() {
      closed = true;
      waiting.splice(0).forEach(({ reject }) => reject(unavailable()));
      slots.forEach(({ child }) => child?.kill('SIGKILL'));
    },
  };
}

function unavailable(): CommerceError {
  return new CommerceError('SERVICE_UNAVAILABLE', 'Too many pictures are waiting to be decoded; try again later.');
}

// A child may die for reasons of its own, as when memory is short; two in a row are the picture's doing.
async function decodeIn(slot: Slot, task: DecoderTask, log: Logger, settings: DecoderSettings): Promise<Decoded<Result>> {
  const { taskTimeoutMs = TASK_TIMEOUT_MS, retireAboveBytes = RETIRE_ABOVE_BYTES } = settings;
  for (let attempts = 1; attempts <= ATTEMPTS_PER_TASK; attempts += 1) {
    const child = slot.child?.connected ? slot.child : await startChild();
    slot.child = child;
    const outcome = await exchange(child, task, taskTimeoutMs);
    if (typeof outcome !== 'string') {
      retireIfGrown(slot, outcome.residentBytes > retireAboveBytes);
      return outcome;
    }
    slot.child = undefined;
    log.warn({ attempts, taskTimeoutMs, exitCode: child.exitCode, signal: child.signalCode }, `image decoder ${outcome}`);
    if (outcome === 'took too long') {
      return { problem: 'takes too long to decode' };
    }
  }
  return { problem: 'is damaged or not a picture that can be read' };
}

// The child never keeps this process alive; while something waits for it, the timer does.
async function startChild(): Promise<ChildProcess> {
  const child = fork(new URL('./decoder-process.ts', import.meta.url), {
    serialization: 'advanced',
    env: GLIBC_TUNING,
    execArgv: ['--expose-gc'],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  child.unref();
  child.channel?.unref();
  // A child that ended is noticed where it is used; without a listener its error would end this process.
  child.on('error', () => undefined);
  const first = await nextMessage(child, START_TIMEOUT_MS);
  if (first !== 'ready') {
    child.kill('SIGKILL');
    throw new Error('The image decoder did not start');
  }
  lowerPriority(child);
  return child;
}

function lowerPriority({ pid }: ChildProcess): void {
  try {
    setPriority(pid!, NICENESS);
  } catch {
    // It has just ended, or the platform has no priorities.
  }
}

async function exchange(child: ChildProcess, task: DecoderTask, timeoutMs: number): Promise<Outcome> {
  const answered = nextMessage(child, timeoutMs);
  child.send(task, () => undefined);
  const outcome = (await answered) as Outcome;
  if (typeof outcome === 'string') {
    child.kill('SIGKILL');
  }
  return outcome;
}

function nextMessage(child: ChildProcess, timeoutMs: number): Promise<unknown> {
  return new Promise((resolve) => {
    const timer = setTimeout(settle, timeoutMs, 'took too long');
    const died = () => settle('died');
    function settle(outcome: unknown): void {
      clearTimeout(timer);
      child.off('message', settle).off('exit', died).off('error', died);
      resolve(outcome);
    }
    child.on('message', settle).on('exit', died).on('error', died);
    if (child.exitCode !== null || child.signalCode !== null) {
      died();
    }
  });
}

// What the allocator keeps is given back by starting afresh.
function retireIfGrown(slot: Slot, grown: boolean): void {
  if (grown) {
    slot.child?.disconnect();
    slot.child = undefined;
  }
}
