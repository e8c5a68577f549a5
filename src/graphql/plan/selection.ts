import type { FieldNode, GraphQLResolveInfo } from 'graphql';
import type { Selection } from '../../db/read/projection.ts';
import { collectFields, onlyIncluded, selectionSets } from '../document/collect-fields.ts';
import type { Selected } from './value-completer.ts';

/** What the executor tells the resolver of a root field. */
export type PlannedInfo = GraphQLResolveInfo & { readonly selection?: Selection };

/**
 * The selected fields below a root field, by name. The SQL of a selection is compiled once per object, and the plan of
 * an operation has the same object for each request.
 */
export function selection(info: PlannedInfo): Selection {
  if (info.selection) return info.selection;
  // graphql-js calls resolvers only in tests, which compare its answers with those of the executor.
  const { fieldNodes, fragments, variableValues } = info;
  return selectionOf({ sets: selectionSets(fieldNodes), fragments, visit: onlyIncluded(variableValues) });
}

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
