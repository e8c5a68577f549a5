import {
  hasTwins,
  type PriceInput,
  patchedVariant,
  type VariantInput,
  variantsRefused,
  withProduct,
} from './product.ts';
import { byId, type Product, refusedWith, type State, type Variant, type Verdict } from './state.ts';

/** An entry of `bulkUpdateProducts` for a product that exists, with variants that are not deleted. `categories`: their names. */
export type BulkEntry = {
  id: string;
  name: string;
  deleted?: boolean;
  categories: { name: string[] }[];
  variants: { id: string; sku?: string | null; isActive?: boolean; prices: PriceInput[] }[];
};

/** Variants and members that an entry leaves out stay, the list of categories does not. */
export function bulkUpdate(state: State, { id, name, deleted, categories, variants }: BulkEntry): Verdict {
  const stored = byId(state.products, id);
  const sent: VariantInput[] = variants.map((one) => ({ isActive: true, ...one }));
  const refused = refusedWith(
    !stored && 'NOT_FOUND',
    hasTwins(variants.map((one) => one.id)) && 'ARGUMENT_VALIDATION_ERROR',
    ...(stored && deleted !== true ? variantsRefused(state, stored, sent) : []),
  );
  if (refused || !stored) return refused!;
  if (deleted === true) return { settle: () => withProduct(state, { ...stored, deleted: true }, stored) };
  return {
    settle: () => {
      const changed = sent.map((one) => patchedVariant(stored, one, () => one.id!));
      const product: Product = {
        ...stored,
        name,
        deleted: deleted ?? stored.deleted,
        categoryIds: categories.length === 0 ? [] : stored.categoryIds,
        variants: inPlaces(stored.variants, changed),
      };
      return withProduct(state, product, stored);
    },
  };
}

/** The changed variants have the places of these variants, in the order of the entry. */
function inPlaces(variants: readonly Variant[], changed: readonly Variant[]): Variant[] {
  const next = changed.values();
  return variants.map((one) => (byId(changed, one.id) ? next.next().value! : one));
}

/** The product's categories by their names, of which the product stays in those it is in; none if that is not clear. */
export function categoryNames(state: State, { categoryIds }: Product): { name: string[] }[] {
  const own = categoryIds.map((id) => byId(state.named.category, id)!);
  const names = own.map(({ name }) => name);
  return own.some(({ deleted }) => deleted) || hasTwins(names) ? [] : names.map((name) => ({ name: [name] }));
}
