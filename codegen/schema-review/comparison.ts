import { type Change, findChanges } from './changes.ts';
import { type Element, elementsOf } from './elements.ts';
import type { ReviewedUsage } from './used-changes.ts';
import { currentSdl, lastRelease, releasedSdl, reviewedSince, schemaOf, sdlAt } from './sdl-version.ts';

export type Comparison = {
  /** What the SDL is compared with. */
  readonly base: string;
  readonly changes: readonly Change[];
  /** The parts of the new SDL, by coordinate. */
  readonly elements: ReadonlyMap<string, Element>;
  /** Missing if the SDL was compared without `--usage`. */
  readonly used?: ReviewedUsage;
  /** What is under review: the parts of the SDL that differ from `base`. Missing if a report has everything. */
  readonly reviewed?: { readonly base: string; readonly coordinates: ReadonlySet<string> };
};

/** Compares the SDL of a folder, by default of `schema/`, with that of a git ref, by default of the last release. */
export function compareSdl(ref: string | undefined, folder: string | undefined): Comparison {
  const base = ref === undefined ? releasedSdl(lastRelease()) : sdlAt(ref);
  const schema = schemaOf(currentSdl(folder));
  return { base: base.name, changes: findChanges(schemaOf(base), schema, new Date()), elements: elementsOf(schema) };
}

/**
 * Marks what the branch has changed, or the last commit on `main`. Without git everything is under review.
 */
export function underReview(comparison: Comparison): Comparison {
  const base = reviewedSince();
  if (base === null) return comparison;
  const changes = findChanges(schemaOf(base), schemaOf(currentSdl()), new Date());
  return { ...comparison, reviewed: { base: base.name, coordinates: new Set(changes.map((one) => one.coordinate)) } };
}

/** Breaking changes that are not the end of a deprecation. */
export function refusedChanges({ changes }: Pick<Comparison, 'changes'>): Change[] {
  return changes.filter(({ isAllowed }) => !isAllowed);
}
