import { isDeepStrictEqual } from 'node:util';
import type { Answer } from '../support/post.ts';
import { shownCategoryIds } from './automated.ts';
import type { Command, Request } from './command.ts';
import { requestOf } from './commands.ts';
import { withEvents } from './events.ts';
import { withShownPrices } from './prices.ts';
import { comparable } from './product.ts';
import { holdOf, movementOf, type Newest, readNewest, readState, type Stored, texts } from './read-state.ts';
import { byId, EMPTY, type Kind, type Product, type Refused, type State, type Webhook } from './state.ts';
import { pathOf } from './tree.ts';
import { shownCounts, shownMovements, shownSums } from './stock.ts';
import { UpdateTimes } from './update-times.ts';

/** Sends an operation as the app of one merchant. */
export type Send = (operation: string, variables: object, headers?: Record<string, string>) => Promise<Answer['body']>;

/** Sends a document. */
export type Query = (document: string) => Promise<Answer['body']>;

/** The service, and what else changes the merchant's database. */
export type Service = {
  send: Send;
  query: Query;
  /** `isKept`: false for a transaction that is rolled back. */
  sql: (text: string, isKept: boolean) => Promise<unknown>;
  /** What the worker does with holds that have ended. */
  sweep: () => Promise<unknown>;
  /** What the worker does with products and conditions that have changed. */
  compareConditions: () => Promise<unknown>;
};

/** How many requests of an operation were accepted, and how many were refused. */
export type Counts = Record<string, { accepted: number; refused: number }>;

/** Thrown when the service does something else than the model. */
export class Difference extends Error {}

/** Everything is read after each third step: it costs more than most requests, and a difference mostly stays. */
const STEPS_A_READ = 3;

/** Plays the commands against the service, and compares what it answers and stores with the model. */
export async function play(service: Service, commands: readonly Command[], counts: Counts): Promise<State> {
  let state = EMPTY;
  const times = new UpdateTimes();
  for (const [step, command] of commands.entries()) {
    const request = requestOf(state, command);
    try {
      const count = (counts[request.operation] ??= { accepted: 0, refused: 0 });
      count['settle' in request.verdict ? 'accepted' : 'refused'] += 1;
      const after = await played(service, state, request, { mode: command.mode, key: `step-${step}` });
      const isRead = step % STEPS_A_READ === 0 || step === commands.length - 1;
      const isRevert = request.operation === 'revertChanges';
      if ((isRead || isRevert) && after.automated.length > 0) await service.compareConditions();
      state = await compared(service.query, { state, after, request, times, isRead });
    } catch (error) {
      if (!(error instanceof Difference)) throw error;
      throw new Difference(
        `step ${step}, ${command.mode}: ${request.operation} ${JSON.stringify(request.variables)}\n${error.message}\nbefore: ${JSON.stringify({ ...state, moments: [] })}`,
      );
    }
  }
  return state;
}

type Step = { state: State; after: State; request: Request; times: UpdateTimes; isRead: boolean };

/** The state after a step, which was compared if it was read. */
async function compared(query: Query, { state, after, request, times, isRead }: Step): Promise<State> {
  const isChanged = after !== state;
  const told = isChanged ? withEvents(state, after) : state;
  times.note(told, request.operation);
  // The model has the positions of variants from what is read after a revert.
  const isRevert = isChanged && request.operation === 'revertChanges';
  if (!isRead && !isRevert) return isChanged ? withMoment(state, told, request, await readNewest(query)) : state;
  const read = await readState(query);
  const ordered = isRevert ? withOrderOf(read.stored, told) : told;
  compare('stored', read.stored, shownOf(ordered));
  times.check(read.times);
  return withMoment(state, ordered, request, read.newest);
}

/** The model does not know the positions that a revert gives back. */
function withOrderOf({ products }: { products: { variants: { id: string }[] }[] }, state: State): State {
  const place = new Map(products.flatMap(({ variants }) => variants.map(({ id }, index) => [id, index] as const)));
  const placeOf = ({ id }: { id: string }) => place.get(id) ?? Infinity;
  const inOrder = (product: Product) => ({
    ...product,
    variants: product.variants.toSorted((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1)),
  });
  return { ...state, products: state.products.map(inOrder) };
}

/** Notes the change set of the step. What changes nothing has none. */
function withMoment(before: State, after: State, request: Request, newest: Newest | undefined): State {
  const { changeSetId = null } = before.moments.at(-1) ?? {};
  const isNew = newest !== undefined && newest.changeSet.id !== changeSetId;
  if (after !== before || isNew)
    compare('has a change set', isNew, isRecorded(before, after) || (after !== before && isNew));
  if (!isNew) return after;
  const { id, revertsChangeSetId: reverts } = newest.changeSet;
  compare('revertsChangeSetId', reverts, revertedBy(request));
  const [one, other] = [before, after].map((state) => ({ ...state, moments: [] }));
  const moment = { changeSetId: id, at: newest.createdAt, reverts, before: one!, after: other! };
  return { ...after, moments: [...before.moments, moment] };
}

function revertedBy({ operation, variables }: Request): string | null {
  return operation === 'revertChanges' ? (variables as { input: { changeSetId: string } }).input.changeSetId : null;
}

function isRecorded(before: State, after: State): boolean {
  const members = (state: State) => ({ ...shownOf({ ...state, holds: [] }), erasures: [] });
  return !isDeepStrictEqual(members(before), members(after));
}

type Manner = { mode: Command['mode']; key: string };

