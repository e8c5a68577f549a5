import type { StoredVariantType } from '../../../drizzle/product-values.ts';
import { inStoredOrder } from '../merge/stored-order.ts';
import type { ProductWrite } from '../stored/write-product-rows.ts';

/**
 * The variant types of the product: those that were sent, and the types and values that its variants use. An entry may
 * name only some of the variants, and their values.
 */
export function withUsedValues(
  { row, variants }: ProductWrite,
  stored: readonly StoredVariantType[],
): StoredVariantType[] | null {
  const sent = row.productVariantTypes ?? [];
  const values = variants.flatMap(({ row }) => (row.deleted ? [] : (row.variantValueIds ?? [])));
  const used = Map.groupBy(values, ({ variantTypeId }) => variantTypeId);
  const [sentById, storedById] = [typesById(sent), typesById(stored)];
  const types = withUsed([...storedById.keys()], [...sentById.keys()], [...used.keys()]).map((variantTypeId, index) => {
    const [sentType, storedType] = [sentById.get(variantTypeId), storedById.get(variantTypeId)];
    const usedIds = (used.get(variantTypeId) ?? []).map(({ variantValueId }) => variantValueId);
    // In the order of the input's members, as a save stores them.
    return {
      order: sentType?.order ?? storedType?.order ?? index,
      variantTypeId,
      variantValueIds: withUsed(storedType?.variantValueIds ?? [], sentType?.variantValueIds ?? [], usedIds),
    };
  });
  return types.length > 0 ? types : null;
}

/** The sent ids and the used ones; what is stored keeps its place. */
function withUsed(stored: readonly string[], sent: readonly string[], used: readonly string[]): string[] {
  const wanted = new Set([...sent, ...used]);
  return [
    ...new Set([
      ...inStoredOrder(
        stored.filter((id) => wanted.has(id)),
        sent,
      ),
      ...used,
    ]),
  ];
}

function typesById(types: readonly StoredVariantType[]): ReadonlyMap<string, StoredVariantType> {
  return new Map(types.map((type) => [type.variantTypeId, type]));
}
