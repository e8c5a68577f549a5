import { categoryPath } from './category-path.ts';
import type { PortableProduct } from './portable-product.ts';
import type { Texts } from './record-names.ts';

type GivenTexts = Partial<Texts>;

/** Texts of brands and categories, and colours of option values, for an import that has to create them. */
export type TextsOfProduct = {
  brand?: GivenTexts;
  categoryTexts?: (GivenTexts & { name: string[] })[];
  /** Colors by the name of the variant type, then by the name of the value. */
  colors?: Record<string, Record<string, string>>;
};

/**
 * Remembers the records whose texts are already in the file: the texts are written with the first product that needs
 * them.
 */
export class WrittenTexts {
  readonly #keys = new Set<string>();

  of({ brand, categories, variantTypes }: PortableProduct): TextsOfProduct {
    const ofBrand = brand && given(brand);
    const categoryTexts = categories.flatMap((category) => this.#ofCategory(category));
    const colors = this.#colors(variantTypes);
    return {
      ...(ofBrand && this.#isFirst(`brand ${brand.name}`) && { brand: ofBrand }),
      ...(categoryTexts.length > 0 && { categoryTexts }),
      ...(Object.keys(colors).length > 0 && { colors }),
    };
  }

  #ofCategory(category: PortableProduct['categories'][number]) {
    const path = categoryPath(category);
    return [...category.ancestors, category].flatMap((entry, depth) => {
      const name = path.slice(0, depth + 1);
      const own = given(entry);
      return own && this.#isFirst(`category ${JSON.stringify(name)}`) ? [{ name, ...own }] : [];
    });
  }

  #colors(types: PortableProduct['variantTypes']): Record<string, Record<string, string>> {
    const found: Record<string, Record<string, string>> = {};
    for (const { name: type, values } of types)
      for (const { name, colorCode } of values)
        if (colorCode !== null && this.#isFirst(`color ${JSON.stringify([type, name])}`))
          (found[type] ??= {})[name] = colorCode;
    return found;
  }

  #isFirst(key: string): boolean {
    if (this.#keys.has(key)) return false;
    this.#keys.add(key);
    return true;
  }
}

/** Undefined for a record without texts. */
function given({ description, translations }: Texts): GivenTexts | undefined {
  if (description === null && translations === null) return undefined;
  return { ...(description !== null && { description }), ...(translations !== null && { translations }) };
}
