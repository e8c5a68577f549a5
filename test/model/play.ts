import { isDeepStrictEqual } from 'node:util';
import type { Answer } from '../support/post.ts';
import type { Command, Request } from './command.ts';
import { requestOf } from './commands.ts';
import { readState } from './read-state.ts';
import { comparable } from './product.ts';
import { EMPTY, type State, type Webhook } from './state.ts';

/** Sends an operation as the app of one merchant. */
export type Send = (operation: string, variables: object, headers?: Record<string, string>) => Promise<Answer['body']>;

/** How many requests of an operation were accepted, and how many were refused. */
export type Counts = Record<string, { accepted: number; refused: number }>;

/** Thrown when the service does something else than the model. */
export class Difference extends Error {}

/** Plays the commands against the service, and compares what it answers and stores with the model after each. */
export async function play(send: Send, commands: readonly Command[], counts: Counts): Promise<State> {
  let state = EMPTY;
  for (const [step, command] of commands.entries()) {
    const request = requestOf(state, command);
    try {
      const count = (counts[request.operation] ??= { accepted: 0, refused: 0 });
      count['refusals' in request.verdict ? 'refused' : 'accepted'] += 1;
      state = await played(send, state, request, { mode: command.mode, key: `step-${step}` });
      compare('stored', await readState(send), shownOf(state));
    } catch (error) {
      if (!(error instanceof Difference)) throw error;
      throw new Difference(
        `step ${step}, ${command.mode}: ${request.operation} ${JSON.stringify(request.variables)}\n${error.message}\nbefore: ${JSON.stringify(state)}`,
      );
    }
  }
  return state;
}

type Manner = { mode: Command['mode']; key: string };

async function played(
  send: Send,
  state: State,
  { operation, variables, verdict }: Request,
  { mode, key }: Manner,
): Promise<State> {
  const headers: Record<string, string> =
    mode === 'dry run' ? { 'x-dry-run': 'true' } : mode === 'twice' ? { 'idempotency-key': key } : {};
  const body = await send(operation, variables, headers);
  if (mode === 'twice') compare('repeated', dataOf(await send(operation, variables, headers)), dataOf(body));
  const codes = body.errors?.map(({ extensions }) => extensions['code'] as string) ?? [];
  if ('refusals' in verdict) {
    if (codes.length !== 1 || !verdict.refusals.some((code) => code === codes[0]))
      throw new Difference(
        `expected ${verdict.refusals.join(' or ')}, answered ${JSON.stringify(body).slice(0, 1_000)}`,
      );
    return state;
  }
  if (codes.length > 0) throw new Difference(`refused: ${JSON.stringify(body.errors)}`);
  const after = verdict.settle(idsOf(state, body.data![operation] as Saved | Webhook[]));
  return mode === 'dry run' ? state : after;
}

type Saved = { id: string; variants?: { id: string }[] };

/** The ids of new records in the answer: of the record, and of its variants in their order; of webhooks by scope. */
function idsOf(state: State, saved: Saved | Webhook[]): (place: string) => string {
  if (Array.isArray(saved)) return (scope) => saved.find((one) => one.scope === scope)?.id ?? 'no webhook';
  const known = new Set(state.products.flatMap(({ variants }) => variants.map(({ id }) => id)));
  const added = (saved.variants ?? []).map(({ id }) => id).filter((id) => !known.has(id));
  return (place) => {
    if (place === 'id') return saved.id;
    const id = added.shift();
    if (id === undefined) throw new Difference(`the answer has no id for ${place}: ${JSON.stringify(saved)}`);
    return id;
  };
}

function dataOf({ data, errors }: Answer['body']): object {
  return { data, codes: errors?.map(({ extensions }) => extensions['code']) };
}

/** What a client can read of the state, without what has no order. */
export function shownOf({ products, stocks, named, customers, erasures, webhooks, slugs }: State): object {
  return {
    named,
    customers,
    slugs,
    products: products.map((one) => ({ ...comparable(one), version: one.version })),
    stocks: stocks.map((one) => JSON.stringify(one)).toSorted(),
    erasures: erasures.map((ids) => ids.join()).toSorted(),
    webhooks: webhooks.map((one) => JSON.stringify(one)).toSorted(),
  };
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
