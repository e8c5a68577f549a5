import type { FinalAnswer } from './persistent-client.ts';
import type { Hold, Unit } from './sent-units.ts';

export type HoldOutcome = 'COMMITTED' | 'RELEASED' | 'EXPIRED';

const STATUS_OF_END = { COMMIT: 'COMMITTED', RELEASE: 'RELEASED', EXPIRE: 'EXPIRED' } as const;

/** What clients were told, and where one answer contradicts another. */
export class Outcomes {
  /** The movement or hold of each key that was applied. */
  readonly ids = new Map<string, string>();
  /** Whether the holds were committed that expired at the same moment, by their keys. */
  readonly #races = new Map<string, HoldOutcome>();
  readonly contradictions: string[] = [];
  refused = 0;

  /** `wasApplied`: whether a client knew it before the request was sent. */
  noteEntries(unit: Unit, { data, code }: FinalAnswer, wasApplied: boolean): void {
    if (data === null) return this.#noteRefusal(unit, code!, wasApplied);
    const answered = data[unit.operation] as { id: string; key: string }[];
    for (const [index, { key }] of unit.entries.entries()) {
      const { id, key: answeredKey } = answered[index] ?? { id: 'nothing', key };
      const known = this.ids.get(key);
      if (known === undefined) this.ids.set(key, id);
      if ((known ?? id) !== id || answeredKey !== key)
        this.contradictions.push(`${key}: ${id} of ${answeredKey} after ${known}`);
    }
  }

  /** A hold that is committed stays it, and one that has ended otherwise is never committed. */
  noteEnd({ key, end }: Hold, { code }: FinalAnswer): void {
    const outcome = code === null ? (end === 'RELEASE' ? 'RELEASED' : 'COMMITTED') : 'EXPIRED';
    const known = end === 'RACE' ? (this.#races.get(key) ?? outcome) : STATUS_OF_END[end];
    if (end === 'RACE') this.#races.set(key, known);
    if (outcome !== known || (code !== null && code !== 'CONFLICT'))
      this.contradictions.push(`${key}: ${end} was answered with ${code} after ${known}`);
  }

  /** The status that a hold must have in the end. */
  statusOf({ key, end }: Hold): HoldOutcome | undefined {
    return end === 'RACE' ? this.#races.get(key) : STATUS_OF_END[end];
  }

  /** Holds and guarded movements may be refused, and holds that are sent too late. */
  #noteRefusal(unit: Unit, code: string, wasApplied: boolean): void {
    this.refused++;
    const mayBe =
      unit.operation === 'holdStock'
        ? code !== 'NOT_FOUND'
        : code === 'CONFLICT' && unit.entries.some(({ isGuarded }) => isGuarded);
    if (!mayBe || wasApplied)
      this.contradictions.push(`${unit.operation} ${unit.n}: ${code}${wasApplied ? ' after it was applied' : ''}`);
  }
}
