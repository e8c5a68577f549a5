import type { Change } from './changes.ts';
import type { Element } from './elements.ts';

/** A report names at most so many additions for a removal. */
const MAX_NAMED = 3;

type Compared = {
  readonly before: ReadonlyMap<string, Element>;
  readonly after: ReadonlyMap<string, Element>;
};

/**
 * Adds to each removal the additions that it may have been renamed to: those of the same kind and type, in the same type or
 * field. For clients a rename is a removal and an addition.
 */
export function withRenames(changes: readonly Change[], { before, after }: Compared): Change[] {
  const added = changes.filter(({ nature, coordinate }) => nature === 'added' && after.has(coordinate));
  return changes.map((change) => {
    const old = change.nature === 'removed' ? before.get(change.coordinate) : undefined;
    const candidates = old
      ? added.filter(({ coordinate }) => isAlike(old, after.get(coordinate)!, { before, after }))
      : [];
    if (candidates.length === 0) return change;
    return { ...change, maybeRenamedTo: candidates.map(({ coordinate, place }) => ({ coordinate, place })) };
  });
}

/** A removed type is like a new one that has all its members. */
function isAlike(old: Element, added: Element, { before, after }: Compared): boolean {
  if (old.kind !== added.kind || old.form !== added.form) return false;
  if (old.kind !== 'type') return old.type === added.type && aroundOf(old.coordinate) === aroundOf(added.coordinate);
  const [members, kept] = [membersOf(old, before), membersOf(added, after)];
  return members.length > 0 && members.every((name) => kept.includes(name));
}

function membersOf({ coordinate }: Element, elements: ReadonlyMap<string, Element>): string[] {
  return [...elements.values()].flatMap((element) =>
    element.coordinate === `${coordinate}.${element.name}` ? [element.name] : [],
  );
}

/** What a member belongs to: `Product` of `Product.name`, `Query.listProduct` of `Query.listProduct(name:)`. */
function aroundOf(coordinate: string): string {
  return coordinate.replace(/(\.\w+|\(\w+:\))$/, '');
}

/** A question such as `Renamed to Product.stock (schema/product.graphql:12)?`; empty if no addition fits. */
export function renameSentence({ maybeRenamedTo = [] }: Change): string[] {
  if (maybeRenamedTo.length === 0) return [];
  const named = maybeRenamedTo
    .slice(0, MAX_NAMED)
    .map(({ coordinate, place }) => `${coordinate} (${place.file}:${place.line})`);
  return [`Renamed to ${named.join(' or ')}?`];
}
