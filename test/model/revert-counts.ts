import { type Moment, type Place, type Refusal, type State, type StockCount } from './state.ts';
import { MAX_COUNT, countAt, isKnown, placeOf, rowAt, sumOf, withMovement } from './stock.ts';

/** The difference of a count is taken back by a movement, also if the count has changed since. */
export function takeBackCounts(state: State, moment: Moment): { state: State; refusals: (Refusal | false)[] } {
  const { before, after } = moment;
  const removed = before.stocks.filter((one) => !rowIn(after, one));
  const changed = after.stocks.filter((one) => rowIn(before, one) !== one);
  // The movements of a row that plain SQL has removed are gone, also if it was inserted again.
  const kept = changed.flatMap((one) => {
    const now = rowIn(state, one);
    return now?.movements.includes(one.movements.at(-1)!) ? [now] : [];
  });
  // A mark as deleted is a change of its own, which stays.
  const marked = changed.filter((one) => isMarked(before, one) && !kept.some((now) => placeOf(now) === placeOf(one)));
  const isGone = changed.length > 0 && kept.length === 0 && marked.length === 0;
  const present = removed.flatMap((one) => rowIn(state, one) ?? []);
  const missing = removed.filter((one) => !rowIn(state, one));
  const isChanged = (now: StockCount) => {
    const former = rowIn(before, now)!;
    const isSame = isReverted(state, now, moment.changeSetId) || countAt(state, now) === countAt(before, now);
    return now.deleted !== former.deleted || !isSame;
  };
  const refusals: (Refusal | false)[] = [
    present.some(isChanged) && 'CONFLICT',
    marked.some((one) => !rowIn(state, one)) && 'CONFLICT',
    missing.some((one) => rowAt(state, one)) && 'CONFLICT',
    missing.some((one) => !isKnown(state, one)) && 'NOT_FOUND',
  ];
  const inserted = missing.reduce((last, one) => corrected(last, one, countAt(before, one), one), state);
  const unmarked = marked.reduce((last, one) => {
    const now = rowIn(last, one);
    if (!now) return last;
    const deleted = rowIn(before, one)!.deleted && (now.deleted || countAt(last, now) === 0);
    return corrected(last, now, 0, { ...now, deleted });
  }, inserted);
  const result = kept.reduce((last, now) => takeBackCount(last, now, moment), unmarked);
  const isOutside = result.stocks.some(
    (one) => Math.abs(countAt(result, one)) > MAX_COUNT && countAt(result, one) !== countAt(state, one),
  );
  return {
    state: result,
    refusals: [...refusals, isGone && 'NOT_FOUND', isOutside && 'ARGUMENT_VALIDATION_ERROR'],
  };
}

function takeBackCount(state: State, now: StockCount, moment: Moment): State {
  const [former, later] = [rowIn(moment.before, now), rowIn(moment.after, now)!];
  // What it created is deleted already.
  if (!former && now.deleted) return state;
  const found = countAt(state, now);
  const isDone = isReverted(state, now, moment.changeSetId);
  let count = found;
  let { deleted } = now;
  if (former && former.deleted !== later.deleted) deleted = former.deleted;
  for (let index = later.movements.length; !isDone && index > (former?.movements.length ?? 0); index -= 1) {
    const was = sumOf(later.movements.slice(0, index - 1).map(({ delta }) => delta));
    const became = was + later.movements[index - 1]!.delta;
    const isCreation = !former && index === 1;
    // A count that was created, and has not changed since, is deleted.
    if (isCreation) deleted ||= count === became;
    count -= became - was;
  }
  // What is left of a count is shown.
  deleted &&= count === 0 || (now.deleted && count === found);
  return count === found && deleted === now.deleted ? state : corrected(state, now, count - found, { ...now, deleted });
}

function isMarked(before: State, one: StockCount): boolean {
  const former = rowIn(before, one);
  return former !== undefined && former.deleted !== one.deleted;
}

type Mark = Pick<StockCount, 'deleted' | 'openedAt'>;

function corrected(state: State, place: Place, delta: number, { deleted, openedAt }: Mark): State {
  const movement = { kind: 'CORRECTED', delta, key: null, reference: null };
  // A row that is inserted again has a first movement, also of 0.
  const moved = delta === 0 && rowAt(state, place) ? state : withMovement(state, place, movement);
  return {
    ...moved,
    stocks: moved.stocks.map((one) => (placeOf(one) === placeOf(place) ? { ...one, deleted, openedAt } : one)),
  };
}

/** By a revert that was not itself reverted. */
function isReverted(state: State, row: StockCount, changeSetId: string): boolean {
  return state.moments.some(
    (one) =>
      one.reverts === changeSetId &&
      rowIn(one.before, row) !== rowIn(one.after, row) &&
      !isReverted(state, row, one.changeSetId),
  );
}

/** The same row: not one of the same place that was added after its removal. */
function rowIn(state: State, row: Place & Pick<StockCount, 'openedAt'>): StockCount | undefined {
  const found = rowAt(state, row);
  return found?.openedAt === row.openedAt ? found : undefined;
}
