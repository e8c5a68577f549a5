import type { ProductLine, TypeLine, ValueLine, VariantLine } from '../line/product-line-input.ts';

/** How the format marks a product without options. */
const NO_OPTION = { name: 'Title', value: 'Default Title' };
/** The option cells of a product without variant types. */
export const BARE = { names: [NO_OPTION.name], values: [NO_OPTION.value] };

/**
 * The names of a product's option columns: its variant types in order, repeated if a variant has two values of one
 * type.
 */
export function optionNames({ productVariantTypes = [], variants }: ProductLine): string[] {
  const used = [...productVariantTypes, ...variants.flatMap(({ variantValues = [] }) => variantValues)];
  const names = [...new Set(used.map(({ variantTypeName }) => variantTypeName))];
  return names.flatMap((name) =>
    Array<string>(Math.max(0, ...variants.map((variant) => valuesOf(name, variant.variantValues).length))).fill(name),
  );
}

/** The cells of a variant for these names. */
export function optionCells({ variantValues }: VariantLine, names: readonly string[]): string[] {
  return names.map(
    (name, index) =>
      valuesOf(name, variantValues)[names.slice(0, index).filter((other) => other === name).length] ?? '',
  );
}

/** The variant types in the rows of a product. */
export function shownTypes(names: readonly string[], variants: readonly (readonly ValueLine[])[]): TypeLine[] {
  const byType = Map.groupBy(variants.flat(), ({ variantTypeName }) => variantTypeName);
  const types = [...new Set(names)].map((variantTypeName) => {
    const values = byType.get(variantTypeName)?.map(({ variantValueName }) => variantValueName);
    return { variantTypeName, variantValues: [...new Set(values)].map((name) => ({ name })) };
  });
  const used = types.filter(({ variantValues }) => variantValues.length > 0);
  return used.map((type, order) => ({ order, ...type }));
}

/** True for the names and values of a product without options. */
export function isWithoutOptions(names: readonly string[], variants: readonly (readonly ValueLine[])[]): boolean {
  return (
    names.length === 1 &&
    names[0] === NO_OPTION.name &&
    variants.flat().every(({ variantValueName }) => variantValueName === NO_OPTION.value)
  );
}

function valuesOf(type: string, values: readonly ValueLine[] = []): string[] {
  return values.flatMap(({ variantTypeName, variantValueName }) =>
    variantTypeName === type ? [variantValueName] : [],
  );
}
