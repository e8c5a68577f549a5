import type { Decoded, DecoderReply, DecoderTask, Result } from './decoder.ts';
import { ImageProblem, limitLibrary, toOriginal, toWebp } from './pixels.ts';

// Forty megapixels of AVIF take most of it.
const MAX_RESIDENT_BYTES = 1_200_000_000;
const MEMORY_CHECK_INTERVAL_MS = 50;

limitLibrary();
process.on('message', (task: DecoderTask) => void serve(task));
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
// A terminal signals the whole group; this process ends when its parent lets go of it.
process.on('SIGINT', () => undefined);
process.on('SIGTERM', () => undefined);
// Pixels are decoded on other threads, so that this one is free to notice what a header did not tell.
setInterval(checkMemory, MEMORY_CHECK_INTERVAL_MS).unref();
process.send!('ready');

async function serve(task: DecoderTask): Promise<void> {
  // To the collector 20 MB of message are one small object, and it would let many of them pile up.
  reply(await decode(task), () => globalThis.gc!());
}

async function decode(task: DecoderTask): Promise<Decoded<Result>> {
  try {
    return { result: task.kind === 'original' ? await toOriginal(task.bytes, task.format) : await toWebp(task.bytes, task.width) };
  } catch (error) {
    if (error instanceof ImageProblem) {
      return { problem: error.message };
    }
    throw error;
  }
}

function checkMemory(): void {
  if (process.memoryUsage.rss() > MAX_RESIDENT_BYTES) {
    reply({ problem: 'takes too much memory to decode' }, () => process.kill(process.pid, 'SIGKILL'));
  }
}

function reply(decoded: Decoded<Result>, then: () => void): void {
  const message: DecoderReply = { ...decoded, residentBytes: process.memoryUsage.rss() };
  process.send!(message, undefined, undefined, then);
}
