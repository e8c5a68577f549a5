import type { Imported } from '../../product-file/import/import-run.ts';
import { progressBar } from '../command-line/progress-bar.ts';

export type Progress = {
  counted: (chunks: AsyncIterable<Buffer>) => AsyncIterable<Buffer>;
  show: (imported: Imported) => void;
  /** Prints lines above the bar. */
  print: (lines: () => void) => void;
};

/** Shows a progress bar of the bytes that were read, on a terminal only. The size of standard input is null. */
export async function withProgress<T>(size: number | null, work: (progress: Progress) => Promise<T>): Promise<T> {
  const bar = progressBar('{products} products, {skipped} skipped', size !== null);
  let read = 0;
  let shown = { products: 0, skipped: 0 };
  bar.start(size ?? 0, 0, shown);
  try {
    return await work({
      counted: async function* (chunks) {
        for await (const chunk of chunks) {
          yield chunk;
          read += chunk.length;
        }
      },
      print: (lines) => {
        bar.stop();
        lines();
        bar.start(size ?? 0, read, shown);
      },
      show: ({ created, updated, unchanged, skipped }) => {
        shown = { products: created + updated + unchanged, skipped: skipped.length };
        bar.update(read, shown);
      },
    });
  } finally {
    bar.stop();
  }
}
