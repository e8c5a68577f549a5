import { argumentInvalid, CommerceError, conflict, type InputPath, notFound } from '../../errors.ts';

/** What the database found wrong with an entry. `actual`: the count, or what is available. */
export type RefusedEntry = { entry: number; problem: string; actual: number | null; detail?: string | null };

/** An entry as it was sent, and the members with its ids. */
export type SentEntry = {
  readonly path: InputPath;
  readonly key: string;
  readonly ids: Readonly<
    Record<'Product' | 'Variant' | 'StockLocation', { readonly member: string; readonly id: string }>
  >;
};

/** The interval in which holds end and are counted. */
const RETRY_AFTER_S = 10;
const REFERENCES = ['Product', 'Variant', 'StockLocation'] as const;

/** The error for entries of which at least one is refused. */
export function refusal(refused: readonly RefusedEntry[], sent: readonly SentEntry[]): Error {
  const [first] = refused;
  for (const type of REFERENCES) {
    const missing = refused.filter(({ problem }) => problem === type).map(({ entry }) => sent[entry]!);
    if (missing.length === 0) continue;
    const ids = new Set(missing.map((entry) => entry.ids[type].id));
    return notFound(type, [...ids], [...missing[0]!.path, missing[0]!.ids[type].member]);
  }
  if (first!.problem === 'KEY') return usedKeys(refused.map(({ entry }) => sent[entry]!.key));
  const issues = refused.filter(({ problem }) => problem in ISSUES);
  if (issues.length > 0) return invalid(issues, sent);
  // Before the limits of holds: what is not available is refused also after some have ended.
  const short = refused.filter(({ problem }) => !problem.endsWith('_FULL'));
  if (short.length === 0) return tooManyHolds(first!.problem);
  const entries = short.map(({ entry, problem, actual }) => ({
    path: sent[entry]!.path,
    ...(problem === 'EXPECTED' ? { found: actual } : { available: actual }),
  }));
  return conflict(entries.map((entry) => `${entry.path.join('.')}: ${reason(entry)}`).join('; '), { refused: entries });
}

function reason({ found, available }: { found?: number | null; available?: number | null }): string {
  return available === undefined ? `the count is ${found}` : `only ${available} is available`;
}

function usedKeys(keys: readonly string[]): Error {
  const distinct = [...new Set(keys)];
  return conflict(`These keys were used for other entries: ${distinct.join(', ')}`, { keys: distinct });
}

/** What an entry made, as the database stored it for the entry's key. */
export type MadeRecord = { readonly key: string; readonly id: string };

/**
 * The movements or holds that entries made, in the order of the entries. Refuses keys of which one is missing: plain SQL
 * that removes a stock count removes its movements and holds too.
 */
export function madeRecords<Found extends { id: string }>(
  made: readonly MadeRecord[],
  found: readonly Found[],
): Found[] {
  const byId = new Map(found.map((record) => [record.id, record]));
  const gone = new Set(made.filter(({ id }) => !byId.has(id)).map(({ key }) => key));
  if (gone.size > 0)
    throw conflict(`The stock counts that these keys changed were removed: ${[...gone].join(', ')}`, {
      keys: [...gone],
    });
  return made.map(({ id }) => byId.get(id)!);
}

type IssueText = { member?: string; message: (detail: string) => string };

/** As the SDL has it of a count that a request sets. */
export const MAX_COUNT = 1_000_000_000_000;
export const COUNT_RANGE = `must leave a count from -${MAX_COUNT} to ${MAX_COUNT}`;

const ISSUES: Readonly<Record<string, IssueText>> = {
  RANGE: { message: () => COUNT_RANGE },
  PAST: { member: 'expiresAt', message: () => 'must be in the future' },
  FAR: { member: 'expiresAt', message: () => 'must be at most 30 days ahead' },
  BUNDLE: {
    member: 'variantId',
    message: (parts) => `must not be a bundle: hold variants of its parts, which are the products ${parts}`,
  },
};

function invalid(refused: readonly RefusedEntry[], sent: readonly SentEntry[]): Error {
  return argumentInvalid(
    refused.map(({ entry, problem, detail }) => {
      const { member, message } = ISSUES[problem]!;
      return { path: [...sent[entry]!.path, ...(member ? [member] : [])], message: message(detail ?? '') };
    }),
  );
}

function tooManyHolds(problem: string): Error {
  const whose = problem === 'VARIANT_FULL' ? 'A variant has 10,000' : 'The merchant has 1,000,000';
  return new CommerceError(
    'RATE_LIMITED',
    `${whose} active holds. Commit or release some, or try again in ${RETRY_AFTER_S} seconds. Nothing was changed.`,
    { retryAfter: RETRY_AFTER_S },
  );
}
