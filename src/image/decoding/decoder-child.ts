import { fork, type ChildProcess } from 'node:child_process';
import { setPriority } from 'node:os';
import { CommerceError } from '../../errors.ts';
import { siblingModule } from '../../installation/sibling-module.ts';
import type { Original } from './pixels.ts';
import type { ImageFormat } from './image-format.ts';

/** Time limit for the start of a decoder process, also on a busy machine. */
const START_TIMEOUT_MS = 30_000;
const NICENESS = 10;
// glibc returns large freed blocks to the system. Without this the process keeps its peak memory.
const GLIBC_TUNING = { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '131072' };

/** Multiply the limits of CPU time and memory. */
export type LimitFactors = { readonly cpuFactor?: number; readonly memoryFactor?: number };
type Task = LimitFactors & { readonly bytes: Buffer };
export type OriginalTask = Task & { readonly kind: 'original'; readonly format: ImageFormat };
export type RenditionTask = Task & { readonly kind: 'rendition'; readonly width: number };
export type DecoderTask = OriginalTask | RenditionTask;

export type Result = Original | Uint8Array;
export type Decoded<T> = { readonly result: T } | { readonly problem: string };
/** `isLast`: the process ends after this reply. */
export type DecoderReply = Decoded<Result> & { readonly residentBytes: number; readonly isLast: boolean };
export type DecoderOutcome = DecoderReply | 'died' | 'took too long';

export type DecoderChild = {
  /** Null if the system has refused to start it. */
  readonly process: ChildProcess | null;
  /** Rejects if the process does not start. */
  readonly ready: Promise<void>;
};

/**
 * The child does not keep this process alive; while a caller waits for it, the timer does. A child started in advance
 * has its low priority from the start, because starting takes CPU time too and costly pictures make their process
 * restart.
 */
export function startChild({ inAdvance }: { inAdvance: boolean }): DecoderChild {
  const child = forkDecoder();
  if (child && inAdvance) lowerPriority(child);
  const ready = becomeReady(child);
  // Avoids an unhandled rejection: the callers that wait for `ready` get the error.
  ready.catch(() => undefined);
  return { process: child, ready };
}

function forkDecoder(): ChildProcess | null {
  try {
    const child = fork(siblingModule(import.meta.url, 'decoder-process'), {
      serialization: 'advanced',
      env: GLIBC_TUNING,
      execArgv: ['--expose-gc'],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    child.unref();
    child.channel?.unref();
    // Without a listener, an error event would end this process. A child that has ended is replaced when the next
    // picture needs it.
    return child.on('error', () => undefined);
  } catch {
    // Node throws some errors, such as ENOMEM. It reports the others by an event.
    return null;
  }
}

async function becomeReady(child: ChildProcess | null): Promise<void> {
  if (child && (await nextMessage(child, START_TIMEOUT_MS)) === 'ready') return lowerPriority(child);
  child?.kill('SIGKILL');
  throw new CommerceError('SERVICE_UNAVAILABLE', 'The image decoder did not start; try again later.');
}

/** Sends a task, and kills the child if it does not answer in time. */
export async function exchange(child: ChildProcess, task: DecoderTask, timeoutMs: number): Promise<DecoderOutcome> {
  const answered = nextMessage(child, timeoutMs);
  child.send(task, () => undefined);
  const outcome = (await answered) as DecoderOutcome;
  if (typeof outcome === 'string') {
    child.kill('SIGKILL');
  }
  return outcome;
}

function lowerPriority({ pid }: ChildProcess): void {
  try {
    setPriority(pid!, NICENESS);
  } catch {
    // The child has just ended, or the platform has no priorities.
  }
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
