import type { Context } from '../../context.ts';
import { argumentInvalid, CommerceError } from '../../errors.ts';
import { saveProductAttribute } from '../../attribute/saveProductAttribute.ts';
import { saveStockLocation } from '../../stock/saveStockLocation.ts';
import type { FileProduct, WantedRecords } from './file-product.ts';
import { type Skipped, skippedFor } from './skipped.ts';
import { type AttributeRow, rereadNamedRecords, type NamedRecords } from '../line/named-records.ts';

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
  const missing = missingLocations(records, wanted);
  for (const label of missing)
    await saveStockLocation(ctx, { input: { name: label || DEFAULT_LOCATION_NAME } }, { id: {} });
  const changed = await saveAttributes(ctx, records, wantedAttributes(wanted));
  return missing.length > 0 || changed ? await rereadNamedRecords(ctx, records) : records;
}

/** In the order of the file, but the default location, which has an empty label, first: the oldest one is the default. */
function missingLocations(records: NamedRecords, wanted: readonly WantedRecords[]): string[] {
  const { locations, defaultLocationId, isWithoutLocations } = records;
  const labels = wanted.flatMap((records) => [
    ...records.locations,
    ...(isWithoutLocations ? records.existingLocations : []),
  ]);
  const missing = [...new Set(labels)].filter((label) =>
    label === '' ? defaultLocationId === undefined : !locations.find(label),
  );
  const repeated = missing.find((label) => locations.isRepeated(label));
  if (repeated === undefined) return missing.toSorted((a, b) => Number(b === '') - Number(a === ''));
  const message = `several have the name ${JSON.stringify(repeated)}: write an id behind it, as exports do`;
  throw argumentInvalid([{ path: ['stockLocation'], message }]);
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

/** Creates attributes, and adds options to those that exist. True if it wrote something. */
async function saveAttributes(ctx: Context, records: NamedRecords, wanted: WantedAttribute[]): Promise<boolean> {
  let isChanged = false;
  for (const { name, type, tableTemplate, options } of wanted) {
    const stored = records.attributes.find(name);
    const known = new Set(stored?.options.map((option) => option.name));
    const added = options.filter((option) => !known.has(option)).map((option) => ({ name: option }));
    if (stored && added.length === 0) continue;
    const kept = (stored?.options ?? []).map(({ id, name }) => ({ id, name }));
    const input = {
      name,
      type: stored?.type ?? type,
      ...(stored ? { id: stored.id } : { tableTemplate }),
      options: [...kept, ...added],
    };
    await saveProductAttribute(ctx, { input: input as never }, { id: {} });
    isChanged = true;
  }
  return isChanged;
}
