import { argumentInvalid, conflict, type InputPath, notFound } from '../../errors.ts';

/** What the database found wrong with an entry. `actual`: the count, or what is available. */
export type RefusedEntry = { entry: number; problem: string; actual: number | null };

/** An entry as it was sent, and the members with its ids. */
export type SentEntry = {
  readonly path: InputPath;
  readonly key: string;
  readonly ids: Readonly<
    Record<'Product' | 'Variant' | 'StockLocation', { readonly member: string; readonly id: string }>
  >;
};

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
  if (first!.problem === 'RANGE') return outOfRange(refused, sent);
  const entries = refused.map(({ entry, problem, actual }) => ({
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

function outOfRange(refused: readonly RefusedEntry[], sent: readonly SentEntry[]): Error {
  return argumentInvalid(
    refused.map(({ entry }) => ({
      path: sent[entry]!.path,
      message: 'must leave a count from -1000000000000 to 1000000000000',
    })),
  );
}
