import { Command } from 'commander';
import type { ListedMerchant } from '../../merchant/list-merchants.ts';
import type { Removed } from '../../removal/remove-merchant.ts';
import { confirm } from '../command-line/confirm.ts';
import { JSON_OPTION } from '../command-line/options.ts';
import { printMessage } from '../command-line/output.ts';
import { oneLine, printRecord } from '../command-line/table.ts';
import { type OpenDatabase, withDatabase } from '../database/with-database.ts';
import { withStorage } from '../database/with-storage.ts';

type Options = { yes?: true; json?: true };

export function merchantRemove(): Command {
  return new Command('remove')
    .description(
      'remove a merchant for good, with all records, customers, apps, history and pictures; after Ctrl-C or a crash the ' +
        'same command goes on',
    )
    .argument('<id>', 'id of the merchant')
    .option('--yes', 'do not ask; needed without a terminal')
    .option(...JSON_OPTION)
    .action(async (id: string, options: Options) => {
      const removed = await withDatabase(async (database) => await removeConfirmed(database, id, options));
      printRecord({ merchantId: id, ...removed }, options);
    });
}

async function removeConfirmed(database: OpenDatabase, id: string, { yes }: Options): Promise<Removed> {
  const { isId } = await import('../../db/sql/id.ts');
  const { notFound } = await import('../../errors.ts');
  const { listMerchants } = await import('../../merchant/list-merchants.ts');
  if (!isId(id)) throw notFound('Merchant', [id]);
  const found = (await listMerchants(database)).find(({ merchantId }) => merchantId === id);
  if (found) {
    if (!yes) await askFor(found);
    return await removeNamed(database, id);
  }
  // What a request wrote after the former removal had ended.
  const left = await removeRows(database, id);
  if (left.objects === 0 && Object.keys(left.rows).length === 0) throw notFound('Merchant', [id]);
  return left;
}

async function askFor(merchant: ListedMerchant): Promise<void> {
  const { CommandError } = await import('../../process/command-error.ts');
  const id = merchant.merchantId;
  const isConfirmed = await confirm(
    `${nameOf(merchant)} will be removed for good, with all records and pictures. Type its id to go on.\n> `,
    id,
  );
  if (isConfirmed) return;
  const reason = isConfirmed === undefined ? 'Without a terminal this needs --yes.' : 'That is not its id.';
  throw new CommandError(`Nothing was removed from the merchant ${id}, ${nameOf(merchant)}. ${reason}`);
}

function nameOf({ merchantName, email }: ListedMerchant): string {
  return `${merchantName === null ? 'without a name' : JSON.stringify(oneLine(merchantName))} (${oneLine(email)})`;
}

/**
 * Removes a merchant. First it checks that the storage is not that of another database, whose pictures would be removed, and
 * writes the receipt: if either fails, nothing is removed.
 */
export async function removeNamed(database: OpenDatabase, merchantId: string): Promise<Removed> {
  const { loadConfig } = await import('../../config.ts');
  const { claimStorage } = await import('../../image/storage-owner.ts');
  const { writeRemovalReceipt } = await import('../../removal/removal-receipt.ts');
  const { log } = loadConfig().erasure;
  if (log === undefined) printMessage(`ERASURE_LOG is not set: a restored backup will have ${merchantId} again`);
  await withStorage(async (storage) => {
    await claimStorage(database, storage);
    if (log !== undefined) await writeRemovalReceipt(log, storage, { merchantId, removedAt: Date.now() });
  });
  return await removeRows(database, merchantId);
}

/** Prints how far it has come. */
async function removeRows({ db }: OpenDatabase, merchantId: string): Promise<Removed> {
  const { removeMerchant } = await import('../../removal/remove-merchant.ts');
  return await withStorage(
    async (storage) =>
      await removeMerchant({ db, merchantId }, storage, {
        onRemoved: (name, count) => printMessage(`${name}: ${count}`),
        onWait: (ms) => printMessage(`waiting ${Math.ceil(ms / 1_000)} s for requests that may still be running`),
      }),
  );
}
