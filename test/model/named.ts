import { withSlug } from './slugs.ts';
import { byId, type Kind, type NamedRecord, refusedWith, type State, type Verdict, withRecord } from './state.ts';

/** Records of these kinds have different names, unless they are deleted. */
export const UNIQUE: readonly Kind[] = ['tag', 'brand', 'attribute', 'variantType'];

/** Records of these kinds have a page in the shop. */
export const WITH_PAGE: readonly Kind[] = ['brand', 'category'];

/** `slug` is for new records. */
export type SaveNamed = {
  id?: string;
  name: string;
  deleted?: boolean;
  slug?: string;
  allowsNegativeStock?: boolean | null;
  currency?: string;
};

export function saveNamed(state: State, kind: Kind, input: SaveNamed): Verdict {
  const list = state.named[kind];
  const stored = input.id === undefined ? undefined : byId(list, input.id);
  const deleted = input.deleted ?? stored?.deleted ?? false;
  const hasTwin =
    UNIQUE.includes(kind) &&
    !deleted &&
    list.some((other) => other.id !== input.id && !other.deleted && other.name === input.name);
  return (
    refusedWith(input.id !== undefined && !stored && 'NOT_FOUND', hasTwin && 'CONFLICT') ?? {
      settle: (newId) => {
        const { allowsNegativeStock: sent = stored?.allowsNegativeStock ?? false } = input;
        const allowsNegativeStock = sent ?? false;
        const currency = input.currency ?? stored?.currency ?? null;
        const record = { id: stored?.id ?? newId('id'), name: input.name, deleted, allowsNegativeStock, currency };
        const after = withNamed(state, kind, record);
        return WITH_PAGE.includes(kind) ? withSlug(after, record.id, record.name, input.slug) : after;
      },
    }
  );
}

export function deleteNamed(state: State, kind: Kind, ids: readonly string[]): Verdict {
  const list = state.named[kind];
  return (
    refusedWith(ids.some((id) => !byId(list, id)) && 'NOT_FOUND') ?? {
      settle: () => ({
        ...state,
        named: { ...state.named, [kind]: list.map((one) => (ids.includes(one.id) ? { ...one, deleted: true } : one)) },
      }),
    }
  );
}

export function withNamed(state: State, kind: Kind, record: NamedRecord): State {
  return { ...state, named: { ...state.named, [kind]: withRecord(state.named[kind], record) } };
}
