import type { DomainResolvers } from '../graphql/schema/domain-resolvers.ts';
import { selection } from '../graphql/plan/selection.ts';
import { deleteCustomerList } from './deleteCustomerList.ts';
import { listCustomer } from './listCustomer.ts';
import { saveCustomer } from './saveCustomer.ts';

export const customerResolvers = {
  Query: {
    listCustomer: (_, args, ctx, info) => listCustomer(ctx, args, selection(info)),
  },
  Mutation: {
    saveCustomer: (_, args, ctx, info) => saveCustomer(ctx, args, selection(info)),
    deleteCustomerList: (_, args, ctx) => deleteCustomerList(ctx, args),
  },
} satisfies DomainResolvers;
