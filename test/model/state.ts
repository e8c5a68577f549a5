import type { Automated } from './automated.ts';

/** What one merchant has stored, as the SDL promises it. Plain objects: the model shares no code with the service. */

/** Kinds of records with a name, most of which products refer to. */
export const KINDS = [
  'tag',
  'brand',
  'category',
  'channel',
  'location',
  'priceList',
  'attribute',
  'variantType',
] as const;
export type Kind = (typeof KINDS)[number];

/**
 * `allowsNegativeStock`: of a stock location; else false. `currency`: of a price list; else null. `parentId`: of a
 * category; else null.
 */
export type NamedRecord = {
  id: string;
  name: string;
  deleted: boolean;
  allowsNegativeStock: boolean;
  currency: string | null;
  parentId: string | null;
};
/** `currency`: its own one; null if it has that of its price list or merchant. */
export type Price = {
  sellPrice: number;
  discountPrice: number | null;
  currency: string | null;
  priceListId: string | null;
};
export type Variant = {
  id: string;
  sku: string | null;
  isActive: boolean;
  sellIfOutOfStock: boolean | null;
  deleted: boolean;
  prices: Price[];
};
export type ChannelSettings = { id: string; status: string; maxQuantityPerCart: number | null };
export type Product = {
  id: string;
  name: string;
  sourceId: string | null;
  vendorId: string | null;
  maxQuantityPerCart: number | null;
  brandId: string | null;
  tagIds: string[];
  categoryIds: string[];
  salesChannelIds: string[];
  hiddenSalesChannelIds: string[];
  salesChannels: ChannelSettings[];
  deleted: boolean;
  version: number;
  /** In their order; deleted ones too. */
  variants: Variant[];
};
export type Place = { productId: string; variantId: string; stockLocationId: string };
export type Movement = { kind: string; delta: number; key: string | null; reference: string | null };
/** The count of a place is the sum of its movements. `openedAt` tells rows of one place from each other. */
export type StockCount = Place & { movements: Movement[]; deleted: boolean; openedAt: number };
export type Hold = Place & {
  id: string;
  quantity: number;
  key: string;
  reference: string | null;
  status: 'ACTIVE' | 'COMMITTED' | 'RELEASED' | 'EXPIRED';
  expiresAt: number;
};
export type Customer = {
  id: string;
  firstName: string;
  lastName: string | null;
  email: string | null;
  deleted: boolean;
};

export type Webhook = { id: string; scope: string; endpoint: string };

/** A change set, and the states before and after it, without earlier moments. `reverts`: the change set taken back. */
export type Moment = { changeSetId: string; at: number; reverts: string | null; before: State; after: State };

export type State = {
  moments: Moment[];
  named: Record<Kind, NamedRecord[]>;
  /** Categories with conditions. They are not among `named`, and products do not refer to them. */
  automated: Automated[];
  products: Product[];
  customers: Customer[];
  stocks: StockCount[];
  holds: Hold[];
  /** The content of each key's entry. `isGone`: the stock count of its movement or hold was removed. */
  stockKeys: Record<string, { content: string; isGone: boolean }>;
  /** The customers of each receipt. */
  erasures: string[][];
  /** Of the only app, in no order. */
  webhooks: Webhook[];
  /** What the webhooks were told of products and customers. */
  events: { record: string; scope: string }[];
  /** By the ids of products, categories and brands. */
  slugs: Record<string, string>;
};

export const EMPTY: State = {
  moments: [],
  named: Object.fromEntries(KINDS.map((kind) => [kind, [] as NamedRecord[]])) as State['named'],
  automated: [],
  products: [],
  customers: [],
  stocks: [],
  holds: [],
  stockKeys: {},
  erasures: [],
  webhooks: [],
  events: [],
  slugs: {},
};

/** Names of error codes: the service must answer with one of them. */
export type Refusal = 'NOT_FOUND' | 'CONFLICT' | 'ARGUMENT_VALIDATION_ERROR' | 'INVALID_SCOPE';

/**
 * What the model says of a command: which errors are right, or the state after it. `settle` gets the ids that the
 * service gave to new records, in the order in which the model asks for them. `refused` and `answer` are what the
 * service has to say of stock: `extensions.refused` of a CONFLICT, and the movements or holds. With `refusals` beside
 * `settle` both are right.
 */
export type Verdict =
  | Refused
  | { refusals?: Refusal[]; settle: (newId: (place: string) => string) => State; answer?: (after: State) => object[] };

export type Refused = { refusals: Refusal[]; refused?: object[] };

export function refusedWith(refusals: readonly (Refusal | false)[]): Refused | null {
  const given = refusals.filter((refusal) => refusal !== false);
  return given.length > 0 ? { refusals: [...new Set(given)] } : null;
}

/** Refuses a request with these errors. Without errors it is accepted, and `settle` returns the state after it. */
export function unless(
  refusals: readonly (Refusal | false)[],
  settle: (newId: (place: string) => string) => State,
): Verdict {
  return refusedWith(refusals) ?? { settle };
}

export function unknownIn(list: readonly { id: string }[], ids: readonly (string | undefined)[]): Refusal | false {
  return ids.some((id) => id !== undefined && !byId(list, id)) && 'NOT_FOUND';
}

/** A member that is left out keeps its value; null clears it, of a list too. */
export function merge<T extends object>(stored: T, members: object): T {
  const sent = Object.entries(members).filter(([, value]) => value !== undefined);
  const isList = (member: string) => Array.isArray(stored[member as keyof T]);
  const values = sent.map(([member, value]) => [member, value === null && isList(member) ? [] : value] as const);
  return { ...stored, ...Object.fromEntries(values) };
}

/** The list with these values in the records that have one of the ids. */
export function changedIn<T extends { id: string }>(
  list: readonly T[],
  ids: readonly string[],
  values: Partial<T>,
): T[] {
  return list.map((one) => (ids.includes(one.id) ? { ...one, ...values } : one));
}

export function shown<T extends { deleted: boolean }>(list: readonly T[] = []): T[] {
  return list.filter(({ deleted }) => !deleted);
}

/** The list with this record instead of the one with its id, or after the others. */
export function withRecord<T extends { id: string }>(list: readonly T[], record: T): T[] {
  return list.some(({ id }) => id === record.id)
    ? list.map((one) => (one.id === record.id ? record : one))
    : [...list, record];
}

export function byId<T extends { id: string }>(list: readonly T[], id: string | undefined): T | undefined {
  return list.find((one) => one.id === id);
}

/** A record that a new reference may name: it exists and is not deleted, or the reference is stored already. */
export function canRefer(state: State, kind: Kind, ids: readonly string[], stored: readonly string[]): boolean {
  return ids.every((id) => stored.includes(id) || byId(state.named[kind], id)?.deleted === false);
}

export function variantAt({ products }: State, { productId, variantId }: Omit<Place, 'stockLocationId'>) {
  return byId(byId(products, productId)?.variants ?? [], variantId);
}

/** For the names of `choices.ts`: without case, accents and spaces around. */
export function folded(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().trim();
}

export function idsOf(records: readonly { id: string }[]): string[] {
  return records.map(({ id }) => id);
}
