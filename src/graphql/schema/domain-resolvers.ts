import type { Resolvers } from '../generated/types.ts';

/** The operations of one domain; all domains together have to be all of the schema's. */
export type DomainResolvers = { Query?: Partial<Resolvers['Query']>; Mutation?: Partial<Resolvers['Mutation']> };
