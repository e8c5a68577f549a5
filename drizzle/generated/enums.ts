// Written by `npm run codegen` from schema/. Do not edit.
export const appScopeEnum = [
  'READ_PRODUCTS',
  'WRITE_PRODUCTS',
  'READ_CUSTOMERS',
  'WRITE_CUSTOMERS',
  'READ_INVENTORIES',
  'WRITE_INVENTORIES',
  'READ_ORDERS',
  'WRITE_ORDERS',
  'READ_CAMPAIGNS',
  'WRITE_CAMPAIGNS',
  'READ_WEBHOOKS',
  'WRITE_WEBHOOKS',
  'READ_APPS',
  'WRITE_APPS',
] as const;
export const productAttributeTypeEnum = [
  'BOOLEAN',
  'CHOICE',
  'COLOR_THUMBNAIL_MULTIPLE_CHOICE',
  'DATE',
  'DATETIME',
  'HTML',
  'IMAGE',
  'MULTIPLE_CHOICE',
  'NUMERIC',
  'PRODUCT',
  'TABLE',
  'TEXT',
] as const;
export const categoryProductsOrderTypeEnum = [
  'BEST_SELLER',
  'HIGHEST_DISCOUNT_RATIO',
  'HIGHEST_PRICE',
  'LOWEST_DISCOUNT_RATIO',
  'LOWEST_PRICE',
  'MANUALLY',
  'NAME_ASC',
  'NAME_DESC',
  'NEWEST',
  'OLDEST',
] as const;
export const categoryConditionTypeEnum = [
  'CAMPAIGN',
  'CATEGORY',
  'CREATED_AT',
  'DISCOUNTED_PRODUCTS',
  'PRICE_RANGE',
  'PRODUCT_ATTRIBUTE',
  'PRODUCT_BRAND',
  'PRODUCT_NAME',
  'PRODUCT_TAG',
  'VARIANT_VALUE',
] as const;
export const categoryConditionMethodEnum = ['IN', 'NOT_IN'] as const;
export const changeKindEnum = ['CREATED', 'UPDATED', 'DELETED', 'RESTORED'] as const;
export const changeRecordTypeEnum = [
  'PRODUCT',
  'PRODUCT_STOCK_LOCATION',
  'CUSTOMER',
  'CATEGORY',
  'PRODUCT_BRAND',
  'PRODUCT_TAG',
  'PRODUCT_ATTRIBUTE',
  'PRODUCT_VARIANT_TYPE',
  'PRICE_LIST',
  'SALES_CHANNEL',
  'STOCK_LOCATION',
  'WEBHOOK',
  'AUTHORIZED_APP',
] as const;
export const erasurePlaceEnum = [
  'CUSTOMER',
  'WEBHOOK_DELIVERY',
  'CHANGE',
  'CHANGE_SET',
  'IDEMPOTENCY_KEY',
  'BULK_OPERATION',
] as const;
export const customerAccountStatusEnum = [
  'ACTIVE_ACCOUNT',
  'DEACTIVATED_ACCOUNT',
  'DECLINED_ACCOUNT_INVITATION',
  'DISABLED_ACCOUNT',
  'INVITED_TO_CREATE_ACCOUNT',
] as const;
export const customerEmailSubscriptionStatusesEnum = ['NOT_SUBSCRIBED', 'PENDING_CONFIRMATION', 'SUBSCRIBED'] as const;
export const customerGenderTypeEnum = ['FEMALE', 'MALE', 'OTHER'] as const;
export const customerB2BStatusEnum = ['ACTIVE_ACCOUNT', 'DISABLED_ACCOUNT', 'WAITING_FOR_APPROVAL'] as const;
export const customerRegistrationSourceEnum = ['apple', 'credentials', 'facebook', 'google', 'sms', 'twitch'] as const;
export const customerPriceListRuleFilterTypeEnum = ['CATEGORY', 'PRODUCT', 'PRODUCT_BRAND', 'PRODUCT_TAG'] as const;
export const customerPriceListRuleValueTypeEnum = ['DISCOUNT_AMOUNT', 'DISCOUNT_RATE', 'FIXED_PRICE'] as const;
export const merchantSettingsAddressTypeEnum = ['CORPORATE', 'INDIVIDUAL'] as const;
export const merchantRegionEnum = ['AF', 'AN', 'AS', 'EU', 'OC', 'PL', 'TR', 'US'] as const;
export const htmlMetaDataTargetTypeEnum = ['BRAND', 'CATEGORY', 'PAGE', 'PRODUCT'] as const;
export const priceListTypeEnum = ['DYNAMIC', 'DYNAMIC_RATE', 'MANUAL'] as const;
export const priceListCurrencyRateTypeEnum = ['CURRENT_RATE', 'CUSTOM_RATE'] as const;
export const priceListRulesAmountTypeEnum = ['AMOUNT', 'RATIO'] as const;
export const priceListRulesOperationTypeEnum = ['DECREASE', 'INCREASE'] as const;
export const lowestPriceGapEnum = [
  'HISTORY_TOO_SHORT',
  'CURRENCY_CHANGED',
  'COMPUTED_PRICES',
  'VALUES_NOT_KEPT',
  'NO_PRICE',
  'TOO_MANY_CHANGES',
] as const;
export const productTypeEnum = ['PHYSICAL', 'DIGITAL', 'BUNDLE', 'MEMBERSHIP', 'SUBSCRIPTION'] as const;
export const productUnitTypeEnum = [
  'CENTILITER',
  'CENTIMETER',
  'CUBIC_METERS',
  'CUSTOM',
  'GRAM',
  'KILOGRAM',
  'LITER',
  'METER',
  'MILLIGRAM',
  'MILLILITER',
  'MILLIMETER',
  'SQUARE_METERS',
] as const;
export const productSearchFacetFieldEnum = ['BRAND', 'CATEGORY', 'TAG', 'TYPE', 'VARIANT_VALUE'] as const;
export const bulkOperationStatusEnum = ['RUNNING', 'COMPLETED', 'FAILED'] as const;
export const salesChannelStatusEnum = ['HIDDEN', 'VISIBLE', 'PASSIVE'] as const;
export const salesChannelTypeEnum = [
  'ADMIN',
  'APP',
  'B2B_STOREFRONT',
  'FACEBOOK',
  'GOOGLE',
  'POS',
  'STOREFRONT',
  'STOREFRONT_APP',
] as const;
export const stockHoldStatusEnum = ['ACTIVE', 'COMMITTED', 'RELEASED', 'EXPIRED'] as const;
export const stockMovementKindEnum = [
  'OPENED',
  'RECEIVED',
  'SOLD',
  'RETURNED',
  'DAMAGED',
  'COUNTED',
  'MOVED',
  'CORRECTED',
  'IMPORTED',
] as const;
export const stockLocationTypeEnum = ['PHYSICAL', 'VIRTUAL'] as const;
export const stockLocationDeliveryTimeEnum = [
  'TWO_IN_FOUR_DAYS',
  'WITHIN_FOUR_HOURS',
  'WITHIN_ONE_HOUR',
  'WITHIN_PLUS_FIVE_DAYS',
  'WITHIN_TWENTY_FOUR_HOURS',
  'WITHIN_TWO_HOURS',
] as const;
export const variantSelectionTypeEnum = ['choice', 'color'] as const;
export const webhookDeliveryStatusEnum = ['PENDING', 'DELIVERED', 'FAILED'] as const;
export const webhookStatusEnum = ['ACTIVE', 'PAUSED'] as const;
export const webhookExplanationCodeEnum = [
  'NOT_REGISTERED',
  'REGISTERED_LATER',
  'UNCHANGED',
  'OTHER_SALES_CHANNELS',
  'APP_MAY_NOT_READ',
  'APP_REVOKED',
  'WEBHOOK_DELETED',
  'PAUSED',
  'WAITING',
  'GIVEN_UP',
  'DELIVERED',
  'REMOVED',
] as const;
