import { readdirSync, readFileSync } from 'node:fs';
import { makeExecutableSchema } from '@graphql-tools/schema';
import type { GraphQLSchema } from 'graphql';
import { readTypeAliases } from '../document/type-aliases.ts';
import type { Resolvers } from '../generated/types.ts';
import { guardOperations } from './scope.ts';

export type { GraphQLSchema };

const SDL_FOLDER = new URL('../../../schema/', import.meta.url);

/** The SDL files of `schema/`. */
export function readSources(): string[] {
  const names = readdirSync(SDL_FOLDER).filter((name) => name.endsWith('.graphql'));
  return names.sort().map((name) => readFileSync(new URL(name, SDL_FOLDER), 'utf8'));
}

/**
 * Builds the executable schema. Throws if a resolver has no field, if an operation has no resolver, or if an operation
 * has neither `@requiresScope` nor `@authenticated`.
 */
export function buildSchema(sources: string[], resolvers: Partial<Resolvers>): GraphQLSchema {
  const schema = makeExecutableSchema({
    typeDefs: sources,
    resolvers,
    resolverValidationOptions: { requireResolversToMatchSchema: 'error' },
    // Nothing else uses the schema yet, and a copy would take as long as building it.
    updateResolversInPlace: true,
  });
  readTypeAliases(schema);
  guardOperations(schema);
  return schema;
}
