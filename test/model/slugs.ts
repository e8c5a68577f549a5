import { folded, type State } from './state.ts';

/**
 * The pages of all kinds of records share their slugs. A new page gets one, and keeps it until another one is sent. If
 * that is another page's, the page gets or keeps a number of it.
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
  return own.startsWith(`${slug}-`) && /^[1-9]\d*$/.test(own.slice(slug.length + 1));
}

function slugOf(name: string): string {
  return folded(name).replaceAll(' ', '-');
}
