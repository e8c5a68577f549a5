import { open, readFile } from 'node:fs/promises';

/** What the copy of a receipt outside of the database says: ids and the time, nothing personal. */
export type CopiedReceipt = {
  readonly merchantId: string;
  readonly id: string;
  readonly customerIds: readonly string[];
  /** In milliseconds since 1970. */
  readonly createdAt: number;
};

/** The part of the pictures' store that receipts need. */
export type ReceiptStorage = {
  write(key: string, bytes: Uint8Array, contentType: string): Promise<void>;
  read(key: string): Promise<Buffer | null>;
  list(prefix: string): AsyncIterable<{ readonly key: string }>;
};

export type ErasureLog = {
  /** Durable once it has returned. A receipt can be written twice. */
  write(receipts: readonly CopiedReceipt[]): Promise<void>;
};

/** ERASURE_LOG of the pictures' store; anything else is the path of a file. */
export const IN_STORAGE = 'storage';

const PREFIX = 'erasures/';

/** One JSON line for each receipt at the end of a file, or one object for each in the pictures' store. */
export function openErasureLog(target: string, storage: ReceiptStorage): ErasureLog {
  if (target !== IN_STORAGE) return { write: async (receipts) => await appendLines(target, receipts) };
  return {
    write: async (receipts) => {
      for (const receipt of receipts) {
        const key = `${PREFIX}${receipt.merchantId}/${receipt.id}.json`;
        await storage.write(key, Buffer.from(lineOf(receipt)), 'application/json');
      }
    },
  };
}

/** Several processes may append at once: each writes its lines by one call. */
async function appendLines(file: string, receipts: readonly CopiedReceipt[]): Promise<void> {
  await using handle = await open(file, 'a');
  await handle.write(receipts.map(lineOf).join(''));
  await handle.sync();
}

function lineOf({ merchantId, id, customerIds, createdAt }: CopiedReceipt): string {
  return `${JSON.stringify({ merchantId, id, customerIds, createdAt })}\n`;
}

/** The lines of a file, or of all objects of the pictures' store. */
export async function readErasureLog(target: string, storage: ReceiptStorage | null): Promise<string[]> {
  if (!storage) return linesOf(await readFile(target, 'utf8'));
  const lines: string[] = [];
  for await (const { key } of storage.list(PREFIX))
    lines.push(...linesOf((await storage.read(key))?.toString('utf8') ?? ''));
  return lines;
}

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}
