import { folded, type State } from './state.ts';

/**
 * A slug is unique among the pages of all kinds of records. A new page gets one, and keeps it until another one is sent.
 * If another page has the sent slug, this page gets it with a number, such as `ada-2`, or keeps such a slug.
 */
export function withSlug(state: State, id: string, name: string, sent?: string): State {
  const { [id]: own, ...others } = state.slugs;
  const slug = sent ?? own ?? slugOf(name);
  const taken = new Set(Object.values(others));
  if (own === slug || (own !== undefined && taken.has(slug) && isNumbered(own, slug))) return state;
  let free = slug;
  for (let number = 2; taken.has(free); number += 1) free = `${slug}-${number}`;
  return { ...state, slugs: { ...state.slugs, [id]: free } };
}

function isNumbered(own: string, slug: string): boolean {
  return own.startsWith(`${slug}-`) && /^(?:[2-9]|[1-9]\d+)$/.test(own.slice(slug.length + 1));
}

function slugOf(name: string): string {
  return folded(name).replaceAll(' ', '-');
}
