import type { FieldNode, GraphQLResolveInfo } from 'graphql';
import type { Selection } from '../../db/read/projection.ts';
import { collectFields, selectionSets } from '../document/collect-fields.ts';
import type { Selected } from './value-completer.ts';

/**
 * What the executor tells the resolver of a root field. `selection`: the selected fields below it, by name. The SQL of a
 * selection is compiled once per object, and the plan of an operation has the same object for each request.
 */
export type PlannedInfo = GraphQLResolveInfo & { readonly selection: Selection };

/**
 * Aliases and fragments are merged; fields that `visit` leaves out are missing. Names are enough, because no type has
 * interfaces, or fields with arguments below the root.
 */
export function selectionOf({ sets, fragments, visit }: Selected): Selection {
  const byName = Map.groupBy(collectFields(sets, fragments, visit), ({ name }: FieldNode) => name.value);
  return Object.fromEntries(
    Array.from(byName).flatMap(([name, nodes]) =>
      name.startsWith('__')
        ? []
        : [[name, selectionOf({ sets: selectionSets(nodes), fragments, ...(visit && { visit }) })]],
    ),
  );
}
