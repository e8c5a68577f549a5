import type { ChangeRecordType } from '../../drizzle/change.ts';
import { changeRecordTypeEnum } from '../../drizzle/generated/enums.ts';
import { type AppScope, scopeIsGranted } from '../app-scope.ts';
import type { Context } from '../context.ts';

const READ_SCOPES: Readonly<Record<ChangeRecordType, AppScope>> = {
  PRODUCT: 'read_products',
  PRODUCT_STOCK_LOCATION: 'read_inventories',
  CUSTOMER: 'read_customers',
  CATEGORY: 'read_products',
  PRODUCT_BRAND: 'read_products',
  PRODUCT_TAG: 'read_products',
  PRODUCT_ATTRIBUTE: 'read_products',
  PRODUCT_VARIANT_TYPE: 'read_products',
  PRICE_LIST: 'read_products',
  SALES_CHANNEL: 'read_products',
  STOCK_LOCATION: 'read_inventories',
  WEBHOOK: 'read_webhooks',
  AUTHORIZED_APP: 'read_apps',
};

export function readScopeOf(recordType: ChangeRecordType): AppScope {
  return READ_SCOPES[recordType];
}

/** Each read scope has a write scope of the same resource. */
export function writeScopeOf(recordType: ChangeRecordType): AppScope {
  return READ_SCOPES[recordType].replace('read_', 'write_') as AppScope;
}

/** The kinds of records that the token may read. */
export function readableTypes({ session }: Pick<Context, 'session'>): readonly ChangeRecordType[] {
  return changeRecordTypeEnum.filter((recordType) => scopeIsGranted(session.scopes, READ_SCOPES[recordType]));
}
