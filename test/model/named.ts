import { byId, type Kind, type NamedRecord, refusedWith, type State, type Verdict, withRecord } from './state.ts';

/** Records of these kinds have different names, unless they are deleted. */
const UNIQUE: readonly Kind[] = ['tag', 'brand'];

export type SaveNamed = { id?: string; name: string; deleted?: boolean };

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
      settle: (newId) => withNamed(state, kind, { id: stored?.id ?? newId('id'), name: input.name, deleted }),
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
