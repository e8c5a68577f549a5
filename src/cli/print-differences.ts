import type { MemberDifference, ProductDifference } from '../product/exchange/differences.ts';
import { printJson, printRaw } from './output.ts';
import { cellText, isJson, type OutputOptions } from './table.ts';

const SIGNS = { CREATED: '+', UPDATED: '~' };

/** Prints each difference: on a terminal a line for the product and one for each member, otherwise a line of JSON. */
export function printDifferences(differences: readonly ProductDifference[], options: OutputOptions): void {
  for (const difference of differences) {
    if (isJson(options)) printJson(difference);
    else printRaw(differenceText(difference));
  }
}

export function differenceText({ handle, name, change, members }: ProductDifference): string {
  const lines = members.map(
    ({ member, old, new: now }) => `    ${cellText(member)}: ${valueText(old)} -> ${valueText(now)}`,
  );
  return [`${SIGNS[change]} ${cellText(handle)}  ${cellText(name)}`, ...lines].join('\n');
}

function valueText(value: MemberDifference['old']): string {
  return value === null ? 'none' : cellText(JSON.stringify(value));
}
