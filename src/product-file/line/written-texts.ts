import type { Texts } from '../stored/record-names.ts';

type GivenTexts = Partial<Texts>;

/**
 * Texts of brands and categories, and colours of option values, for an import that has to create them. They are written
 * with the first product that needs them.
 */
export class WrittenTexts {
  readonly #keys = new Set<string>();

  ofBrand(brand: { name: string } & Texts): GivenTexts {
    return this.#once(['brand', brand.name], given(brand)) ?? {};
  }

  /** `path`: a category after its ancestors. */
  ofCategories(path: readonly ({ name: string } & Texts)[]): (GivenTexts & { name: string[] })[] {
    return path.flatMap((category, depth) => {
      const own = given(category);
      if (!own) return [];
      const name = path.slice(0, depth + 1).map((entry) => entry.name);
      const texts = this.#once(['category', name], own);
      return texts ? [{ name, ...texts }] : [];
    });
  }

  ofValue(type: string, value: { name: string; colorCode: string | null }): { colorCode?: string } {
    const colorCode = this.#once(['color', type, value.name], value.colorCode);
    return colorCode == null ? {} : { colorCode };
  }

  #once<Value>(key: unknown[], value: Value | null | undefined): Value | null | undefined {
    if (value == null) return value;
    const text = JSON.stringify(key);
    if (this.#keys.has(text)) return undefined;
    this.#keys.add(text);
    return value;
  }
}

/** Undefined for a record without texts. */
function given({ description, translations }: Texts): GivenTexts | undefined {
  if (description === null && translations === null) return undefined;
  return { ...(description !== null && { description }), ...(translations !== null && { translations }) };
}
