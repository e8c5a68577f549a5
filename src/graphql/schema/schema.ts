import { readdirSync, readFileSync } from 'node:fs';
import { makeExecutableSchema } from '@graphql-tools/schema';
import type { GraphQLSchema } from 'graphql';
import { readAliases } from '../document/type-aliases.ts';
import { guardOperations } from './scope.ts';
import type { Resolvers } from '../generated/types.ts';

export type { GraphQLSchema };

const directory = new URL('../../../schema/', import.meta.url);

/** The contract as it stands in `schema/`. */
export function readSources(): string[] {
  const names = readdirSync(directory).filter((name) => name.endsWith('.graphql'));
  return names.sort().map((name) => readFileSync(new URL(name, directory), 'utf8'));
}

/**
 * The schema that is served. It refuses to be built with a resolver that has no field, an operation
 * that has no resolver, or an operation that does not say who may call it.
 */
export function buildSchema(sources: string[], resolvers: Partial<Resolvers>): GraphQLSchema {
  const schema = makeExecutableSchema({
    typeDefs: sources,
    resolvers,
    resolverValidationOptions: { requireResolversToMatchSchema: 'error' },
    // It is nobody else's yet; a copy of it costs as much as the schema.
    updateResolversInPlace: true,
  });
  readAliases(schema);
  guardOperations(schema);
  return schema;
}
