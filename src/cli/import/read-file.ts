import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { addAbortSignal } from 'node:stream';
import { STANDARD_STREAM } from '../command-line/options.ts';

/** The size of standard input is null, and that of a pipe with a name 0: both can be read only once. */
export type OpenFile = { chunks: AsyncIterable<Buffer>; size: number | null; again?: () => AsyncIterable<Buffer> };

export async function readFile(file: string, signal: AbortSignal): Promise<OpenFile> {
  if (file === STANDARD_STREAM) return { chunks: addAbortSignal(signal, process.stdin), size: null };
  // Opened when it is read: a stream that nothing reads has no handler for the error of the signal.
  const open = async function* (): AsyncGenerator<Buffer> {
    yield* addAbortSignal(signal, createReadStream(file)) as AsyncIterable<Buffer>;
  };
  const size = await sizeOf(file);
  return { chunks: open(), size, ...(size > 0 && { again: open }) };
}

async function sizeOf(file: string): Promise<number> {
  const found = await stat(file);
  if (!found.isDirectory()) return found.size;
  const { CommandError } = await import('../../process/command-error.ts');
  throw new CommandError(`${file} is a folder, but import reads one file: a CSV or JSON lines.`);
}
