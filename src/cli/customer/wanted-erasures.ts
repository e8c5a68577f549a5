import type { LogLine } from '../../customer/erasure/erasure-log.ts';
import type { OpenDatabase } from '../database/with-database.ts';
import { withStorage } from '../database/with-storage.ts';

/** Customers of one merchant that are erased together. */
type Wanted = { merchantId: string; customerIds: readonly string[]; receipt?: { id: string; createdAt: string } };

/**
 * `removedMerchants`: those of the database that a receipt says were removed. `otherReceipts`: the number of receipts that
 * are left out, because of their merchants. `unreadableLines`: the places of lines that are no receipt and no id.
 */
export type WantedErasures = {
  wanted: Wanted[];
  removedMerchants: string[];
  otherReceipts: number;
  unreadableLines: string[];
};

/** The customers with these ids, or those of the lines of a file or of the store of the pictures. */
export async function wantedErasures(
  database: OpenDatabase,
  ids: readonly string[],
  { merchant, from }: { merchant?: string; from?: string },
): Promise<WantedErasures> {
  const { findMerchant } = await import('../database/find-merchant.ts');
  if (from === undefined) {
    const merchantId = await findMerchant(database, merchant);
    return {
      wanted: [{ merchantId, customerIds: ids }],
      removedMerchants: [],
      otherReceipts: 0,
      unreadableLines: [],
    };
  }
  const { bare, receipts, removals, unreadableLines } = await sorted(await linesOf(from));
  const merchants = new Set(
    merchant === undefined ? await merchantIds(database) : [await findMerchant(database, merchant)],
  );
  const removed = merchants.intersection(new Set(removals.map(({ merchantId }) => merchantId)));
  const own = receipts.filter(({ merchantId }) => merchants.has(merchantId));
  const wanted = [
    ...own
      .filter(({ merchantId }) => !removed.has(merchantId))
      .map(({ merchantId, customerIds, id, createdAt }) => ({
        merchantId,
        customerIds,
        receipt: { id, createdAt: new Date(createdAt).toISOString() },
      })),
    ...(bare.length > 0 ? [{ merchantId: await findMerchant(database, merchant), customerIds: bare }] : []),
  ];
  return { wanted, removedMerchants: [...removed], otherReceipts: receipts.length - own.length, unreadableLines };
}

/** The lines of a file by kind: ids of customers, receipts of erasures, receipts of removed merchants, and all others. */
async function sorted(lines: readonly LogLine[]) {
  const { receiptOf } = await import('../../customer/erasure/erasure-log.ts');
  const { removalReceiptOf } = await import('../../removal/removal-receipt.ts');
  const { isId } = await import('../../db/sql/id.ts');
  const bare = lines.map(({ text }) => text).filter(isId);
  const read = lines
    .filter(({ text }) => !isId(text))
    .map(({ place, text }) => ({ place, receipt: receiptOf(text), removal: removalReceiptOf(text) }));
  return {
    bare,
    receipts: read.flatMap(({ receipt }) => receipt ?? []),
    removals: read.flatMap(({ removal }) => removal ?? []),
    unreadableLines: read.flatMap(({ place, receipt, removal }) => (receipt || removal ? [] : [place])),
  };
}

/** A restored database may lack merchants of the receipts. */
async function merchantIds(database: OpenDatabase): Promise<string[]> {
  const { listMerchants } = await import('../../merchant/list-merchants.ts');
  return (await listMerchants(database)).map(({ merchantId }) => merchantId);
}

async function linesOf(from: string): Promise<LogLine[]> {
  const { IN_STORAGE, readErasureLog } = await import('../../customer/erasure/erasure-log.ts');
  if (from !== IN_STORAGE) return await readErasureLog(from, null);
  return await withStorage(async (storage) => await readErasureLog(from, storage));
}
