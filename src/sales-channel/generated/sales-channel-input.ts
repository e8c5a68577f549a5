// Written by `npm run codegen` from schema/sales-channel.graphql. Do not edit.
import { z } from 'zod';
import { distinct, id, list, name, number, ownId, text } from '../../field-input.ts';

const salesChannelTypeEnum = z.enum(['ADMIN', 'APP', 'B2B_STOREFRONT', 'FACEBOOK', 'GOOGLE', 'POS', 'STOREFRONT', 'STOREFRONT_APP']);

export const salesChannelStockLocationInput = z.object({
  id: id(),
  order: number(),
});
export type SalesChannelStockLocationInput = z.output<typeof salesChannelStockLocationInput>;

export const salesChannelPaymentGatewayInput = z.object({
  id: text(255),
  order: number(),
});
export type SalesChannelPaymentGatewayInput = z.output<typeof salesChannelPaymentGatewayInput>;

export const salesChannelInput = z.object({
  id: ownId(),
  name: name(255),
  type: salesChannelTypeEnum,
  priceListId: id().nullish(),
  stockLocations: list(salesChannelStockLocationInput, 1000).superRefine(distinct('id')).nullish(),
  paymentGateways: list(salesChannelPaymentGatewayInput, 1000).superRefine(distinct('id')).nullish(),
  deleted: z.boolean().nullish(),
});
export type SalesChannelInput = z.output<typeof salesChannelInput>;
