import { Command } from 'commander';
import type { RepeatedErasure } from '../../customer/erasure/repeat-erasures.ts';
import { JSON_OPTION, MERCHANT_OPTION } from '../command-line/options.ts';
import { printMessage } from '../command-line/output.ts';
import { printRecord } from '../command-line/table.ts';
import { type OpenDatabase, withDatabase } from '../database/with-database.ts';
import { removeNamed } from '../merchant/remove.ts';
import { type WantedErasures, wantedErasures } from './wanted-erasures.ts';

type Options = { merchant?: string; from?: string; dryRun?: true; json?: true };
type Erased = RepeatedErasure & Omit<WantedErasures, 'wanted'>;

export function customerErase(): Command {
  return new Command('erase')
    .description(
      'erase customers for good, 100 in a transaction; exit code 1 if some of the ids given as arguments are unknown or blocked',
    )
    .argument('[customer...]', 'ids of customers')
    .option(
      '--from <file>',
      'erase those of a file: a customer id or a receipt on each line. Receipts of ERASURE_LOG are repeated after ' +
        'a restore, for each merchant, also the removal of a merchant; `storage` reads them from the store of the pictures. Exit code 1 if a line is neither',
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
  // Last, since it may take long.
  if (!options.dryRun) for (const merchantId of rest.removedMerchants) await removeNamed(database, merchantId);
  return { ...total, ...rest };
}
