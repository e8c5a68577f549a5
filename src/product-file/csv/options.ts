import type { ProductLine, VariantLine } from '../line/product-line-input.ts';
import type { CsvVariantType } from './cells.ts';

/** How the format marks a product without options. */
export const NO_OPTION = { name: 'Title', value: 'Default Title' };

export type OptionValue = { typeName: string; name: string };

/**
 * The names of a product's option columns: its variant types in order, repeated if a variant has two values of one
 * type.
 */
export function optionNames({ productVariantTypes = [], variants }: ProductLine): string[] {
  const used = variants.flatMap((variant) => optionValues(variant).map(({ typeName }) => typeName));
  const names = [...new Set([...productVariantTypes.map(({ variantTypeName }) => variantTypeName), ...used])];
  return names.flatMap((name) =>
    Array<string>(Math.max(0, ...variants.map((variant) => valuesOf(variant, name).length))).fill(name),
  );
}

/** The cells of a variant for these names. */
export function optionCells(variant: VariantLine, names: readonly string[]): string[] {
  return names.map(
    (name, index) => valuesOf(variant, name)[names.slice(0, index).filter((other) => other === name).length] ?? '',
  );
}

export function optionValues({ variantValues = [] }: VariantLine): OptionValue[] {
  return variantValues.map(({ variantTypeName, variantValueName }) => ({
    typeName: variantTypeName,
    name: variantValueName,
  }));
}

/** The variant types in the rows of a product. */
export function shownTypes(names: readonly string[], variants: readonly (readonly OptionValue[])[]): CsvVariantType[] {
  const valuesOf = (name: string) =>
    variants.flatMap((values) => values.filter(({ typeName }) => typeName === name).map((value) => value.name));
  const types = [...new Set(names)].map((name) => ({ name, values: [...new Set(valuesOf(name))] }));
  return types.filter(({ values }) => values.length > 0).map(({ name, values }, order) => ({ name, order, values }));
}

/** True for the names and values of a product without options. */
export function isWithoutOptions(names: readonly string[], variants: readonly (readonly OptionValue[])[]): boolean {
  return (
    names.length === 1 &&
    names[0] === NO_OPTION.name &&
    variants.every((values) => values.every(({ name }) => name === NO_OPTION.value))
  );
}

function valuesOf(variant: VariantLine, type: string): string[] {
  return optionValues(variant).flatMap(({ typeName, name }) => (typeName === type ? [name] : []));
}
