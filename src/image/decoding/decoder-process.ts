import { writeFileSync } from 'node:fs';
import { type ImageFormat, imageFormat } from './image-format.ts';
import { decodeLimits, type DecodeLimits } from './decode-limits.ts';
import type { Decoded, DecoderReply, DecoderTask, Result } from './decoder-child.ts';
import { ImageProblem, limitLibvips, readHeader, refuse, toOriginal, toWebp } from './pixels.ts';

const CHECK_INTERVAL_MS = 20;
/** The kernel ends this process first when memory is short, see proc(5). */
const MAX_OOM_SCORE = '1000';
const US_PER_MS = 1_000;
const MS_PER_S = 1_000;

/** The running task: CPU time at its start, and its limits as far as they are known. */
type RunningTask = { readonly startedCpuMs: number; limits: DecodeLimits };

class Decoder {
  #running: RunningTask | null = null;

  async serve(task: DecoderTask): Promise<void> {
    const decoded = await this.#decode(task);
    this.#running = null;
    // The garbage collector counts a message of 20 MB as one small object, and would let many of them accumulate.
    reply(decoded, false, () => globalThis.gc!());
  }

  async #decode(task: DecoderTask): Promise<Decoded<Result>> {
    const { bytes } = task;
    try {
      const format = task.kind === 'original' ? task.format : (imageFormat(bytes) ?? refuse());
      const running: RunningTask = { startedCpuMs: cpuTimeMs(), limits: limitsOf(task, format, 0) };
      this.#running = running;
      const header = await readHeader(bytes, format);
      running.limits = limitsOf(task, format, header.width * header.height);
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

  /** libvips cannot be interrupted, so the whole process ends. */
  checkLimits(): void {
    const problem = this.#running && exceeded(this.#running);
    if (problem === null) return;
    this.#running = null;
    reply({ problem }, true, () => process.kill(process.pid, 'SIGKILL'));
  }
}

start(new Decoder());

function start(decoder: Decoder): void {
  raiseOomScore();
  limitLibvips();
  process.on('message', (task: DecoderTask) => void decoder.serve(task));
  process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
  // A terminal signals the whole process group. This process ends when its parent disconnects.
  process.on('SIGINT', () => undefined);
  process.on('SIGTERM', () => undefined);
  // libvips decodes on other threads, so this thread can check the limits.
  setInterval(() => decoder.checkLimits(), CHECK_INTERVAL_MS).unref();
  process.send!('ready');
}

/** Makes Linux end this process rather than the service when the machine has no memory left. */
function raiseOomScore(): void {
  try {
    writeFileSync('/proc/self/oom_score_adj', MAX_OOM_SCORE);
  } catch {
    // Not Linux.
  }
}

function limitsOf({ cpuFactor = 1, memoryFactor = 1 }: DecoderTask, format: ImageFormat, pixels: number): DecodeLimits {
  const { cpuMs, residentBytes } = decodeLimits(format, pixels);
  return { cpuMs: cpuMs * cpuFactor, residentBytes: residentBytes * memoryFactor };
}

function exceeded({ startedCpuMs, limits }: RunningTask): string | null {
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
