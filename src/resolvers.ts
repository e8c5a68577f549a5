import { appResolvers } from './app/resolvers.ts';
import { attributeResolvers } from './attribute/resolvers.ts';
import { brandResolvers } from './brand/resolvers.ts';
import { categoryResolvers } from './category/resolvers.ts';
import { changeResolvers } from './change/resolvers.ts';
import { customerResolvers } from './customer/resolvers.ts';
import type { Resolvers } from './graphql/generated/types.ts';
import type { DomainResolvers } from './graphql/schema/domain-resolvers.ts';
import { Timestamp } from './graphql/schema/scalars.ts';
import { merchantResolvers } from './merchant/resolvers.ts';
import { priceListResolvers } from './price-list/resolvers.ts';
import { productResolvers } from './product/resolvers.ts';
import { revertResolvers } from './revert/resolvers.ts';
import { salesChannelResolvers } from './sales-channel/resolvers.ts';
import { stockResolvers } from './stock/resolvers.ts';
import { tagResolvers } from './tag/resolvers.ts';
import { variantTypeResolvers } from './variant-type/resolvers.ts';
import { webhookResolvers } from './webhook/resolvers.ts';

/** The resolvers of all domains. An operation of the SDL without a resolver is a compile error that names it. */
const operations: Required<Pick<Resolvers, 'Query' | 'Mutation'>> = merged(
  appResolvers,
  attributeResolvers,
  brandResolvers,
  categoryResolvers,
  changeResolvers,
  customerResolvers,
  merchantResolvers,
  priceListResolvers,
  productResolvers,
  revertResolvers,
  salesChannelResolvers,
  stockResolvers,
  tagResolvers,
  variantTypeResolvers,
  webhookResolvers,
);

export const resolvers: Pick<Resolvers, 'Query' | 'Mutation' | 'Timestamp'> = { ...operations, Timestamp };

type All<Union> = (Union extends unknown ? (member: Union) => void : never) extends (member: infer Whole) => void
  ? Whole
  : never;
type Part<Domain, Root extends string> = Domain extends { [name in Root]: infer Operations } ? Operations : object;
type Merged<Domain> = { Query: All<Part<Domain, 'Query'>>; Mutation: All<Part<Domain, 'Mutation'>> };

function merged<Domains extends DomainResolvers[]>(...domains: Domains): Merged<Domains[number]> {
  const query = domains.map((domain) => domain.Query ?? {});
  const mutation = domains.map((domain) => domain.Mutation ?? {});
  return { Query: Object.assign({}, ...query), Mutation: Object.assign({}, ...mutation) };
}
