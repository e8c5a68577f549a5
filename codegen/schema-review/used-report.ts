import { parse, print } from 'graphql';
import type { Change } from './changes.ts';
import { USAGE_DAYS } from './usage.ts';
import type { BrokenOperation, ReviewedUsage, UsingApp } from './used-changes.ts';

/** A sentence names at most so many apps. `--format json` has all. */
const MAX_APPS = 5;
/** A report shows at most so many operations, because it is pasted into a review. */
const MAX_OPERATIONS = 20;
const UNSAFE = /[^\p{L}\p{N}\p{M} .,:&'+-]/gu;

export function usedBySentence({ usedBy }: Change, used: ReviewedUsage | undefined): string[] {
  if (!usedBy || !used) return [];
  if (usedBy.length === 0) return [`Nobody used it from ${used.from} until ${used.until}.`];
  const named = usedBy.slice(0, MAX_APPS).map(appPhrase);
  const further = usedBy.length > MAX_APPS ? [`${usedBy.length - MAX_APPS} more apps`] : [];
  return [`Used by ${[...named, ...further].join('; ')}.`];
}

function appPhrase({ appName, requests, lastUsedOn, operations }: UsingApp): string {
  const names = [...new Set(operations.map((name) => name ?? 'unnamed'))].slice(0, MAX_APPS).join(', ');
  return `${safeName(appName)} (${counted(requests, 'request')}, last on ${lastUsedOn}, in ${names})`;
}

/** Says which days the counts cover, so that a reader can judge them. */
export function usageSentences(used: ReviewedUsage | undefined): string[] {
  if (!used) return [];
  const { from, until, countedSince, countedDays, isOutdated } = used;
  if (isOutdated)
    return [`The usage ends on ${until}, more than ${USAGE_DAYS} days ago, so that every part counts as used.`];
  if (countedDays === 0) return [`There are no counts from ${from} until ${until}, so that every part counts as used.`];
  if (countedDays < USAGE_DAYS)
    return [
      `Counts from ${countedSince} until ${until}: ${countedDays} of ${USAGE_DAYS} days. What nobody used in them stays breaking unless --allow names it: rare use may be missing.`,
    ];
  return [`Counts from ${from} until ${until}.`];
}

export function operationsAsText(used: ReviewedUsage | undefined): string[] {
  const shown = shownOperations(used);
  if (shown.length === 0) return [];
  const blocks = shown.flatMap((operation) => [`  ${titleOf(operation)}`, indented(textOf(operation)), '']);
  return ['', 'OPERATIONS THAT WOULD BREAK', ...blocks.slice(0, -1), ...omitted(used)];
}

export function operationsAsMarkdown(used: ReviewedUsage | undefined): string[] {
  const shown = shownOperations(used);
  if (shown.length === 0) return [];
  const blocks = shown.flatMap((operation) => [
    `**${titleOf(operation)}**`,
    '',
    '```graphql',
    textOf(operation),
    '```',
    '',
  ]);
  return ['', '#### Operations that would break', '', ...blocks.slice(0, -1), ...omitted(used)];
}

function shownOperations(used: ReviewedUsage | undefined): BrokenOperation[] {
  return used?.operations.slice(0, MAX_OPERATIONS) ?? [];
}

function omitted(used: ReviewedUsage | undefined): string[] {
  const more = (used?.operations.length ?? 0) - MAX_OPERATIONS;
  return more > 0 ? ['', `and ${counted(more, 'operation')} more: --format json has all.`] : [];
}

function titleOf({ name, appName, coordinates }: BrokenOperation): string {
  return `${name ?? 'unnamed'} of ${safeName(appName)}, at ${coordinates.join(', ')}`;
}

/** The text of an operation on several lines. Its strings are empty and its numbers are 0. */
function textOf({ text }: BrokenOperation): string {
  return print(parse(text));
}

function indented(text: string): string {
  return text.replace(/^(?=.)/gm, '    ');
}

function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
}

/** The name of an app without markup and control characters, since operators may choose any name. */
function safeName(name: string | null): string {
  return name === null ? 'an app that is gone' : name.replace(UNSAFE, '?');
}
