import { makeExecutableSchema } from '@graphql-tools/schema';
import { type GraphQLSchema, isScalarType, Source, validateSchema } from 'graphql';
import { acceptEnumAliases } from '../document/enum-aliases.ts';
import { readTypeAliases } from '../document/type-aliases.ts';
import type { Resolvers } from '../generated/types.ts';
import { guardOperations } from './scope.ts';
import { parseSdl, throwIfAny } from './sdl.ts';

export { readSources } from './sdl.ts';
export type { GraphQLSchema };

type SchemaResolvers = NonNullable<Parameters<typeof makeExecutableSchema>[0]['resolvers']>;

/**
 * Builds the executable schema. Throws if the SDL is invalid, if a resolver has no field, if an operation has no
 * resolver, or if an operation has neither `@requiresScope` nor `@authenticated`.
 */
export function buildSchema(sources: readonly (Source | string)[], resolvers: Partial<Resolvers>): GraphQLSchema {
  const named = sources.map((source) => (typeof source === 'string' ? new Source(source) : source));
  const schema = makeExecutableSchema({
    typeDefs: parseSdl(named),
    assumeValidSDL: true,
    // Its types know only what graphql-js tells resolvers.
    resolvers: resolvers as SchemaResolvers,
    resolverValidationOptions: { requireResolversToMatchSchema: 'error' },
    // Nothing else uses the schema yet, and a copy would take as long as building it.
    updateResolversInPlace: true,
  });
  describeScalars(schema);
  throwIfAny(validateSchema(schema));
  readTypeAliases(schema);
  acceptEnumAliases(schema);
  guardOperations(schema);
  return schema;
}

/** Restores the descriptions of the SDL: a scalar's resolver has none, and makeExecutableSchema copies that too. */
function describeScalars(schema: GraphQLSchema): void {
  for (const type of Object.values(schema.getTypeMap()).filter(isScalarType))
    type.description ??= type.astNode?.description?.value;
}
