import type { AnswerSize } from '../answer-size.ts';
import type { SharedValues } from './complete-record.ts';
import type { CompiledRecord } from './compile.ts';

type SharedRecord = { record: unknown; bytes: number };

/**
 * What the statement has read once for all records of its page. Each time one of its records is taken its bytes are counted for
 * the answer, in which it stands as often: a name that 10,000 products share would make of a short text a long one.
 */
export function sharedValues({ shared }: CompiledRecord, values: readonly unknown[], answer: AnswerSize | undefined): SharedValues {
  const known = shared.map(() => new Map<string, SharedRecord>());
  const made: SharedValues = {
    value: (place) => values[place],
    record: (place, id) => {
      if (id === null) return undefined;
      const found = known[place]!.get(id) ?? take(place, id);
      if (!found) return undefined;
      answer?.read(found.bytes);
      return found.record;
    },
  };
  const take = (place: number, id: string): SharedRecord | undefined => {
    const stored = values[place] as Record<string, unknown>;
    if (!Object.hasOwn(stored, id)) return undefined;
    const { complete } = shared[place]!;
    const record = complete ? complete(stored[id], made) : stored[id];
    const taken = { record, bytes: answer ? Buffer.byteLength(JSON.stringify(record)) : 0 };
    known[place]!.set(id, taken);
    return taken;
  };
  return made;
}
