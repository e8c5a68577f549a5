import type { GraphQLSchema } from 'graphql';
import { onlyIncluded, selectionSets } from '../../src/graphql/document/collect-fields.ts';
import { selectionOf } from '../../src/graphql/plan/selection.ts';

/** Gives resolvers the selection also if graphql-js calls them, as the executor does. */
export function withSelections(schema: GraphQLSchema): GraphQLSchema {
  const types = [schema.getQueryType()!, schema.getMutationType()!];
  for (const field of types.flatMap((type) => Object.values(type.getFields()))) {
    const resolve = field.resolve!;
    field.resolve = (source, args, context, info) => {
      const { fieldNodes, fragments, variableValues } = info;
      const selected = { sets: selectionSets(fieldNodes), fragments, visit: onlyIncluded(variableValues) };
      return resolve(source, args, context, { selection: selectionOf(selected), ...info } as typeof info);
    };
  }
  return schema;
}
