import { byId, type Hold, type Place, refusedWith, type State, type Verdict } from './state.ts';
import { countAt, hasWrongKey, heldAt, isActive, isKnown, withKey, withMovement } from './stock.ts';

const DAY_MS = 86_400_000;
const START_MS = Date.now();

/** Far enough from the time of the run and from the limit of 30 days. */
export const TIMES = {
  past: START_MS - DAY_MS,
  tomorrow: START_MS + DAY_MS,
  later: START_MS + 20 * DAY_MS,
  tooFar: START_MS + 40 * DAY_MS,
};

export type HoldEntry = Place & {
  key: string;
  content: string;
  path: (string | number)[];
  quantity: number;
  reference: string | null;
  expiresAt: number;
};

export function holdStock(state: State, entries: readonly HoldEntry[], isInvalid: boolean): Verdict {
  const open = entries.filter(({ key }) => !state.stockKeys[key]);
  const problems = shortHolds(state, open);
  const refused = refusedWith(
    isInvalid && 'ARGUMENT_VALIDATION_ERROR',
    hasWrongKey(state, entries) && 'CONFLICT',
    open.some((entry) => !isKnown(state, entry)) && 'NOT_FOUND',
    open.some(({ expiresAt }) => isOutside(expiresAt)) && 'ARGUMENT_VALIDATION_ERROR',
    problems.length > 0 && 'CONFLICT',
  );
  if (refused) return { ...refused, refused: problems };
  return {
    settle: (newId) =>
      entries.reduce((after, { key, content, path, ...members }) => {
        if (state.stockKeys[key]) return after;
        const hold: Hold = { ...members, key, id: newId(String(path[1])), status: 'ACTIVE' };
        return { ...withKey(after, key, content), holds: [...after.holds, hold] };
      }, state),
    answer: (after) => entries.map(({ key }) => after.holds.find((one) => one.key === key)!),
  };
}

/** Each is checked as if the entries before it that are not refused were held. */
function shortHolds(state: State, entries: readonly HoldEntry[]) {
  let after = state;
  return entries.flatMap((one) => {
    const { path, content: _, ...entry } = one;
    const available = countAt(after, entry) - heldAt(after, entry);
    if (available < entry.quantity) return [{ path, available }];
    const hold: Hold = { ...entry, id: entry.key, status: 'ACTIVE', expiresAt: TIMES.later };
    after = { ...after, holds: [...after.holds, hold] };
    return [];
  });
}

export function commitHolds(state: State, ids: readonly string[]): Verdict {
  return (
    refusedHolds(state, ids, (hold) => isActive(hold) || hold.status === 'COMMITTED') ?? {
      settle: () =>
        chosenHolds(state, ids)
          .filter(isActive)
          .reduce(
            (after, { quantity, key, reference, ...place }) => {
              return withMovement(after, place, { kind: 'SOLD', delta: -quantity, key, reference });
            },
            withHolds(state, ids, 'COMMITTED'),
          ),
    }
  );
}

/** One whose time is over stays as it is, until the sweep. */
export function releaseHolds(state: State, ids: readonly string[]): Verdict {
  return (
    refusedHolds(state, ids, ({ status }) => status !== 'COMMITTED') ?? {
      settle: () => withHolds(state, ids, 'RELEASED'),
    }
  );
}

export function extendHolds(state: State, ids: readonly string[], expiresAt: number): Verdict {
  return (
    refusedWith(isOutside(expiresAt) && 'ARGUMENT_VALIDATION_ERROR') ??
    refusedHolds(state, ids, isActive) ?? {
      settle: () => ({
        ...state,
        holds: state.holds.map((one) => (ids.includes(one.id) ? { ...one, expiresAt } : one)),
      }),
    }
  );
}

export function sweepHolds(state: State): State {
  const isOver = (hold: Hold) => hold.status === 'ACTIVE' && !isActive(hold);
  return { ...state, holds: state.holds.map((one) => (isOver(one) ? { ...one, status: 'EXPIRED' } : one)) };
}

function refusedHolds(state: State, ids: readonly string[], isAllowed: (hold: Hold) => boolean): Verdict | null {
  return refusedWith(
    ids.some((id) => !byId(state.holds, id)) && 'NOT_FOUND',
    chosenHolds(state, ids).some((hold) => !isAllowed(hold)) && 'CONFLICT',
  );
}

/** In the order of their ids. */
function chosenHolds({ holds }: State, ids: readonly string[]): Hold[] {
  return holds.filter(({ id }) => ids.includes(id)).toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

function withHolds(state: State, ids: readonly string[], status: Hold['status']): State {
  const isEnded = (hold: Hold) => ids.includes(hold.id) && isActive(hold);
  return { ...state, holds: state.holds.map((one) => (isEnded(one) ? { ...one, status } : one)) };
}

function isOutside(expiresAt: number): boolean {
  return expiresAt === TIMES.past || expiresAt === TIMES.tooFar;
}
