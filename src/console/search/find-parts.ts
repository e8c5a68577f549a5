import { type Call, send, ServiceError } from '../graphql.ts';
import { messageOf } from '../use-query.ts';
import { type Found, NOTHING } from './found-record.ts';

/** The results of a search. `problem` says which parts of it failed, and is empty if none did. */
export type FoundParts = Found & { problem: string };

/** Searches. If a part fails, the answer has no other either, because none may be null: each is asked for by itself. */
export async function findParts(call: Call): Promise<FoundParts> {
  try {
    return { ...(await send<Found>(call)), problem: '' };
  } catch (error) {
    if (!(error instanceof ServiceError && error.failures.some(({ path }) => path))) throw error;
    return await findEach(call);
  }
}

async function findEach({ query, variables }: Call): Promise<FoundParts> {
  const parts = Object.keys(NOTHING);
  const answers = await Promise.allSettled(
    parts.map((part) => {
      const isAsked = Object.fromEntries(parts.map((one) => [one, one === part]));
      return send<Partial<Found>>({ query, variables: { ...variables, ...isAsked } });
    }),
  );
  const problems = answers.flatMap(({ status, reason }: { status: string; reason?: unknown }, index) =>
    status === 'rejected' ? `The part “${parts[index]}” of the search failed: ${messageOf(reason)}` : [],
  );
  const found = answers.map((answer) => (answer.status === 'fulfilled' ? answer.value : {}));
  return Object.assign({ ...NOTHING, problem: problems.join(' ') }, ...found) as FoundParts;
}
