import { conflict } from '../errors.ts';
import { withoutAddresses } from './record/without-addresses.ts';
import type { RecordConflict } from './revert-records.ts';

const MAX_LISTED = 1_000;
/** Characters of the values that are listed, as JSON texts. */
const MAX_LENGTH = 1024 * 1024;

export type ListedConflict = Omit<RecordConflict, 'expected' | 'found'> & {
  expected: string | null;
  found: string | null;
};

/** The conflicts of a revert as its error names them: all are counted, and the first are listed. */
export class ListedConflicts {
  readonly conflicts: ListedConflict[] = [];
  conflictCount = 0;
  first: RecordConflict | undefined;
  #length = 0;

  add(found: readonly RecordConflict[]): void {
    this.first ??= found[0];
    this.conflictCount += found.length;
    for (const { expected, found: present, ...place } of found) {
      if (this.conflicts.length === MAX_LISTED || this.#length > MAX_LENGTH) return;
      const text = (value: unknown): string | null => jsonText(withoutAddresses(place.path, value));
      const listed = { ...place, expected: text(expected), found: text(present) };
      this.#length += (listed.expected?.length ?? 0) + (listed.found?.length ?? 0);
      if (this.#length <= MAX_LENGTH) this.conflicts.push(listed);
    }
  }
}

export function refuseConflicts({ first, conflicts, conflictCount }: ListedConflicts): void {
  if (!first) return;
  const more = conflictCount > 1 ? `, and ${conflictCount - 1} more` : '';
  throw conflict(
    `Changed since: ${first.path} of ${first.recordType} ${first.recordId}${more}. Nothing was taken back.`,
    { conflicts, conflictCount },
  );
}

function jsonText(value: unknown): string | null {
  return value === null ? null : JSON.stringify(value);
}
