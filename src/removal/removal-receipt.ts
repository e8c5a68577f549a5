import { appendLines, IN_STORAGE, RECEIPTS_PREFIX, type ReceiptStorage } from '../customer/erasure/erasure-log.ts';
import { isId } from '../db/sql/id.ts';

/** Which merchant was removed when. A restored backup has it again, until the removal is repeated. */
export type RemovalReceipt = { readonly merchantId: string; readonly removedAt: number };

/** Writes a receipt to ERASURE_LOG, beside those of erased customers. Durable once it has returned. */
export async function writeRemovalReceipt(
  target: string,
  storage: ReceiptStorage,
  { merchantId, removedAt }: RemovalReceipt,
): Promise<void> {
  const line = `${JSON.stringify({ merchantId, removedAt })}\n`;
  if (target !== IN_STORAGE) return await appendLines(target, [line]);
  await storage.write(`${RECEIPTS_PREFIX}${merchantId}/removed.json`, Buffer.from(line), 'application/json');
}

/** Null if the text is not such a receipt. */
export function removalReceiptOf(text: string): RemovalReceipt | null {
  try {
    const { merchantId, removedAt } = JSON.parse(text) as RemovalReceipt;
    return isId(merchantId) && Number.isSafeInteger(removedAt) ? { merchantId, removedAt } : null;
  } catch {
    return null;
  }
}
