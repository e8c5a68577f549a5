import type { ValueLine } from '../line/product-line-input.ts';
import type { FileProduct, ReadProduct } from './file-product.ts';
import { type Mistake, type Place, placeOf, placeText } from './skipped.ts';

type Sku = { handle: string; line: number; index: number; place: Place };

/**
 * Finds what a product may have and is probably a slip: a sku that another variant of the file has, and a value that a
 * variant type has twice. Only skus and their places are kept, because a file may be large.
 */
export class Slips {
  readonly #skus = new Map<string, Sku>();

  find(product: FileProduct, { line, variants }: ReadProduct): Mistake[] {
    const ofVariants = variants.flatMap(({ line: { sku, variantValues = [] } }, index) => [
      ...(sku ? this.#ofSku(product, index, sku) : []),
      ...repeatedValues(variantValues).map((at) =>
        slip(
          product,
          ['variants', index, 'variantValues', at, 'variantValueName'],
          `${quoted(variantValues[at]!.variantValueName)} is there twice for ${quoted(variantValues[at]!.variantTypeName)}`,
        ),
      ),
    ]);
    const ofTypes = (line.productVariantTypes ?? []).flatMap((type, at) =>
      alikeNames(type.variantValues.map(({ name }) => name)).map(({ index, text }) =>
        slip(
          product,
          ['productVariantTypes', at, 'variantValues', index, 'name'],
          `${text} (${quoted(type.variantTypeName)})`,
        ),
      ),
    );
    return [...product.warnings(), ...ofVariants, ...ofTypes];
  }

  /** A batch may be tried again, so the same variant is no other one. */
  #ofSku(product: FileProduct, index: number, sku: string): Mistake[] {
    const path = ['variants', index, 'sku'];
    const { handle, line } = product;
    const earlier = this.#skus.get(sku);
    if (!earlier) this.#skus.set(sku, { handle, line, index, place: placeOf(product.locate(path)) });
    if (!earlier || (earlier.line === line && earlier.index === index)) return [];
    const other = earlier.line === line ? 'another variant of the product' : `the product ${quoted(earlier.handle)}`;
    return [slip(product, path, `${quoted(sku)} is the sku of ${other} too, in ${placeText(earlier.place)}`)];
  }
}

function slip(product: FileProduct, path: readonly (string | number)[], reason: string): Mistake {
  const { title, ...place } = product.locate(path);
  return { ...place, reason: `${title ?? `${path.join('.')}:`} ${reason}` };
}

/** The positions of values that are there before, of the same variant type. */
function repeatedValues(values: readonly ValueLine[]): number[] {
  return repeatedPlaces(
    values.map(({ variantTypeName, variantValueName }) => JSON.stringify([variantTypeName, variantValueName])),
  );
}

/** The positions of texts that are there before. */
export function repeatedPlaces(texts: readonly string[]): number[] {
  const firsts = new Map(texts.map((text, place) => [text, place] as const).reverse());
  return texts.flatMap((text, place) => (firsts.get(text)! < place ? [place] : []));
}

/** Names that are there before, or that differ from one before only in case. */
function alikeNames(names: readonly string[]): { index: number; text: string }[] {
  const first = new Map<string, string>();
  return names.flatMap((name, index) => {
    const key = name.toLowerCase();
    const earlier = first.get(key);
    if (earlier === undefined) first.set(key, name);
    if (earlier === undefined) return [];
    const text = earlier === name ? 'is there twice' : `differs from ${quoted(earlier)} only in case`;
    return [{ index, text: `${quoted(name)} ${text}` }];
  });
}

function quoted(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
}
