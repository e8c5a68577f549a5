import type { Resolvers } from '../generated/types.ts';

/** The resolvers of one domain. */
export type DomainResolvers = { Query?: Partial<Resolvers['Query']>; Mutation?: Partial<Resolvers['Mutation']> };
