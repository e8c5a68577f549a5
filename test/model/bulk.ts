import { NEW_NAMED, withNamed } from './named.ts';
import {
  hasTwins,
  type Members,
  membersRefused,
  NEW_PRODUCT,
  patchedVariant,
  type VariantInput,
  variantsRefused,
  withProduct,
} from './product.ts';
import {
  byId,
  type Kind,
  merge,
  type Product,
  shown,
  type State,
  unknownIn,
  unless,
  type Variant,
  type Verdict,
} from './state.ts';

type Name = { name: string };
/**
 * An entry of `bulkUpdateProducts`. Its variants have ids if the product exists. `tags`: in the order of their names.
 * `categories`: none is below another one.
 */
export type BulkEntry = Pick<Members, 'sourceId' | 'salesChannels'> & {
  id?: string;
  name: string;
  deleted?: boolean;
  brand?: Name | null;
  tags?: Name[] | null;
  categories: { name: string[] }[];
  variants: VariantInput[];
};

/** Variants and members that an entry leaves out stay, the list of categories does not. */
export function bulkUpdate(state: State, entry: BulkEntry): Verdict {
  const { id, sourceId, salesChannels, deleted } = entry;
  const bySource = state.products.find((one) => typeof sourceId === 'string' && one.sourceId === sourceId);
  const stored = id === undefined ? bySource : byId(state.products, id);
  const before = stored ?? NEW_PRODUCT;
  const variants = entry.variants.map((one) => ({ isActive: true, ...one }));
  const refusals = [
    unknownIn(state.products, [id]),
    hasTwins(variants.flatMap((one) => one.id ?? [])) && ('ARGUMENT_VALIDATION_ERROR' as const),
    ...(deleted
      ? []
      : [
          ...membersRefused(state, before, { sourceId, salesChannels }),
          ...variantsRefused(state, before, variants, true),
        ]),
  ];
  return unless(refusals, (newId) => {
    if (!deleted) return updated(state, stored, { ...entry, variants }, newId);
    return stored ? withProduct(state, { ...stored, deleted }, stored) : state;
  });
}

function updated(
  state: State,
  stored: Product | undefined,
  { brand, tags, categories, variants, ...members }: BulkEntry,
  newId: (place: string) => string,
): State {
  const before = stored ?? NEW_PRODUCT;
  let after = state;
  const named = (kind: Kind, names: readonly string[], own: readonly string[] = []): string[] => {
    const found = resolved(after, { kind, names, own }, newId);
    after = found.state;
    return found.ids;
  };
  const brandId = brand && named('brand', [brand.name])[0];
  const tagNames = tags?.map(({ name }) => name);
  const tagIds = tagNames ? named('tag', tagNames) : tags;
  const categoryNames = categories.map(({ name }) => name[0]!);
  const categoryIds = named('category', categoryNames, before.categoryIds);
  const changed = variants.map((one, index) => patchedVariant(after, before, one, () => newId(`variants.${index}`)));
  const product = {
    ...merge(before, { ...members, brandId, tagIds, categoryIds }),
    id: stored?.id ?? newId('id'),
    variants: stored ? inPlaces(before.variants, changed) : changed,
  };
  return withProduct(after, product, stored);
}

type Names = { kind: Kind; names: readonly string[]; own: readonly string[] };

/** The product's own records that have the names, each once; else the oldest ones, or new ones. */
function resolved(state: State, { kind, names, own }: Names, newId: (place: string) => string) {
  const free = new Set(own);
  const found = names.map((name) => {
    const id = [...free].find((one) => byId(shown(state.named[kind]), one)?.name === name);
    if (id !== undefined) free.delete(id);
    return id;
  });
  let after = state;
  const ids = names.map((name, index) => {
    const oldest = shown(after.named[kind]).find((one) => one.name === name);
    const id = found[index] ?? oldest?.id;
    if (id !== undefined) return id;
    const record = { ...NEW_NAMED, id: newId(`${kind} ${name}`), name };
    after = withNamed(after, kind, record);
    return record.id;
  });
  return { state: after, ids: [...new Set(ids)] };
}

/** The changed variants have the places of these variants, in the order of the entry. */
function inPlaces(variants: readonly Variant[], changed: readonly Variant[]): Variant[] {
  const next = changed.values();
  return variants.map((one) => (byId(changed, one.id) ? next.next().value! : one));
}
