import { Command } from 'commander';
import type { LogLine } from '../../customer/erasure/erasure-log.ts';
import type { RepeatedErasure } from '../../customer/erasure/repeat-erasures.ts';
import { JSON_OPTION, MERCHANT_OPTION } from '../command-line/options.ts';
import { printMessage } from '../command-line/output.ts';
import { printRecord } from '../command-line/table.ts';
import { type OpenDatabase, withDatabase } from '../database/with-database.ts';

type Options = { merchant?: string; from?: string; dryRun?: true; json?: true };
/** Customers of one merchant that are erased together. */
type Wanted = { merchantId: string; customerIds: readonly string[]; receipt?: { id: string; createdAt: string } };
/**
 * `otherReceipts`: the number of receipts that are left out, because of their merchants. `unreadableLines`: the places of
 * lines that are no receipt and no id.
 */
type Erased = RepeatedErasure & { otherReceipts: number; unreadableLines: string[] };

export function customerErase(): Command {
  return new Command('erase')
    .description(
      'erase customers for good, 100 in a transaction; exit code 1 if some of the ids given as arguments are unknown or blocked',
    )
    .argument('[customer...]', 'ids of customers')
    .option(
      '--from <file>',
      'erase those of a file: a customer id or a receipt on each line. Receipts of ERASURE_LOG are repeated after ' +
        'a restore, for each merchant; `storage` reads them from the store of the pictures. Exit code 1 if a line is neither',
    )
    .option('--dry-run', 'only print what would be erased')
    .option(...MERCHANT_OPTION)
    .option(...JSON_OPTION)
    .action(async (ids: string[], options: Options, command: Command) => {
      if (ids.length > 0 === (options.from !== undefined)) command.error('error: give ids of customers, or --from');
      const result = await withDatabase(async (database) => await eraseAll(database, ids, options));
      printRecord({ ...result, ...(options.dryRun && { dryRun: true }) }, options);
      if (result.otherReceipts > 0) printMessage(otherReceiptsText(result, options));
      if (result.unreadableLines.length > 0) printMessage(unreadableText(result, options));
      if (isFailed(result, options)) process.exitCode = 1;
    });
}

/** Receipts may name customers that a restored database does not have. */
function isFailed({ unknownIds, blockedIds, unreadableLines }: Erased, { from }: Options): boolean {
  return from === undefined ? unknownIds.length + blockedIds.length > 0 : unreadableLines.length > 0;
}

function otherReceiptsText({ otherReceipts }: Erased, { from, merchant }: Options): string {
  const reason = merchant === undefined ? 'the database does not have their merchants' : 'they are of other merchants';
  return `Receipts of ${from} that were left out, because ${reason}: ${otherReceipts}`;
}

function unreadableText({ unreadableLines }: Erased, { from }: Options): string {
  return `Not erased: ${unreadableLines.length} lines of ${from} are no receipt and no id of a customer: ${unreadableLines.join(', ')}`;
}

async function eraseAll(database: OpenDatabase, ids: readonly string[], options: Options): Promise<Erased> {
  const { wanted, ...rest } = await wantedErasures(database, ids, options);
  const { commandContext } = await import('../database/command-context.ts');
  const { repeatErasures } = await import('../../customer/erasure/repeat-erasures.ts');
  const total: RepeatedErasure = { receiptIds: [], erased: 0, alreadyErased: 0, unknownIds: [], blockedIds: [] };
  for (const { merchantId, customerIds, receipt } of wanted) {
    const ctx = commandContext({ ...database, merchantId }, 'commerce customer erase');
    const part = await repeatErasures(ctx, customerIds, { receipt, isDryRun: options.dryRun });
    total.erased += part.erased;
    total.alreadyErased += part.alreadyErased;
    total.receiptIds.push(...part.receiptIds);
    total.unknownIds.push(...part.unknownIds);
    total.blockedIds.push(...part.blockedIds);
  }
  return { ...total, ...rest };
}

async function wantedErasures(
  database: OpenDatabase,
  ids: readonly string[],
  { merchant, from }: Options,
): Promise<{ wanted: Wanted[] } & Pick<Erased, 'otherReceipts' | 'unreadableLines'>> {
  const { findMerchant } = await import('../database/find-merchant.ts');
  if (from === undefined) {
    const merchantId = await findMerchant(database, merchant);
    return { wanted: [{ merchantId, customerIds: ids }], otherReceipts: 0, unreadableLines: [] };
  }
  const { receiptOf } = await import('../../customer/erasure/erasure-log.ts');
  const { isId } = await import('../../db/sql/id.ts');
  const lines = await linesOf(from);
  const bare = lines.map(({ text }) => text).filter(isId);
  const others = lines.filter(({ text }) => !isId(text)).map((line) => ({ ...line, receipt: receiptOf(line.text) }));
  const receipts = others.flatMap(({ receipt }) => receipt ?? []);
  const unreadableLines = others.flatMap(({ place, receipt }) => (receipt ? [] : [place]));
  const merchants = new Set(
    merchant === undefined ? await merchantIds(database) : [await findMerchant(database, merchant)],
  );
  const own = receipts.filter(({ merchantId }) => merchants.has(merchantId));
  const wanted = [
    ...own.map(({ merchantId, customerIds, id, createdAt }) => ({
      merchantId,
      customerIds,
      receipt: { id, createdAt: new Date(createdAt).toISOString() },
    })),
    ...(bare.length > 0 ? [{ merchantId: await findMerchant(database, merchant), customerIds: bare }] : []),
  ];
  return { wanted, otherReceipts: receipts.length - own.length, unreadableLines };
}

/** A restored database may lack merchants of the receipts. */
async function merchantIds(database: OpenDatabase): Promise<string[]> {
  const { listMerchants } = await import('../../merchant/list-merchants.ts');
  return (await listMerchants(database)).map(({ merchantId }) => merchantId);
}

async function linesOf(from: string): Promise<LogLine[]> {
  const { IN_STORAGE, readErasureLog } = await import('../../customer/erasure/erasure-log.ts');
  if (from !== IN_STORAGE) return await readErasureLog(from, null);
  const { loadConfig } = await import('../../config.ts');
  const { openStorage } = await import('../../image/storage.ts');
  const storage = await openStorage(loadConfig().storageUrl);
  try {
    return await readErasureLog(from, storage);
  } finally {
    storage.close();
  }
}
