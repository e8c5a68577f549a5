import { open, readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { isId } from '../../db/sql/id.ts';
import { syncFolder } from '../../installation/sync-folder.ts';

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

/** Receipts of a merchant are below its id. */
export const RECEIPTS_PREFIX = 'erasures/';

/** One JSON line for each receipt at the end of a file, or one object for each in the pictures' store. */
export function openErasureLog(target: string, storage: ReceiptStorage): ErasureLog {
  if (target !== IN_STORAGE) return { write: async (receipts) => await appendLines(target, receipts.map(lineOf)) };
  return {
    write: async (receipts) => {
      for (const receipt of receipts) {
        const key = `${RECEIPTS_PREFIX}${receipt.merchantId}/${receipt.id}.json`;
        const whole = await withStoredCustomers(storage, key, receipt);
        await storage.write(key, Buffer.from(lineOf(whole)), 'application/json');
      }
    },
  };
}

/**
 * In a database that was restored from an older backup, a repeated receipt has only those of its customers that the
 * backup has. A later restore of a newer backup needs all of them.
 */
async function withStoredCustomers(
  storage: ReceiptStorage,
  key: string,
  receipt: CopiedReceipt,
): Promise<CopiedReceipt> {
  const stored = receiptOf((await storage.read(key))?.toString('utf8') ?? '');
  return { ...receipt, customerIds: [...new Set([...(stored?.customerIds ?? []), ...receipt.customerIds])] };
}

/**
 * Several processes may append at once, so each writes its lines by one call. On a full disk the call may write only a
 * part of them, without an error. They are all written again later, and the file keeps an incomplete line. So that this
 * line does not continue with the next receipt, each call begins with a line break. Empty lines are ignored.
 */
export async function appendLines(file: string, lines: readonly string[]): Promise<void> {
  await using handle = await open(file, 'a');
  const { size } = await handle.stat();
  const bytes = Buffer.from(`${size > 0 ? '\n' : ''}${lines.join('')}`);
  const { bytesWritten } = await handle.write(bytes);
  if (bytesWritten < bytes.length) throw new Error(`${file} has taken only ${bytesWritten} of ${bytes.length} bytes`);
  await handle.sync();
  if (size === 0) await syncFolder(dirname(resolve(file)));
}

function lineOf({ merchantId, id, customerIds, createdAt }: CopiedReceipt): string {
  return `${JSON.stringify({ merchantId, id, customerIds, createdAt })}\n`;
}

/** A line of a file, or of an object of the pictures' store. `place` names it. */
export type LogLine = { readonly place: string; readonly text: string };

/** The lines of a file, or of all objects of the pictures' store. */
export async function readErasureLog(target: string, storage: ReceiptStorage | null): Promise<LogLine[]> {
  if (!storage) return linesOf(await readFile(target, 'utf8'), (number) => `line ${number}`);
  const lines: LogLine[] = [];
  for await (const { key } of storage.list(RECEIPTS_PREFIX))
    lines.push(...linesOf((await storage.read(key))?.toString('utf8') ?? '', () => key));
  return lines;
}

function linesOf(text: string, placeOf: (number: number) => string): LogLine[] {
  return text
    .split('\n')
    .map((line, index) => ({ place: placeOf(index + 1), text: line.trim() }))
    .filter((line) => line.text !== '');
}

/** Null if the text is not a receipt, for example a line of which only a part was written. */
export function receiptOf(text: string): CopiedReceipt | null {
  try {
    const { merchantId, id, customerIds, createdAt } = JSON.parse(text) as CopiedReceipt;
    const isWhole = [merchantId, id, ...customerIds].every(isId) && Number.isSafeInteger(createdAt);
    return isWhole ? { merchantId, id, customerIds, createdAt } : null;
  } catch {
    return null;
  }
}
