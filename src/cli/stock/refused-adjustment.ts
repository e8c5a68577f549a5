import { CommerceError, type Issue } from '../../errors.ts';
import { CommandError } from '../../process/command-error.ts';
import { oneLine } from '../command-line/table.ts';

type Refused = { found?: number | null; available?: number | null };
type Sent = { key: string; location: string; sku: string; expectedCount: number | undefined };

const NAMES: Readonly<Record<string, string>> = {
  delta: 'DELTA',
  expectedCount: '--expected-count',
  key: '--key',
  reason: '--reason',
  reference: '--reference',
};

/** The error of an adjustment in the words of the command; any other error as it is. */
export function refusedAdjustment(error: unknown, sent: Sent): unknown {
  if (!(error instanceof CommerceError)) return error;
  const { issues, keys, refused } = error.extensions as { issues?: Issue[]; keys?: string[]; refused?: Refused[] };
  if (issues) return new CommandError(issues.map(issueText).join('\n'));
  if (keys) return unchanged(`the key ${JSON.stringify(sent.key)} was used for another adjustment`);
  const [first] = refused ?? [];
  if (!first) return error;
  if (first.available === undefined)
    return unchanged(`${sent.expectedCount} was expected, and the count is ${first.found}`);
  const { sku, location } = sent;
  return unchanged(
    `only ${first.available} of ${sku} is available at ${oneLine(location)}. --allow-negative takes more`,
  );
}

function issueText({ path, message }: Issue): string {
  const member = path.at(-1);
  return `${NAMES[String(member)] ?? 'DELTA'}: ${message}`;
}

function unchanged(reason: string): CommandError {
  return new CommandError(`Nothing was changed: ${reason}.`);
}
