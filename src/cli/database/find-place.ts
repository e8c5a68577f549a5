import { sql } from 'drizzle-orm';
import { product, variant } from '../../../drizzle/product.ts';
import type { Context } from '../../context.ts';
import { column, readRows } from '../../db/connection/read-rows.ts';
import { isId } from '../../db/sql/id.ts';
import { ownedBy } from '../../db/sql/parameter.ts';
import { CommandError } from '../../process/command-error.ts';
import { listStockLocation } from '../../stock/listStockLocation.ts';
import { oneLine } from '../command-line/table.ts';

/** Records that are named in a message. */
const MAX_NAMED = 20;

export type FoundVariant = { id: string; productId: string; sku: string | null; name: string };
export type FoundLocation = { id: string; name: string };
type Candidate = { id: string; name: string; deleted: boolean };

/** The variant with this id or sku. Throws if there is none, or if several have the sku, with their ids. */
export async function findVariant(ctx: Context, text: string): Promise<FoundVariant> {
  const variants = await readRows(
    ctx,
    {
      id: column.text,
      productId: column.text,
      sku: column.nullable(column.text),
      name: column.text,
      deleted: column.boolean,
    },
    sql`
    select ${variant.id} as "id", ${product.id} as "productId", ${variant.sku} as "sku", ${product.name} as "name",
      ${variant.deleted} or ${product.deleted} as "deleted"
    from ${variant} join ${product} on ${ownedBy(ctx, product)} and ${product.id} = ${variant.productId}
    where ${ownedBy(ctx, variant)} and ${isId(text) ? sql`${variant.id} = ${text}` : sql`${variant.sku} = ${text}`}
    order by 1 limit ${MAX_NAMED + 1}`,
  );
  const found = onlyOne(variants, (several) => `Several variants have the sku ${JSON.stringify(text)}. ${several}`);
  if (!found) throw new CommandError(`The merchant has no variant with the sku or id ${JSON.stringify(text)}.`);
  return found;
}

/** The stock location with this id or name. Throws if there is none, or if several have the name, with their ids. */
export async function findLocation(ctx: Context, text: string): Promise<FoundLocation> {
  const named = isId(text) ? { id: { eq: text } } : { name: { eq: text } };
  const locations = await listStockLocation(ctx, { ...named, includeDeleted: true }, LOCATION);
  const found = onlyOne(locations, (several) => `Several locations have the name ${JSON.stringify(text)}. ${several}`);
  if (found) return found;
  const all = await listStockLocation(ctx, { pagination: { limit: MAX_NAMED + 1 } }, LOCATION);
  const names = all.slice(0, MAX_NAMED).map(({ name }) => oneLine(name));
  const shown = names.join(', ') + (all.length > MAX_NAMED ? ' …' : '');
  throw new CommandError(
    `The merchant has no stock location with the name or id ${JSON.stringify(text)}. Its locations: ${shown || 'none'}.`,
  );
}

const LOCATION = { id: {}, name: {}, deleted: {} };

/** One that is not deleted goes before deleted ones. Null if there is none. */
function onlyOne<T extends Candidate>(found: readonly T[], message: (several: string) => string): T | null {
  const kept = found.filter(({ deleted }) => !deleted);
  const [first, ...others] = kept.length > 0 ? kept : found;
  if (!first || others.length === 0) return first ?? null;
  const lines = [first, ...others].slice(0, MAX_NAMED).map(({ id, name }) => `  ${id}  ${oneLine(name)}`);
  const rest = others.length >= MAX_NAMED ? ['  …'] : [];
  throw new CommandError(message(['Give the id of one:', ...lines, ...rest].join('\n')));
}
