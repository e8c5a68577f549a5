import { categoryPath, type PortableProduct } from '../stored/portable-product.ts';
import type { Texts } from '../stored/record-names.ts';

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
    const found = types.map(({ name: type, values }) => {
      const colored = values.filter(({ name, colorCode }) => colorCode !== null && this.#isFirst(colorKey(type, name)));
      return [type, Object.fromEntries(colored.map(({ name, colorCode }) => [name, colorCode!]))] as const;
    });
    return Object.fromEntries(found.filter(([, colors]) => Object.keys(colors).length > 0));
  }

  #isFirst(key: string): boolean {
    if (this.#keys.has(key)) return false;
    this.#keys.add(key);
    return true;
  }
}

function colorKey(type: string, value: string): string {
  return `color ${JSON.stringify([type, value])}`;
}

/** The color of a value. A name may be that of a member of all objects, such as `constructor`. */
export function colorOf(
  colors: Record<string, Record<string, string>> | undefined,
  type: string,
  value: string,
): string | undefined {
  const ofType = colors && Object.hasOwn(colors, type) ? colors[type]! : {};
  return Object.hasOwn(ofType, value) ? ofType[value] : undefined;
}

/** Undefined for a record without texts. */
function given({ description, translations }: Texts): GivenTexts | undefined {
  if (description === null && translations === null) return undefined;
  return { ...(description !== null && { description }), ...(translations !== null && { translations }) };
}
