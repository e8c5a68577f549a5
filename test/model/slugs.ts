import { folded, type State } from './state.ts';

/** The pages of all kinds of records share their slugs. A new page gets one, and keeps it when its record changes. */
export function withSlug(state: State, id: string, name: string, sent?: string): State {
  if (state.slugs[id] !== undefined) return state;
  const slug = sent ?? slugOf(name);
  const taken = new Set(Object.values(state.slugs));
  let free = slug;
  for (let number = 2; taken.has(free); number += 1) free = `${slug}-${number}`;
  return { ...state, slugs: { ...state.slugs, [id]: free } };
}

function slugOf(name: string): string {
  return folded(name).replaceAll(' ', '-');
}
