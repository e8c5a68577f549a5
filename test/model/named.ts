import { withSlug } from './slugs.ts';
import {
  byId,
  changedIn,
  type Kind,
  merge,
  type NamedRecord,
  shown,
  type State,
  unknownIn,
  unless,
  type Verdict,
  withRecord,
} from './state.ts';

/** Records of these kinds have different names, unless they are deleted. */
export const UNIQUE: readonly Kind[] = ['tag', 'brand', 'attribute', 'variantType'];

/** Records of these kinds have a page in the shop. */
export const WITH_PAGE: readonly Kind[] = ['brand', 'category'];

export const NEW_NAMED: NamedRecord = {
  id: '',
  name: '',
  deleted: false,
  allowsNegativeStock: false,
  currency: null,
  parentId: null,
};

/** `slug`: that of the metadata. */
export type SaveNamed = Partial<Omit<NamedRecord, 'allowsNegativeStock' | 'parentId'>> & {
  name: string;
  slug?: string;
  allowsNegativeStock?: boolean | null;
};

export function saveNamed(state: State, kind: Kind, { id, slug, allowsNegativeStock, ...members }: SaveNamed): Verdict {
  const list = state.named[kind];
  const stored = byId(list, id) ?? NEW_NAMED;
  const flag = allowsNegativeStock === null ? false : allowsNegativeStock;
  const record = merge(stored, { ...members, allowsNegativeStock: flag });
  const isTwin = (other: NamedRecord) => other.id !== id && other.name === record.name;
  const hasTwin = UNIQUE.includes(kind) && !record.deleted && shown(list).some(isTwin);
  return unless([unknownIn(list, [id]), hasTwin && 'CONFLICT'], (newId) =>
    withNamed(state, kind, { ...record, id: id ?? newId('id') }, slug),
  );
}

export function deleteNamed(state: State, kind: Kind, ids: readonly string[]): Verdict {
  const list = state.named[kind];
  return unless([unknownIn(list, ids)], () => ({
    ...state,
    named: { ...state.named, [kind]: changedIn(list, ids, { deleted: true }) },
  }));
}

export function withNamed(state: State, kind: Kind, record: NamedRecord, slug?: string): State {
  const after = { ...state, named: { ...state.named, [kind]: withRecord(state.named[kind], record) } };
  return WITH_PAGE.includes(kind) ? withSlug(after, record.id, record.name, slug) : after;
}
