import { type Comparison, compareSdl, refusedChanges } from './comparison.ts';
import { allowedByChecks, readUsageFrom } from './usage.ts';
import { withUsage } from './used-changes.ts';

type Reviewed = {
  /** What the SDL is compared with: a commit, branch or tag. By default the last release. */
  readonly ref?: string | undefined;
  /** The folder of the new SDL. By default `schema/`. */
  readonly folder?: string | undefined;
  /** A database address or a file of `commerce usage --json`. With null, every part counts as used. */
  readonly usage: string | null;
  /** Coordinates that may go although their use was counted for less than 30 days. By default those of `SCHEMA_ALLOW`. */
  readonly allowed?: readonly string[];
};

/** Compares two versions of the SDL, and asks the usage who used what is gone. */
export async function reviewSdl({ ref, folder, usage, allowed = allowedByChecks() }: Reviewed): Promise<Comparison> {
  const comparison = compareSdl(ref, folder);
  if (usage === null) return comparison;
  const coordinates = refusedChanges(comparison).flatMap(({ affected }) => affected);
  return withUsage(comparison, await readUsageFrom(usage, coordinates), { now: new Date(), allowed });
}
