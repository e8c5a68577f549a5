import { listMerchants } from '../../merchant/list-merchants.ts';
import { printMessage } from '../command-line/output.ts';
import { findMerchant } from '../database/find-merchant.ts';
import type { OpenDatabase } from '../database/with-database.ts';
import { type Broken, findBroken } from './find-broken.ts';

/** Past this number, findings are counted and not shown. */
const MAX_SHOWN = 1_000;
/** Longer than any id. Broken JSON may hold a text of any length. */
const MAX_MISSING_LENGTH = 100;

export type Examined = { ok: boolean; rows: number; count: number; broken: Broken[] };

/** Checks the rows of one merchant, or of all, and prints each finding. */
export async function examineReferences(
  database: Pick<OpenDatabase, 'db' | 'across'>,
  merchant: string | undefined,
): Promise<Examined> {
  const examined: Examined = { ok: true, rows: 0, count: 0, broken: [] };
  for (const merchantId of await merchantIds(database, merchant)) {
    for await (const { rows, broken } of findBroken({ db: database.db, merchantId })) {
      examined.rows += rows;
      examined.count += broken.length;
      show(broken.slice(0, MAX_SHOWN - examined.broken.length), examined);
    }
  }
  const shown =
    examined.count > examined.broken.length ? `, of which the first ${examined.broken.length} are shown` : '';
  printMessage(`${examined.rows} rows: ${examined.count} broken${shown}`);
  return { ...examined, ok: examined.count === 0 };
}

async function merchantIds(
  database: Pick<OpenDatabase, 'db' | 'across'>,
  merchant: string | undefined,
): Promise<string[]> {
  if (merchant !== undefined) return [await findMerchant(database, merchant)];
  return (await listMerchants(database)).map(({ merchantId }) => merchantId);
}

function show(broken: readonly Broken[], examined: Examined): void {
  for (const one of broken) {
    const missing = one.missing?.slice(0, MAX_MISSING_LENGTH) ?? null;
    const fault = missing === null ? 'is not as the service stores it' : `names no record: ${JSON.stringify(missing)}`;
    printMessage(`BROKEN ${one.table} ${one.id} of merchant ${one.merchantId}: ${one.member} ${fault}`);
    examined.broken.push({ ...one, missing });
  }
}
