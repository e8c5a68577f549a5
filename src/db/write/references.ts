import type { InputPath } from '../../errors.ts';
import type { PipelineStep } from '../connection/pipeline.ts';
import type { Tenant } from '../sql/parameter.ts';
import { type RecordType, recordTypes, referenceCheck, type SentId } from './record-types.ts';

/** A member with ids of records, from `@reference` in the SDL. `path` as in `variants[].prices[].priceListId`. */
export type Reference = {
  readonly path: string;
  readonly to: RecordType;
  /** The member beside it with the id of the record that it must belong to. */
  readonly partOf?: string;
  /** False: the record must not be deleted, even if the id is stored. */
  readonly again?: false;
};

type Entry = Readonly<Record<string, unknown>>;
/** Receives an id and the object that it is a member of. `path` changes after the call. */
type Visit = (id: string, reference: Reference, entry: Entry, path: InputPath) => void;
/** Visits the ids in an input, or in a stored row, which has the same members. Skips damaged JSON of plain SQL. */
export type ReferenceWalk = (record: object, path: InputPath, visit: Visit) => void;

type Step = (entry: Entry, path: InputPath, visit: Visit) => void;

/** Makes a walk from a generated list, once for a type. */
export function referenceWalk(references: readonly Reference[]): ReferenceWalk {
  const steps = stepsOf(references.map((reference) => ({ reference, members: reference.path.split('.') })));
  return (record, path, visit) => {
    const place = [...path];
    for (const step of steps) step(record as Entry, place, visit);
  };
}

type Rest = { reference: Reference; members: string[] };

function stepsOf(references: readonly Rest[]): Step[] {
  const byMember = Map.groupBy(references, ({ members }) => members[0]!);
  return [...byMember].map(([member, rests]) => {
    const inner = rests.filter(({ members }) => members.length > 1);
    const take = inner.length > 0 ? takeEntry(inner) : takeId(rests[0]!.reference);
    return member.endsWith('[]') ? listStep(member.slice(0, -2), take) : memberStep(member, take);
  });
}

/** Visits the ids in one value. `entry`: the object that has the value as a member, or in a list. */
type Take = (value: unknown, entry: Entry, path: InputPath, visit: Visit) => void;

function takeId(reference: Reference): Take {
  return (value, entry, path, visit) => {
    if (typeof value === 'string') visit(value, reference, entry, path);
  };
}

function takeEntry(inner: readonly Rest[]): Take {
  const steps = stepsOf(inner.map(({ reference, members }) => ({ reference, members: members.slice(1) })));
  return (value, _, path, visit) => {
    if (typeof value === 'object' && value !== null) for (const step of steps) step(value as Entry, path, visit);
  };
}

function memberStep(member: string, take: Take): Step {
  return (entry, path, visit) => {
    path.push(member);
    take(entry[member], entry, path, visit);
    path.pop();
  };
}

function listStep(member: string, take: Take): Step {
  return (entry, path, visit) => {
    const list = entry[member];
    if (!Array.isArray(list)) return;
    path.push(member, 0);
    for (const [index, value] of list.entries()) {
      path[path.length - 1] = index;
      take(value, entry, path, visit);
    }
    path.length -= 2;
  };
}

/** The ids that a stored record has. They may be sent again, although their records may have been deleted since. */
export class StoredReferences extends Set<string> {
  addRow(walk: ReferenceWalk, row: object): void {
    walk(row, [], (id, { again }) => {
      if (again !== false) this.add(id);
    });
  }
}

/** The references that the records in a request were sent with. */
export class RequestReferences {
  readonly #ignored: ReadonlySet<string>;
  readonly #sent = new Map<RecordType, SentId[]>();

  /** `ignored`: ids that will not be stored, so that their records may be deleted. */
  constructor(ignored: ReadonlySet<string> = new Set()) {
    this.#ignored = ignored;
  }

  /** `stored`: what this record has stored, and no other one of the request. */
  add(walk: ReferenceWalk, input: object, path: InputPath, stored: ReadonlySet<string> = new Set()): void {
    walk(input, path, (id, { to, partOf }, entry, at) => {
      const whole = partOf === undefined ? undefined : entry[partOf];
      const sent = { id, path: [...at], whole, mayBeDeleted: stored.has(id) || this.#ignored.has(id) };
      const list = this.#sent.get(to);
      if (list) list.push(sent);
      else this.#sent.set(to, [sent]);
    });
  }

  /** The step that refuses ids of unknown or deleted records. */
  check(ctx: Tenant): PipelineStep<void>[] {
    const types = (Object.keys(recordTypes) as RecordType[]).filter((type) => this.#sent.has(type));
    return referenceCheck(
      ctx,
      types.map((type) => ({ type, ids: this.#sent.get(type)! })),
    );
  }
}

/** The step that refuses references of one input. References that the stored row has are accepted. */
export function recordReferenceCheck(
  ctx: Tenant,
  walk: ReferenceWalk,
  input: object,
  stored: object | null,
): PipelineStep<void>[] {
  const references = new RequestReferences();
  const known = new StoredReferences();
  if (stored) known.addRow(walk, stored);
  references.add(walk, input, ['input'], known);
  return references.check(ctx);
}
