import { WITH_PAGE, withNamed } from './named.ts';
import {
  hasTwins,
  type Members,
  membersRefused,
  merge,
  NEW_PRODUCT,
  patchedVariant,
  type VariantInput,
  variantsRefused,
  withProduct,
} from './product.ts';
import { withSlug } from './slugs.ts';
import { byId, type Kind, type Product, refusedWith, type State, type Variant, type Verdict } from './state.ts';

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
  const sent = entry.variants.map((one) => ({ isActive: true, ...one }));
  const members = { sourceId, salesChannels };
  const refused = refusedWith(
    id !== undefined && !stored && 'NOT_FOUND',
    hasTwins(sent.flatMap((one) => one.id ?? [])) && 'ARGUMENT_VALIDATION_ERROR',
    ...(deleted ? [] : [...membersRefused(state, before, members), ...variantsRefused(state, before, sent, true)]),
  );
  if (refused) return refused;
  if (deleted) return { settle: () => (stored ? withProduct(state, { ...stored, deleted }, stored) : state) };
  return { settle: (newId) => updated(state, stored, { ...entry, variants: sent }, newId) };
}

function updated(
  state: State,
  stored: Product | undefined,
  { name, deleted, brand, tags, categories, variants, sourceId, salesChannels }: BulkEntry,
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
  const tagIds =
    tags &&
    named(
      'tag',
      tags.map((one) => one.name),
    );
  const categoryIds = named(
    'category',
    categories.map((one) => one.name[0]!),
    before.categoryIds,
  );
  const changed = variants.map((one, index) => patchedVariant(after, before, one, () => newId(`variants.${index}`)));
  const members = { name, deleted, brandId, tagIds, categoryIds };
  const product = {
    ...merge(before, { ...members, sourceId, salesChannels }),
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
    const has = (id: string) => state.named[kind].some((one) => one.id === id && one.name === name && !one.deleted);
    const id = [...free].find(has);
    if (id !== undefined) free.delete(id);
    return id;
  });
  let after = state;
  const ids = names.map((name, index) => {
    const oldest = after.named[kind].find((one) => one.name === name && !one.deleted);
    const id = found[index] ?? oldest?.id;
    if (id !== undefined) return id;
    const record = { id: newId(`${kind} ${name}`), name, deleted: false, allowsNegativeStock: false, currency: null };
    after = withNamed(after, kind, record);
    if (WITH_PAGE.includes(kind)) after = withSlug(after, record.id, name);
    return record.id;
  });
  return { state: after, ids: [...new Set(ids)] };
}

/** The changed variants have the places of these variants, in the order of the entry. */
function inPlaces(variants: readonly Variant[], changed: readonly Variant[]): Variant[] {
  const next = changed.values();
  return variants.map((one) => (byId(changed, one.id) ? next.next().value! : one));
}
