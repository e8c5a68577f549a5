import { writeFileSync } from 'node:fs';
import { type ImageFormat, imageFormat } from '../signature.ts';
import { decodeLimits, type DecodeLimits } from './decode-limits.ts';
import type { Decoded, DecoderReply, DecoderTask, Result } from './decoder-child.ts';
import { ImageProblem, limitLibrary, readHeader, refuse, toOriginal, toWebp } from './pixels.ts';

const CHECKED_EVERY_MS = 20;
/** The first process to be ended, see proc(5). */
const OOM_SCORE_MAX = '1000';
const US_PER_MS = 1_000;
const MS_PER_S = 1_000;

/** The task that is being decoded: CPU time at its start, and its limits as far as they are known. */
let current: { readonly startedCpuMs: number; limits: DecodeLimits } | null = null;

offerToKernel();
limitLibrary();
process.on('message', (task: DecoderTask) => void serve(task));
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
// A terminal signals the whole group; this process ends when its parent lets go of it.
process.on('SIGINT', () => undefined);
process.on('SIGTERM', () => undefined);
// Pixels are decoded on other threads, so that this one is free to look.
setInterval(checkLimits, CHECKED_EVERY_MS).unref();
process.send!('ready');

/** Where memory is short, Linux ends this process and not the service. */
function offerToKernel(): void {
  try {
    writeFileSync('/proc/self/oom_score_adj', OOM_SCORE_MAX);
  } catch {
    // Another system.
  }
}

async function serve(task: DecoderTask): Promise<void> {
  const decoded = await decode(task);
  current = null;
  // To the collector 20 MB of message are one small object, and it would let many of them pile up.
  reply(decoded, false, () => globalThis.gc!());
}

async function decode(task: DecoderTask): Promise<Decoded<Result>> {
  const { bytes } = task;
  try {
    const format = task.kind === 'original' ? task.format : (imageFormat(bytes) ?? refuse());
    current = { startedCpuMs: cpuTimeMs(), limits: limitsOf(task, format, 0) };
    const header = await readHeader(bytes, format);
    current.limits = limitsOf(task, format, header.width * header.height);
    return {
      result: task.kind === 'original' ? await toOriginal(bytes, format, header) : await toWebp(bytes, task.width),
    };
  } catch (error) {
    if (error instanceof ImageProblem) {
      return { problem: error.message };
    }
    throw error;
  }
}

function limitsOf({ cpuFactor = 1, memoryFactor = 1 }: DecoderTask, format: ImageFormat, pixels: number): DecodeLimits {
  const { cpuMs, residentBytes } = decodeLimits(format, pixels);
  return { cpuMs: cpuMs * cpuFactor, residentBytes: residentBytes * memoryFactor };
}

/** What libvips has begun cannot be stopped, so the process ends with it. */
function checkLimits(): void {
  const problem = current && exceeded(current);
  if (problem === null) return;
  current = null;
  reply({ problem }, true, () => process.kill(process.pid, 'SIGKILL'));
}

function exceeded({ startedCpuMs, limits }: NonNullable<typeof current>): string | null {
  if (cpuTimeMs() - startedCpuMs > limits.cpuMs)
    return `takes too long to decode: more than ${(limits.cpuMs / MS_PER_S).toFixed(1)} s of CPU time`;
  if (process.memoryUsage.rss() > limits.residentBytes) return 'takes too much memory to decode';
  return null;
}

function cpuTimeMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / US_PER_MS;
}

function reply(decoded: Decoded<Result>, isLast: boolean, then: () => void): void {
  const message: DecoderReply = { ...decoded, residentBytes: process.memoryUsage.rss(), isLast };
  process.send!(message, undefined, undefined, then);
}
