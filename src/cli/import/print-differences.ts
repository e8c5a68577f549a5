import type { MemberDifference, ProductDifference } from '../../product-file/import/differences.ts';
import { printJson, printRaw } from '../command-line/output.ts';
import { cellText, isJson, type OutputOptions } from '../command-line/table.ts';

const SIGNS = { CREATED: '+', UPDATED: '~' };
/** What is said of products that are not written. */
const OUTCOMES = { WRITTEN: null, KEPT: 'left as it is', SKIPPED: 'skipped until --keep is given' };

/** Prints each difference: on a terminal a line for the product and one for each member, otherwise a line of JSON. */
export function printDifferences(differences: readonly ProductDifference[], options: OutputOptions): void {
  for (const difference of differences) {
    if (isJson(options)) printJson(difference);
    else printRaw(differenceText(difference));
  }
}

export function differenceText({ handle, name, change, outcome, reason, members }: ProductDifference): string {
  const left = OUTCOMES[outcome];
  const lines = members.map(
    ({ member, old, new: now }) => `    ${cellText(member)}: ${valueText(old)} -> ${valueText(now)}`,
  );
  const sign = left === null ? SIGNS[change] : '!';
  const note = left === null ? '' : `  (${left}: it ${cellText(reason)})`;
  return [`${sign} ${cellText(handle)}  ${cellText(name)}${note}`, ...lines].join('\n');
}

function valueText(value: MemberDifference['old']): string {
  return value === null ? 'none' : cellText(JSON.stringify(value));
}
