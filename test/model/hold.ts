import {
  changedIn,
  type Hold,
  idsOf,
  type Refusal,
  refusedWith,
  type State,
  unknownIn,
  unless,
  type Verdict,
} from './state.ts';
import {
  countAt,
  type Entry,
  hasWrongKey,
  heldAt,
  isActive,
  isKnown,
  MAX_COUNT,
  withKey,
  withMovement,
} from './stock.ts';

const DAY_MS = 86_400_000;
const START_MS = Date.now();

/** Far enough from the time of the run and from the limit of 30 days. */
export const TIMES = {
  past: START_MS - DAY_MS,
  tomorrow: START_MS + DAY_MS,
  later: START_MS + 20 * DAY_MS,
  tooFar: START_MS + 40 * DAY_MS,
};

export type HoldEntry = Entry & Pick<Hold, 'quantity' | 'reference' | 'expiresAt'>;

export function holdStock(state: State, entries: readonly HoldEntry[], isInvalid: boolean): Verdict {
  const open = entries.filter(({ key }) => !state.stockKeys[key]);
  const problems = shortHolds(state, open);
  const refused = refusedWith([
    (isInvalid || open.some(({ expiresAt }) => isOutside(expiresAt))) && 'ARGUMENT_VALIDATION_ERROR',
    open.some((entry) => !isKnown(state, entry)) && 'NOT_FOUND',
    (problems.length > 0 || hasWrongKey(state, entries)) && 'CONFLICT',
  ]);
  if (refused) return { ...refused, refused: problems };
  return {
    settle: (newId) =>
      open.reduce((after, one) => withHold(withKey(after, one), one, newId(String(one.path[1]))), state),
    answer: (after) => entries.map(({ key }) => after.holds.find((one) => one.key === key)!),
  };
}

/** Each is checked as if the entries before it that are not refused were held. */
function shortHolds(state: State, entries: readonly HoldEntry[]) {
  let after = state;
  return entries.flatMap((one) => {
    const available = countAt(after, one) - heldAt(after, one);
    if (available < one.quantity) return [{ path: one.path, available }];
    after = withHold(after, { ...one, expiresAt: TIMES.later }, one.key);
    return [];
  });
}

function withHold(state: State, { path: _path, content: _content, ...members }: HoldEntry, id: string): State {
  return { ...state, holds: [...state.holds, { ...members, id, status: 'ACTIVE' }] };
}

export function commitHolds(state: State, ids: readonly string[]): Verdict {
  const isAllowed = (hold: Hold) => isActive(hold) || hold.status === 'COMMITTED';
  const sold = chosenHolds(state, ids).filter(isActive);
  const after = sold.reduce(
    (last, hold) => withMovement(last, hold, { ...hold, kind: 'SOLD', delta: -hold.quantity }),
    withEnded(state, ids, 'COMMITTED'),
  );
  const isOutside = sold.some((hold) => Math.abs(countAt(after, hold)) > MAX_COUNT) && 'ARGUMENT_VALIDATION_ERROR';
  return unless([...refusedHolds(state, ids, isAllowed), isOutside], () => after);
}

/** One whose time is over stays as it is, until the sweep. */
export function releaseHolds(state: State, ids: readonly string[]): Verdict {
  return unless(
    refusedHolds(state, ids, ({ status }) => status !== 'COMMITTED'),
    () => withEnded(state, ids, 'RELEASED'),
  );
}

export function extendHolds(state: State, ids: readonly string[], expiresAt: number): Verdict {
  // The time is checked first.
  const refusals = isOutside(expiresAt) ? (['ARGUMENT_VALIDATION_ERROR'] as const) : refusedHolds(state, ids, isActive);
  return unless(refusals, () => ({ ...state, holds: changedIn(state.holds, ids, { expiresAt }) }));
}

export function sweepHolds(state: State): State {
  const isOver = (hold: Hold) => hold.status === 'ACTIVE' && !isActive(hold);
  return { ...state, holds: changedIn(state.holds, idsOf(state.holds.filter(isOver)), { status: 'EXPIRED' }) };
}

function refusedHolds(state: State, ids: readonly string[], isAllowed: (hold: Hold) => boolean): (Refusal | false)[] {
  return [unknownIn(state.holds, ids), !chosenHolds(state, ids).every(isAllowed) && 'CONFLICT'];
}

/** In the order of their ids. */
function chosenHolds({ holds }: State, ids: readonly string[]): Hold[] {
  return holds.filter(({ id }) => ids.includes(id)).toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

function withEnded(state: State, ids: readonly string[], status: Hold['status']): State {
  const active = idsOf(chosenHolds(state, ids).filter(isActive));
  return { ...state, holds: changedIn(state.holds, active, { status }) };
}

function isOutside(expiresAt: number): boolean {
  return expiresAt === TIMES.past || expiresAt === TIMES.tooFar;
}
