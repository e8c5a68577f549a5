import { productAttribute } from '../../../drizzle/attribute.ts';
import { attributeProjection } from '../../attribute/attribute.ts';
import { saveProductAttribute } from '../../attribute/saveProductAttribute.ts';
import type { Context } from '../../context.ts';
import { pipeline } from '../../db/connection/pipeline.ts';
import { inTransaction } from '../../db/connection/transaction.ts';
import { readRecord } from '../../db/read/read-records.ts';
import { lockRecord } from '../../db/write/saved-record.ts';
import { CommerceError, invalidAt } from '../../errors.ts';
import { merchantLock } from '../../merchant/merchant-lock.ts';
import { saveStockLocation } from '../../stock/saveStockLocation.ts';
import { normalizedName } from '../../values/text.ts';
import { type AttributeRow, rereadNamedRecords, type NamedRecords } from '../line/named-records.ts';
import type { FileProduct, WantedRecords } from './file-product.ts';
import { type Skipped, skippedFor } from './skipped.ts';

const DEFAULT_LOCATION_NAME = 'Main warehouse';

type WantedAttribute = Pick<AttributeRow, 'name' | 'type' | 'tableTemplate'> & { options: string[] };

type Created = { records: NamedRecords; products: readonly FileProduct[] };

/**
 * Creates the records that the products need. Products whose records are refused are skipped; the others are returned. If
 * some are refused, the products are tried one by one to find out whose they are.
 */
export async function createWantedRecords(
  ctx: Context,
  records: NamedRecords,
  products: readonly FileProduct[],
  imported: { skipped: Skipped[] },
): Promise<Created> {
  try {
    const wanted = products.map((product) => product.wanted);
    return { records: await createMissingRecords(ctx, records, wanted), products };
  } catch (error) {
    if (!(error instanceof CommerceError)) throw error;
    const reason = `needs an attribute or a stock location that is refused: ${error.message}`;
    // Some records were created before the refusal.
    let created: Created = { records: await rereadNamedRecords(ctx, records), products: [] };
    if (products.length === 1) imported.skipped.push(skippedFor(products[0]!, reason));
    else
      for (const product of products) {
        const own = await createWantedRecords(ctx, created.records, [product], imported);
        created = { records: own.records, products: [...created.products, ...own.products] };
      }
    return created;
  }
}

/** Creates the stock locations and attributes that the products name and the merchant lacks, and returns all ids. */
async function createMissingRecords(
  ctx: Context,
  records: NamedRecords,
  wanted: readonly WantedRecords[],
): Promise<NamedRecords> {
  const attributes = wantedAttributes(wanted);
  if (missingLocations(records, wanted).length === 0 && missingAttributes(records, attributes).length === 0)
    return records;
  return await inTransaction(ctx, async (ctx) => {
    // Others may have created some of them since the records were read, and another import may be about to.
    await pipeline(ctx, [merchantLock(ctx)]);
    const current = await rereadNamedRecords(ctx, records);
    for (const label of missingLocations(current, wanted))
      await saveStockLocation(ctx, { input: { name: label || DEFAULT_LOCATION_NAME } }, { id: {} });
    for (const attribute of missingAttributes(current, attributes)) await saveAttribute(ctx, current, attribute);
    return await rereadNamedRecords(ctx, records);
  });
}

/** In the order of the file, but the default location, which has an empty label, first: the oldest one is the default. */
function missingLocations(records: NamedRecords, wanted: readonly WantedRecords[]): string[] {
  const { locations, defaultLocationId, isWithoutLocations } = records;
  const labels = wanted.flatMap((records) => [
    ...records.locations,
    ...(isWithoutLocations ? records.existingLocations : []),
  ]);
  const missing = [...new Set(labels.map(normalizedName))].filter((label) =>
    label === '' ? defaultLocationId === undefined : !locations.find(label),
  );
  const repeated = missing.find((label) => locations.isRepeated(label));
  if (repeated === undefined) return missing.toSorted((a, b) => Number(b === '') - Number(a === ''));
  const message = `several have the name ${JSON.stringify(repeated)}: write an id behind it, as exports do`;
  throw invalidAt(['stockLocation'], message);
}

/** The attributes that the entries name, each once, with all options that are needed. */
function wantedAttributes(wanted: readonly WantedRecords[]): WantedAttribute[] {
  const entries = wanted.flatMap(({ attributes }) => attributes);
  return Array.from(
    Map.groupBy(entries, ({ attribute }) => attribute),
    ([name, entries]) => {
      const { type, tableTemplate = null } = entries.at(-1)!;
      return { name, type, tableTemplate, options: [...new Set(entries.flatMap(({ option }) => option ?? []))] };
    },
  );
}

/** The attributes that do not exist, or lack an option. */
function missingAttributes({ attributes }: NamedRecords, wanted: readonly WantedAttribute[]): WantedAttribute[] {
  return wanted.filter(({ name, options }) => {
    const stored = attributes.find(name);
    return !stored || lacking(options, stored.options).length > 0;
  });
}

function lacking(options: readonly string[], stored: readonly { name: string }[]): string[] {
  const known = new Set(stored.map(({ name }) => name));
  return options.filter((option) => !known.has(option));
}

/** Creates an attribute, or adds the options that it lacks. It is locked, so that options that others add stay. */
async function saveAttribute(ctx: Context, { attributes }: NamedRecords, wanted: WantedAttribute): Promise<void> {
  const found = attributes.find(wanted.name);
  if (!found) {
    const options = wanted.options.map((name) => ({ name }));
    await saveProductAttribute(ctx, { input: { ...wanted, options } as never }, { id: {} });
    return;
  }
  await inTransaction(ctx, async (ctx) => {
    const { id, name, type } = await lockRecord(ctx, productAttribute, 'ProductAttribute', found.id);
    const stored = await readRecord(ctx, attributeProjection, id, { options: { id: {}, name: {} } });
    const kept = stored?.options ?? [];
    const added = lacking(wanted.options, kept).map((option) => ({ name: option }));
    await saveProductAttribute(ctx, { input: { id, name, type, options: [...kept, ...added] } }, { id: {} });
  });
}
