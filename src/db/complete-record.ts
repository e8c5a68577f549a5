import type { Selection } from './shape.ts';

/** Makes of a parsed value what GraphQL answers. It may change the value in place. */
export type Complete = (value: unknown, page: SharedValues) => unknown;

/** What a statement has read once for all records of its page. */
export type SharedValues = {
  value(place: number): unknown;
  /** One of the records read by `sharedRecords`; undefined where there is none. */
  record(place: number, id: string | null): unknown;
};

/** Undefined where no member has anything left to do. */
export function completeMembers(members: readonly { name: string; complete?: Complete }[]): Complete | undefined {
  const incomplete = members.flatMap(({ name, complete }) => (complete ? [{ name, complete }] : []));
  if (incomplete.length === 0) return undefined;
  return (value, page) => {
    if (value === null) return null;
    const record = value as Record<string, unknown>;
    for (const { name, complete } of incomplete) record[name] = complete(record[name], page);
    return record;
  };
}

export function completeEach(complete: Complete): Complete {
  return (value, page) => {
    const list = value as unknown[];
    for (let index = 0; index < list.length; index++) list[index] = complete(list[index], page);
    return list;
  };
}

type Pick = (value: unknown) => unknown;
type Member = { name: string; pick?: Pick; derive?: (entry: unknown, page: SharedValues) => unknown };

/** Takes the selected members of an object, or of each object of a list; a selection without members takes the value as it is. */
export function pick(selection: Selection): Pick {
  const members = Object.entries(selection).map(([name, below]) => ({ name, pick: pick(below) }));
  if (members.length === 0) return (value) => value ?? null;
  const complete = pickMembers(members);
  return (value) => complete(value, nothingShared);
}

export function pickMembers(members: readonly Member[]): Complete {
  const one = (value: unknown, page: SharedValues): unknown => {
    if (value === null || typeof value !== 'object') return null;
    const picked: Record<string, unknown> = {};
    for (const { name, pick, derive } of members) picked[name] = derive ? derive(value, page) : pick!((value as Record<string, unknown>)[name]);
    return picked;
  };
  return (value, page) => (Array.isArray(value) ? value.map((entry) => one(entry, page)) : one(value, page));
}

const nothingShared: SharedValues = {
  value: () => null,
  record: () => undefined,
};