async function played(
  { send, query, sql, sweep }: Service,
  state: State,
  { operation, variables, verdict }: Request,
  { mode, key }: Manner,
): Promise<State> {
  if (operation === 'sql' || operation === 'sweep') {
    const isKept = operation === 'sweep' || mode !== 'dry run';
    await ('text' in variables ? sql(String(variables.text), isKept) : sweep());
    return isKept && 'settle' in verdict ? verdict.settle(() => 'none') : state;
  }
  const headers: Record<string, string> =
    mode === 'dry run' ? { 'x-dry-run': 'true' } : mode === 'twice' ? { 'idempotency-key': key } : {};
  const body = await send(operation, variables, headers);
  if (mode === 'twice') compare('repeated', dataOf(await send(operation, variables, headers)), dataOf(body));
  const codes = body.errors?.map(({ extensions }) => extensions['code'] as string) ?? [];
  if (!('settle' in verdict) || (codes.length > 0 && verdict.refusals)) {
    checkRefused(body, { refusals: [], ...verdict });
    return state;
  }
  if (codes.length > 0) throw new Difference(`refused: ${JSON.stringify(body.errors)}`);
  if (mode === 'dry run' && !verdict.answer) return state;
  const answered = body.data![operation] as Saved | Webhook[] | string;
  const isBulk = operation === 'bulkUpdateProducts';
  const after = verdict.settle(
    isBulk ? idsIn(state, (await readState(query)).stored) : idsOf(state, answered as Saved | Webhook[]),
  );
  const shown = operation === 'holdStock' ? holdOf : movementOf;
  if (verdict.answer)
    compare('answer', (answered as never[]).map(shown), (verdict.answer(after) as never[]).map(shown));
  return mode === 'dry run' ? state : after;
}

function checkRefused({ data, errors = [] }: Answer['body'], { refusals, refused }: Refused): void {
  const [first, ...others] = errors;
  if (!first || others.length > 0 || !refusals.some((code) => code === first.extensions['code']))
    throw new Difference(`expected ${refusals.join(' or ')}, answered ${JSON.stringify({ data, errors })}`);
  if (first.extensions['refused']) compare('refused', first.extensions['refused'], refused);
}

type Saved = { id: string; variants?: { id: string }[] };

/** The ids of new records in the answer: of the record, and of its variants in their order; of webhooks by scope; of
 * holds by their place. */
function idsOf(state: State, saved: Saved | Webhook[]): (place: string) => string {
  if (Array.isArray(saved)) return (place) => (saved.find((one) => one.scope === place) ?? saved[Number(place)]!).id;
  const known = new Set(state.products.flatMap(({ variants }) => variants.map(({ id }) => id)));
  const added = (saved.variants ?? []).map(({ id }) => id).filter((id) => !known.has(id));
  return (place) => {
    if (place === 'id') return saved.id;
    const id = added.shift();
    if (id === undefined) throw new Difference(`the answer has no id for ${place}: ${JSON.stringify(saved)}`);
    return id;
  };
}

/**
 * The ids of new records in what is listed after a bulk request, which answers none: `tag Ada`, the second new product
 * as `product 1`, and its first variant as `product 1 0`. The ids of new products are in the order of the entries.
 */
function idsIn(state: State, { named, products }: Stored): (place: string) => string {
  const newlyNamed = (kind: Kind, name: string) =>
    named[kind].find((one) => one.name === name && !byId(state.named[kind], one.id));
  const created = products.filter(({ id }) => !byId(state.products, id)).toSorted((a, b) => (a.id < b.id ? -1 : 1));
  return (place) => {
    const [kind, name, variant] = place.split(' ') as [Kind | 'product', string, string?];
    const product = kind === 'product' ? created[Number(name)] : undefined;
    const ofProduct = variant === undefined ? product : product?.variants[Number(variant)];
    const record = kind === 'product' ? ofProduct : newlyNamed(kind, name);
    if (!record) throw new Difference(`no new record is listed for ${place}`);
    return record.id;
  };
}

function dataOf({ data, errors }: Answer['body']): object {
  return { data, codes: errors?.map(({ extensions }) => extensions['code']) };
}

/** What a client can read of the state, without what has no order. */
export function shownOf(state: State) {
  const { products, holds, named, automated, customers, erasures, webhooks, slugs } = state;
  return {
    named,
    automated,
    customers,
    slugs,
    paths: Object.fromEntries([...named.category, ...automated].map(({ id }) => [id, pathOf(named.category, id)])),
    products: products.map((one) => ({ ...comparable(withShown(state, one)), version: one.version })),
    sums: shownSums(state),
    stocks: texts(shownCounts(state)),
    movements: texts(shownMovements(state).map(movementOf)),
    holds: texts(holds.map(holdOf)),
    erasures: erasures.map((ids) => ids.join()).toSorted(),
    webhooks: texts(webhooks),
  };
}

function withShown(state: State, product: Product): Product {
  const categoryIds = shownCategoryIds(state, product);
  return { ...product, categoryIds, variants: product.variants.map((one) => withShownPrices(state, one)) };
}

export function compare(what: string, actual: unknown, expected: unknown): void {
  if (isDeepStrictEqual(actual, expected)) return;
  throw new Difference(`${what}: ${differences(actual, expected).join('\n')}`);
}

/** The paths at which two values differ, with both values. */
function differences(actual: unknown, expected: unknown, path = ''): string[] {
  if (isDeepStrictEqual(actual, expected)) return [];
  const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
  if (!isRecord(actual) || !isRecord(expected))
    return [`${path}: ${JSON.stringify(actual)} instead of ${JSON.stringify(expected)}`];
  const names = new Set([...Object.keys(actual), ...Object.keys(expected)]);
  return [...names].flatMap((name) => differences(actual[name], expected[name], `${path}.${name}`));
}
