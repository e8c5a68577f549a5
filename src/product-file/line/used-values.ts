import type { TypeLine, ValueLine } from './product-line-input.ts';

/**
 * The variant types as a save stores them: with the types and values that variants use, and each value once. A type that is
 * not listed keeps its place among the stored ones. Of a type that is listed twice, which a save refuses, only the first
 * entry gets the used values: they could be ten thousand times ten thousand.
 */
export function withUsedValues(
  types: readonly TypeLine[],
  used: readonly ValueLine[],
  stored: readonly TypeLine[],
): TypeLine[] {
  const byType = Map.groupBy(used, ({ variantTypeName }) => variantTypeName);
  const listed = new Set(types.map(({ variantTypeName }) => variantTypeName));
  const missing = [...byType.keys()].filter((name) => !listed.has(name));
  const added = missing.map((name, index) => ({
    order: stored.find((type) => type.variantTypeName === name)?.order ?? types.length + index,
    variantTypeName: name,
    variantValues: [],
  }));
  const all = added.length === 0 ? types : [...types, ...added].sort((one, other) => one.order - other.order);
  return all.map((type) => {
    const names = (byType.get(type.variantTypeName) ?? []).map(({ variantValueName: name }) => ({ name }));
    byType.delete(type.variantTypeName);
    return { ...type, variantValues: distinctValues([...type.variantValues, ...names]) };
  });
}

function distinctValues(values: TypeLine['variantValues']): TypeLine['variantValues'] {
  const byName = new Map<string, (typeof values)[number]>();
  for (const value of values) if (!byName.has(value.name)) byName.set(value.name, value);
  return [...byName.values()];
}
