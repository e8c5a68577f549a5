import type { ProductDifference } from '../../product-file/import/differences.ts';

/** A member without the names of variants, price lists and stock locations, and the first product that changes it. */
export type MemberCount = { member: string; products: number; example: string };

/** Counts the products that would change each member. Members of new products are counted as one, `created`. */
export class MemberCounts {
  readonly #counts = new Map<string, MemberCount>();

  add(differences: readonly ProductDifference[]): void {
    for (const { handle, change, outcome, members } of differences) {
      const ending = outcome === 'WRITTEN' ? '' : ` (${outcome.toLowerCase()})`;
      const names = change === 'CREATED' ? ['(new product)'] : members.map(({ member }) => plainMember(member));
      for (const name of new Set(names)) this.#count(name + ending, handle);
    }
  }

  /** The most frequent first. */
  list(): MemberCount[] {
    return [...this.#counts.values()].toSorted((a, b) => b.products - a.products || (a.member < b.member ? -1 : 1));
  }

  #count(member: string, example: string): void {
    const count = this.#counts.get(member) ?? { member, products: 0, example };
    count.products += 1;
    this.#counts.set(member, count);
  }
}

/** `variants[tee-m].prices[Retail].sellPrice` as `variants.prices.sellPrice`. A name in brackets may have brackets. */
function plainMember(member: string): string {
  let depth = 0;
  return Array.from(member, (character) => {
    if (character === '[') depth += 1;
    const text = depth === 0 ? character : '';
    if (character === ']') depth = Math.max(0, depth - 1);
    return text;
  }).join('');
}
