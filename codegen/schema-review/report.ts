import type { Change, Severity } from './changes.ts';
import { type Comparison, refusedChanges } from './comparison.ts';
import type { Place } from './elements.ts';
import { renameSentence } from './renames.ts';
import { operationsAsMarkdown, operationsAsText, usageSentences, usedBySentence } from './used-report.ts';

export type Format = keyof typeof formats;

const SEVERITIES: readonly Severity[] = ['breaking', 'dangerous', 'safe'];
const POLICY = 'docs/schema-policy.md';

export const formats = { text: asText, json: asJson, markdown: asMarkdown } as const;

/** The report for a terminal. */
function asText(comparison: Comparison): string {
  const sections = SEVERITIES.flatMap((severity) => {
    const lines = listed(comparison, severity).map(
      (change) => `  ${placeText(change.place)}  ${sentence(change, comparison)}`,
    );
    return lines.length > 0 ? ['', severity.toUpperCase(), ...lines] : [];
  });
  return [
    summary(comparison),
    ...sections,
    ...operationsAsText(comparison.used),
    ...hidden(comparison),
    '',
    verdict(comparison),
  ].join('\n');
}

function asJson(comparison: Comparison): string {
  const { base, changes, used } = comparison;
  const counts = Object.fromEntries(SEVERITIES.map((severity) => [severity, ofSeverity(comparison, severity).length]));
  const refused = refusedChanges(comparison).length;
  return JSON.stringify({ base, refused, ...counts, ...(used && { used }), changes }, null, 2);
}

/** The report for a comment in a review. Safe changes are folded, since there may be hundreds. */
function asMarkdown(comparison: Comparison): string {
  const safe = table(comparison, 'safe');
  const folded = ['', '<details><summary>Safe changes</summary>', ...safe, '', '</details>'];
  return [
    `### Schema: ${summary(comparison)}`,
    ...table(comparison, 'breaking', 'dangerous'),
    ...operationsAsMarkdown(comparison.used),
    ...(safe.length > 0 ? folded : []),
    ...hidden(comparison),
    '',
    verdict(comparison),
  ].join('\n');
}

function table(comparison: Comparison, ...severities: Severity[]): string[] {
  const changes = severities.flatMap((severity) => listed(comparison, severity));
  if (changes.length === 0) return [];
  const rows = changes.map(
    (change) => `| ${change.severity} | ${markdown(sentence(change, comparison))} | \`${placeText(change.place)}\` |`,
  );
  return ['', '| | Change | Where |', '|---|---|---|', ...rows];
}

function summary(comparison: Comparison): string {
  const counts = SEVERITIES.map((severity) => `${ofSeverity(comparison, severity).length} ${severity}`);
  const descriptions = comparison.changes.filter(({ nature }) => nature === 'described').length;
  return `${counts.join(', ')} since ${comparison.base}${descriptions > 0 ? ` (${descriptions} changed descriptions)` : ''}`;
}

function verdict(comparison: Comparison): string {
  return [verdictSentence(comparison), ...usageSentences(comparison.used)].join(' ');
}

function verdictSentence(comparison: Comparison): string {
  const refused = refusedChanges(comparison).length;
  if (refused === 0) return 'Existing documents keep running.';
  const changes = refused === 1 ? '1 breaking change' : `${refused} breaking changes`;
  return `Refused: ${changes} without a deprecation whose period has ended (${POLICY}).`;
}

/** The message of a change. A breaking change also says whether it was announced, and who used what it breaks. */
function sentence(change: Change, { used }: Comparison): string {
  return [change.message, ...renameSentence(change), ...announcement(change), ...usedBySentence(change, used)].join(
    ' ',
  );
}

function announcement({ severity, deprecation, isAllowed, usedBy }: Change): string[] {
  if (severity !== 'breaking' && !usedBy) return [];
  if (!deprecation) return [isAllowed && !usedBy ? 'Nothing uses it any more.' : 'It was not deprecated.'];
  const { since, until } = deprecation;
  return [`Deprecated since ${since}, ${isAllowed && !usedBy ? 'allowed since' : 'not allowed before'} ${until}.`];
}

/** Formats coordinates and list types in a text as code. */
function markdown(text: string): string {
  return text
    .replace(/@?\b[A-Z]\w*\.\w+(?:\(\w+:\))?|\[\w+!?\]!?/g, '`$&`')
    .replaceAll('|', '\\|')
    .replaceAll('\n', ' ');
}

/**
 * Changed descriptions are counted only: an editorial change can have hundreds. Of the others those under review, and what is
 * refused in any case.
 */
function listed(comparison: Comparison, severity: Severity): Change[] {
  return listable(comparison, severity).filter((change) => isShown(change, comparison));
}

function listable(comparison: Comparison, severity: Severity): Change[] {
  return ofSeverity(comparison, severity).filter(({ nature }) => nature !== 'described');
}

function isShown({ isAllowed, coordinate }: Change, { reviewed }: Comparison): boolean {
  return !reviewed || !isAllowed || reviewed.coordinates.has(coordinate);
}

/** Says what the report leaves out. */
function hidden(comparison: Comparison): string[] {
  const { reviewed } = comparison;
  if (!reviewed) return [];
  const all = SEVERITIES.flatMap((severity) => listable(comparison, severity));
  const count = all.filter((change) => !isShown(change, comparison)).length;
  if (count === 0) return [];
  return ['', `Shown are the changes under review, since ${reviewed.base}. --all shows ${count} earlier ones too.`];
}

function ofSeverity({ changes }: Comparison, severity: Severity): Change[] {
  return changes.filter((change) => change.severity === severity);
}

function placeText({ file, line }: Place): string {
  return `${file}:${line}`;
}
