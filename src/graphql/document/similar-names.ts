import { suggestionList } from 'graphql/jsutils/suggestionList.js';

/** Longer names are of nothing in the schema. */
const MAX_NAME_LENGTH = 60;
const MAX_SIMILAR = 5;

/**
 * The names that may be meant by a misspelt one: those that differ only in case, then the most similar first, of whose
 * characters at most two in five and one more may be wrong.
 */
export function similarNames(misspelt: string, names: readonly string[]): string[] {
  if (misspelt.length > MAX_NAME_LENGTH) return [];
  const same = names.filter((name) => name.toLowerCase() === misspelt.toLowerCase());
  return [...new Set([...same, ...suggestionList(misspelt, names)])].slice(0, MAX_SIMILAR);
}
