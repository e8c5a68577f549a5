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
  type Refusal,
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

type Target = { entry: BulkEntry; stored: Product | undefined; before: Product };

/** Variants and members that an entry leaves out stay, the list of categories does not. */
export function bulkUpdate(state: State, entries: readonly BulkEntry[]): Verdict {
  const targets = entries.map((entry): Target => {
    const stored = bulkProduct(state, entry);
    const variants = entry.variants.map((one) => ({ isActive: true, ...one }));
    return { entry: { ...entry, variants }, stored, before: stored ?? NEW_PRODUCT };
  });
  const ids = targets.flatMap(({ entry, stored }) => stored?.id ?? entry.id ?? []);
  const keys = [ids, entries.flatMap(({ sourceId }) => sourceId ?? [])];
  const refusals = [keys.some(hasTwins) && ('ARGUMENT_VALIDATION_ERROR' as const)];
  return unless([...refusals, ...targets.flatMap((one) => entryRefused(state, one))], (newId) => {
    const named = withNames(state, targets, newId);
    let created = 0;
    const after = targets.reduce((after, target, index) => {
      const { entry, stored } = target;
      if (entry.deleted) return stored ? withProduct(after, { ...stored, deleted: true }, stored) : after;
      const place = stored ? '' : `product ${created++}`;
      return updated(after, target, named.members[index]!, (part) => newId(`${place}${part}`));
    }, named.state);
    return { ...after, products: inListOrder(after.products, created) };
  });
}

/**
 * The state has products in the reverse order of the list. The list has the newest first, and those that one request has
 * created in the order of their entries.
 */
function inListOrder(products: readonly Product[], created: number): Product[] {
  const first = products.length - created;
  return [...products.slice(0, first), ...products.slice(first).toReversed()];
}

/** The stored product that an entry updates. */
export function bulkProduct({ products }: State, { id, sourceId }: Pick<BulkEntry, 'id' | 'sourceId'>) {
  if (id !== undefined) return byId(products, id);
  return products.find((one) => typeof sourceId === 'string' && one.sourceId === sourceId);
}

function entryRefused(state: State, { entry, before }: Target): (Refusal | false)[] {
  const { id, sourceId, salesChannels, deleted, variants } = entry;
  return [
    unknownIn(state.products, [id]),
    hasTwins(variants.flatMap((one) => one.id ?? [])) && 'ARGUMENT_VALIDATION_ERROR',
    ...(deleted
      ? []
      : [
          ...membersRefused(state, before, { sourceId, salesChannels }),
          ...variantsRefused(state, before, variants, true),
        ]),
  ];
}

/** An entry that deletes its product creates no records. */
const NO_NAMES: Pick<BulkEntry, 'brand' | 'tags' | 'categories'> = { categories: [] };

type References = Pick<Members, 'brandId' | 'tagIds' | 'categoryIds'>;

function updated(
  state: State,
  { entry, stored, before }: Target,
  references: References,
  newId: (part: string) => string,
): State {
  const { brand: _brand, tags: _tags, categories: _categories, variants, ...members } = entry;
  const changed = variants.map((one, index) => patchedVariant(state, before, one, () => newId(` ${index}`)));
  const product = {
    ...merge(before, { ...members, ...references }),
    id: stored?.id ?? newId(''),
    variants: stored ? inPlaces(before.variants, changed) : changed,
  };
  return withProduct(state, product, stored);
}

/**
 * The records that the entries name. Those that are missing are created kind by kind before the products: brands and
 * tags in the order of their names, categories in that of the entries.
 */
function withNames(state: State, targets: readonly Target[], newId: (place: string) => string) {
  let after = state;
  const idsOf = (names: Names): string[] => {
    const found = resolved(after, names, newId);
    after = found.state;
    return found.ids;
  };
  const sent = targets.map(({ entry, before }) => ({
    entry: entry.deleted ? NO_NAMES : entry,
    own: before.categoryIds,
  }));
  const brands = sent.map(({ entry }) => namesOf(entry.brand ? [entry.brand] : []));
  const tags = sent.map(({ entry }) => namesOf(entry.tags ?? []));
  idsOf({ kind: 'brand', names: brands.flat().toSorted(), own: [] });
  idsOf({ kind: 'tag', names: tags.flat().toSorted(), own: [] });
  const categories = sent.map(({ entry, own }) => {
    const names = entry.categories.map(({ name }) => name[0]!);
    return idsOf({ kind: 'category', names, own });
  });
  const members = sent.map(({ entry }, index): References => ({
    brandId: entry.brand && idsOf({ kind: 'brand', names: brands[index]!, own: [] })[0],
    tagIds: entry.tags && idsOf({ kind: 'tag', names: tags[index]!, own: [] }),
    categoryIds: categories[index],
  }));
  return { state: after, members };
}

function namesOf(named: readonly Name[]): string[] {
  return named.map(({ name }) => name);
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
