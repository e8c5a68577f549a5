import { listMerchants } from '../../merchant/list-merchants.ts';
import { say } from '../output.ts';
import { whichMerchant } from '../options.ts';
import type { Workplace } from '../with-database.ts';
import { type Broken, findBroken } from './find-broken.ts';

/** What is broken beyond this number is only counted. */
const SHOWN_MAX = 1_000;
/** Longer than any id; JSON may have a text of any length in its place. */
const MISSING_LENGTH_MAX = 100;

export type Examined = { ok: boolean; rows: number; count: number; broken: Broken[] };

/** Says what is broken in one merchant's rows, or in those of all, a line each as it is found. */
export async function examineReferences(
  workplace: Pick<Workplace, 'db'>,
  merchant: string | undefined,
): Promise<Examined> {
  const examined: Examined = { ok: true, rows: 0, count: 0, broken: [] };
  for (const merchantId of await merchantIds(workplace, merchant)) {
    for await (const { rows, broken } of findBroken({ db: workplace.db, merchantId })) {
      examined.rows += rows;
      examined.count += broken.length;
      show(broken.slice(0, SHOWN_MAX - examined.broken.length), examined);
    }
  }
  const shown =
    examined.count > examined.broken.length ? `, of which the first ${examined.broken.length} are shown` : '';
  say(`${examined.rows} rows: ${examined.count} broken${shown}`);
  return { ...examined, ok: examined.count === 0 };
}

async function merchantIds(workplace: Pick<Workplace, 'db'>, merchant: string | undefined): Promise<string[]> {
  if (merchant !== undefined) return [await whichMerchant(workplace, merchant)];
  return (await listMerchants(workplace)).map(({ merchantId }) => merchantId);
}

function show(broken: readonly Broken[], examined: Examined): void {
  for (const one of broken) {
    const missing = one.missing?.slice(0, MISSING_LENGTH_MAX) ?? null;
    const fault = missing === null ? 'is not as the service stores it' : `names no record: ${JSON.stringify(missing)}`;
    say(`BROKEN ${one.table} ${one.id} of merchant ${one.merchantId}: ${one.member} ${fault}`);
    examined.broken.push({ ...one, missing });
  }
}
