import { getTableName } from 'drizzle-orm';
import type { TenantTable } from './projection.ts';

/**
 * Rows that a statement reads in place of those of a table, as the JSON text of a list of objects by the names of the
 * columns. With `replaced` the present rows of the merchant are read too, except those with these ids.
 */
export type EarlierRows = {
  readonly table: TenantTable;
  readonly rows: string;
  readonly replaced?: readonly string[];
};

/**
 * A statement that reads these rows. Each table gets the name of a common table expression, which hides it. The
 * statement's first parameter is the merchant.
 */
export function readingEarlierRows(
  { text, parameters }: { text: string; parameters: readonly unknown[] },
  earlier: readonly EarlierRows[],
): { text: string; parameters: unknown[] } {
  const added: unknown[] = [];
  const parameter = (value: unknown): string => `$${parameters.length + added.push(value)}`;
  const expressions = earlier.map(({ table, rows, replaced }) => {
    const name = getTableName(table);
    const own = `select * from json_populate_recordset(null::public.${name}, ${parameter(rows)}::json)`;
    if (!replaced) return `${name} as (${own})`;
    const others = `select * from public.${name} other
      where other.merchant_id = $1 and other.id <> all(${parameter(`{${replaced.join(',')}}`)}::uuid[])`;
    return `${name} as (${own} union all ${others})`;
  });
  const rest = text.trimStart();
  const follows = rest.startsWith('with ') ? `, ${rest.slice('with '.length)}` : ` ${rest}`;
  return { text: `with ${expressions.join(', ')}${follows}`, parameters: [...parameters, ...added] };
}
