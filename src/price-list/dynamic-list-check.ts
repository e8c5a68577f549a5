import { sql } from 'drizzle-orm';
import { priceList } from '../../drizzle/price-list.ts';
import type { Context } from '../context.ts';
import { column, readRows } from '../db/connection/read-rows.ts';
import { ownedBy } from '../db/sql/parameter.ts';
import { argumentInvalid, type InputPath } from '../errors.ts';
import { isDynamic, isDynamicRow, MAX_DYNAMIC_LISTS, ruleListIssues } from './dynamic-list.ts';
import { type RuleList, type RuleListEntry, storedRuleList } from './price-list-input.ts';

type PriceListRow = { id: string; type?: string | null; ruleList?: RuleList | null; deleted: boolean };

const OWN_BASE = 'must not be the price list itself, or one that is based on it';

/**
 * Refuses a price list that would compute prices and breaks the rules of such lists. A save that changes none of the
 * members that decide about it is not checked. The caller holds the merchant's lock, so that of two concurrent saves
 * the second sees the first.
 */
export async function checkDynamicList(ctx: Context, row: PriceListRow, stored: PriceListRow): Promise<void> {
  const member = changedMember(row, stored);
  if (!member || !isDynamicRow(row)) return;
  // Rules that plain SQL has stored in another shape compute nothing.
  const ruleList = storedRuleList(row.ruleList);
  if (!ruleList) return;
  const refuse = (issues: { path: InputPath; message: string }[]): void => {
    // Rules that were stored before are not in the input.
    const inInput = issues.map(({ path, message }) => ({
      path: member === 'ruleList' ? path : ['input', member],
      message,
    }));
    if (inInput.length > 0) throw argumentInvalid(inInput);
  };
  const path = ['input', 'ruleList'];
  refuse(ruleListIssues(ruleList, path));
  const others = await otherDynamicLists(ctx, row.id);
  if (others.size >= MAX_DYNAMIC_LISTS && !isDynamicRow(stored))
    refuse([
      { path, message: `must not make more than ${MAX_DYNAMIC_LISTS} price lists of the merchant compute prices` },
    ]);
  const isCircular = reaches(row.id, others);
  refuse(
    ruleList.flatMap(({ basePriceListId }, index) =>
      basePriceListId != null && isCircular(basePriceListId)
        ? [{ path: [...path, index, 'basePriceListId'], message: OWN_BASE }]
        : [],
    ),
  );
}

/** The member of the input by which the list computes other prices than before. */
function changedMember(row: PriceListRow, stored: PriceListRow): 'ruleList' | 'type' | 'deleted' | undefined {
  if (JSON.stringify(row.ruleList) !== JSON.stringify(stored.ruleList)) return 'ruleList';
  if (row.type !== stored.type) return 'type';
  return row.deleted === stored.deleted ? undefined : 'deleted';
}

/** The lists that each other list which computes prices is based on, by its id. */
async function otherDynamicLists(ctx: Context, id: string): Promise<Map<string, string[]>> {
  const rows = await readRows(
    ctx,
    { id: column.text, ruleList: column.unknown },
    sql`
    select ${priceList.id} as "id", ${priceList.ruleList} as "ruleList" from ${priceList}
    where ${ownedBy(ctx, priceList)} and ${isDynamic(priceList)} and ${priceList.id} <> ${id}::uuid
    order by ${priceList.createdAt}, ${priceList.id} limit ${sql.raw(String(MAX_DYNAMIC_LISTS))}`,
  );
  return new Map(rows.map(({ id, ruleList }) => [id, basesOf(storedRuleList(ruleList) ?? [])]));
}

function basesOf(ruleList: readonly RuleListEntry[]): string[] {
  return ruleList.flatMap(({ basePriceListId }) => basePriceListId ?? []);
}

/** Whether a list is, or is based on, the list `id`. */
function reaches(id: string, bases: ReadonlyMap<string, readonly string[]>): (from: string) => boolean {
  return (from) => {
    const seen = new Set([from]);
    for (const one of seen) for (const base of bases.get(one) ?? []) seen.add(base);
    return seen.has(id);
  };
}
