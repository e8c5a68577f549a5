import { readdirSync, readFileSync } from 'node:fs';
import {
  buildSchema,
  isEnumType,
  isInputObjectType,
  isIntrospectionType,
  isObjectType,
  print,
  type GraphQLArgument,
  type GraphQLInputField,
  type GraphQLNamedType,
} from 'graphql';
import { describe, expect, it } from 'vitest';

// Transcribed by hand from spec.md and contract.md, to find mistakes in schema/.
// `Type.a b: T` are members a and b of type T; `+ TS` and `+ TSI` are the contract's abbreviations.

const SPECIFIED_TYPES = `
Product.id: ID!
Product.name: String!
Product.type: ProductTypeEnum!
Product.variants: [Variant!]!
Product.attributes: [ProductAttributeValue!]
Product.baseUnit: ProductBaseUnitModel
Product.brand: SimpleProductBrand
Product.brandId: String
Product.categories: [SimpleCategory!]
Product.categoryIds: [String!]
Product.description shortDescription: String
Product.dynamicPriceListIds: [String!]
Product.googleTaxonomyId groupVariantsByVariantTypeId: String
Product.hiddenSalesChannelIds salesChannelIds: [String!]
Product.maxQuantityPerCart: Float
Product.metaData: HTMLMetaData
Product.productOptionSetId: String
Product.productVariantTypes: [ProductVariantType!]
Product.productVolumeDiscountId: String
Product.tagIds: [String!]
Product.tags: [SimpleProductTag!]
Product.totalStock: Float
Product.translations: [ProductTranslation!]
Product.vendorId: String
Product.weight: Float
Product.releaseDate: Timestamp
Product.salesChannels: [ProductSalesChannel!]
Product.subscriptionPlanId: String
Product.version: Int!
Product + TS

ProductTranslation.locale: String!
ProductTranslation.name description: String

ProductBrand.id: ID!
ProductBrand.name: String!
ProductBrand.description imageId: String
ProductBrand.metaData: HTMLMetaData
ProductBrand.orderType: CategoryProductsOrderTypeEnum
ProductBrand.salesChannelIds: [String!]
ProductBrand.translations: [ProductBrandTranslation!]
ProductBrand + TS
ProductBrandTranslation.locale: String!
ProductBrandTranslation.name description: String

ProductTag.id: ID!
ProductTag.name: String!
ProductTag.translations: [ProductTagTranslation!]
ProductTag + TS
ProductTagTranslation.locale: String!
ProductTagTranslation.name description: String

Category.id: ID!
Category.name: String!
Category.categoryPath: [String!]
Category.categoryPathItems: [CategoryPathItem!]
Category.conditions: [CategoryCondition!]
Category.description imageId: String
Category.isAutomated: Boolean
Category.metaData: HTMLMetaData
Category.orderType: CategoryProductsOrderTypeEnum
Category.parentId: String
Category.salesChannelIds: [String!]
Category.salesChannels: [CategorySalesChannel!]
Category.shouldMatchAllConditions: Boolean
Category.translations: [CategoryTranslation!]
Category + TS
CategoryTranslation.locale: String!
CategoryTranslation.name description: String
CategoryPathItem.id: ID!
CategoryPathItem.name: String!
CategoryPathItem.description imageId: String
CategoryPathItem.isAutomated: Boolean
CategoryPathItem.metaData: HTMLMetaData
CategoryPathItem.translations: [CategoryTranslation!]
CategoryPathItem + TS
CategoryCondition.conditionType: CategoryConditionTypeEnum!
CategoryCondition.method: CategoryConditionMethodEnum
CategoryCondition.valueList: [String!]!
CategorySalesChannel.id: ID!
CategorySalesChannel.status: SalesChannelStatusEnum!

ProductVariantType.id: ID!
ProductVariantType.name: String!
ProductVariantType.selectionType: VariantSelectionTypeEnum!
ProductVariantType.translations: [VariantTypeTranslation!]
ProductVariantType.values: [VariantValue!]!
ProductVariantType.order: Float
ProductVariantType.variantTypeId: String!
ProductVariantType.variantValueIds: [String!]
ProductVariantType + TS
VariantTypeTranslation.locale: String!
VariantTypeTranslation.name: String
VariantTypeTranslation.values: [VariantValueTranslation!]
VariantValueTranslation.id: String!
VariantValueTranslation.name: String
VariantValue.id: ID!
VariantValue.name: String!
VariantValue.colorCode thumbnailImageId: String
VariantValue + TS

ProductAttribute.id: ID!
ProductAttribute.name: String!
ProductAttribute.type: ProductAttributeTypeEnum!
ProductAttribute.description: String
ProductAttribute.options: [ProductAttributeOption!]
ProductAttribute.tableTemplate: ProductAttributeTableTemplate
ProductAttribute.translations: [ProductAttributeTranslation!]
ProductAttribute + TS
ProductAttributeTranslation.locale: String!
ProductAttributeTranslation.name description: String
ProductAttributeTranslation.options: [ProductAttributeOptionTranslation!]
ProductAttributeOptionTranslation.id: String!
ProductAttributeOptionTranslation.name: String
ProductAttributeOption.id: ID!
ProductAttributeOption.name: String!
ProductAttributeOption.colorCode thumbnailImageId: String
ProductAttributeOption + TS
ProductAttributeTableTemplate.columns rows: [ProductAttributeTableCellData!]!
ProductAttributeTableCellData.id name: String!

MerchantResponse.id email firstName lastName: String!
MerchantResponse.address billingAddress: MerchantAddress
MerchantResponse.merchantName: String
MerchantResponse.merchantSequence: Float
MerchantResponse.phoneNumber storeName: String
MerchantResponse.region: MerchantRegionEnum
MerchantResponse.language: String!
MerchantAddress.addressLine1 addressLine2: String
MerchantAddress.city: MerchantAddressCity
MerchantAddress.company: String
MerchantAddress.country: MerchantAddressCountry
MerchantAddress.district: MerchantAddressDistrict
MerchantAddress.firstName lastName identityNumber postalCode: String
MerchantAddress.state: MerchantAddressState
MerchantAddress.taxNumber taxOffice title: String
MerchantAddress.type: MerchantSettingsAddressTypeEnum
MerchantAddress.vkn: String
MerchantAddress.verified: Boolean
MerchantAddress.verifiedAt: Timestamp
MerchantAddressCountry.id code iso2 iso3 name: String
MerchantAddressCity.id code name: String
MerchantAddressDistrict.id code name: String
MerchantAddressState.id code name: String

AuthorizedApp.id: ID!
AuthorizedApp.addedDate: Timestamp!
AuthorizedApp.partnerId: String!
AuthorizedApp.salesChannelId: String
AuthorizedApp.scope: String!
AuthorizedApp.storeAppId: String!
AuthorizedApp.supportsMultipleInstallation: Boolean
AuthorizedApp + TS
MeResponse.id name email partnerId salesChannelId scope storeAppId: String
MeResponse.scopes: [AppScopeEnum!]
MeResponse.addedDate: Timestamp
MeResponse.supportsMultipleInstallation: Boolean

Webhook.id: ID!
Webhook.endpoint scope: String!
Webhook + TS

Variant.id: ID!
Variant.sku: String
Variant.barcodeList: [String!]
Variant.isActive: Boolean!
Variant.prices: [ProductPrice!]!
Variant.stocks: [ProductStockLocation!]
Variant.images: [ProductImage!]
Variant.attributes: [ProductAttributeValue!]
Variant.variantValueIds: [VariantValueRelation!]
Variant.sellIfOutOfStock: Boolean
Variant.weight: Float
Variant.unit: VariantUnitModel
Variant.hsCode fileId: String
Variant.bundleSettings: BundleSettingsModel
Variant.subscriptionPlanId: String
Variant + TS
ProductPrice.sellPrice: Float!
ProductPrice.buyPrice discountPrice: Float
ProductPrice.currency currencyCode currencySymbol priceListId: String
ProductImage.imageId fileName: String
ProductImage.isMain: Boolean!
ProductImage.isVideo: Boolean
ProductImage.order: Float!
ProductStockLocation.id: ID!
ProductStockLocation.productId variantId stockLocationId: String!
ProductStockLocation.stockCount: Float!
ProductStockLocation + TS
VariantValueRelation.variantTypeId variantValueId: String!
VariantUnitModel.amount: Float
VariantUnitModel.type: ProductUnitTypeEnum!
BundleSettingsModel.maxBundleQuantity minBundleQuantity: Float
BundleSettingsModel.products: [BundleProductModel!]!
BundleProductModel.id productId: String!
BundleProductModel.quantity order: Float!
BundleProductModel.filteredVariantIds: [String!]!
BundleProductModel.addToBundleBasePrice: Boolean
BundleProductModel.discountRatio minQuantity maxQuantity: Float
ProductAttributeValue.productAttributeId productAttributeOptionId value: String
ProductAttributeValue.imageIds: [String!]
ProductBaseUnitModel.type: ProductUnitTypeEnum!
ProductBaseUnitModel.baseAmount: Float
ProductBaseUnitModel.unitId: String
SimpleProductBrand.id: ID!
SimpleProductBrand.name: String!
SimpleProductBrand + TS
SimpleProductTag.id: ID!
SimpleProductTag.name: String!
SimpleProductTag + TS
SimpleCategory.id: ID!
SimpleCategory.name: String!
SimpleCategory.parentId: String
SimpleCategory + TS
ProductSalesChannel.id: ID!
ProductSalesChannel.status: SalesChannelStatusEnum!
ProductSalesChannel.maxQuantityPerCart minQuantityPerCart: Float
ProductSalesChannel.productVolumeDiscountId: String
ProductSalesChannel.quantitySettings: [Float!]

HTMLMetaData.id: ID!
HTMLMetaData.slug: String!
HTMLMetaData.pageTitle description: String
HTMLMetaData.canonicals: [String!]
HTMLMetaData.disableIndex: Boolean
HTMLMetaData.redirectTo targetId: String
HTMLMetaData.targetType: HTMLMetaDataTargetTypeEnum
HTMLMetaData.metadataOverrides: [HTMLMetaDataOverride!]
HTMLMetaData.translations: [HTMLMetaDataTranslation!]
HTMLMetaData + TS
HTMLMetaDataOverride.language: String
HTMLMetaDataOverride.pageTitle description: String!
HTMLMetaDataOverride.storefrontId storefrontRegionId: String
HTMLMetaDataTranslation.locale: String!
HTMLMetaDataTranslation.slug pageTitle description: String

ProductPaginationResponse.count: Int!
ProductPaginationResponse.data: [Product!]!
ProductPaginationResponse.hasNext: Boolean!
ProductPaginationResponse.limit page: Int!
ProductPaginationResponse.endCursor: String
ProductStockLocationPaginationResponse.count: Int!
ProductStockLocationPaginationResponse.data: [ProductStockLocation!]!
ProductStockLocationPaginationResponse.hasNext: Boolean!
ProductStockLocationPaginationResponse.limit page: Int!
ProductStockLocationPaginationResponse.endCursor: String
CustomerPaginationResponse.count: Int!
CustomerPaginationResponse.data: [Customer!]!
CustomerPaginationResponse.hasNext: Boolean!
CustomerPaginationResponse.limit page: Int!
CustomerPaginationResponse.endCursor: String
ProductSearchResponse.count totalCount limit page: Float!
ProductSearchResponse.hasNext: Boolean!
ProductSearchResponse.results: [Product!]!
ProductSearchResponse.facets: [ProductSearchFacet!]!
ProductSearchFacet.field: ProductSearchFacetFieldEnum!
ProductSearchFacet.values: [ProductSearchFacetValue!]!
ProductSearchFacetValue.id name: String!
ProductSearchFacetValue.count: Float!

StockLocation.id: ID!
StockLocation.name: String!
StockLocation.type: StockLocationTypeEnum
StockLocation.description: String
StockLocation.address: StockLocationAddress
StockLocation.outOfStockMailList: [String!]
StockLocation.isRemindOutOfStockEnabled: Boolean
StockLocation.deliveryTime: StockLocationDeliveryTimeEnum
StockLocation.translations: [StockLocationTranslation!]
StockLocation + TS
StockLocationTranslation.locale: String!
StockLocationTranslation.description: String
StockLocationAddress.address phone postalCode: String
StockLocationAddress.city: StockLocationAddressCity
StockLocationAddress.country: StockLocationAddressCountry
StockLocationAddress.district: StockLocationAddressDistrict
StockLocationAddress.state: StockLocationAddressState
StockLocationAddressCity.id code name: String
StockLocationAddressCountry.id code name iso2 iso3: String
StockLocationAddressDistrict.id code name: String
StockLocationAddressState.id code name: String

SalesChannel.id: ID!
SalesChannel.name: String!
SalesChannel.type: SalesChannelTypeEnum!
SalesChannel.priceListId: String
SalesChannel.stockLocations: [SalesChannelStockLocation!]
SalesChannel.paymentGateways: [SalesChannelPaymentGateway!]
SalesChannel + TS
SalesChannelStockLocation.id: String!
SalesChannelStockLocation.order: Float!
SalesChannelPaymentGateway.id: String!
SalesChannelPaymentGateway.order: Float!

PriceList.id: ID!
PriceList.name currency: String!
PriceList.currencyCode currencySymbol: String
PriceList.type: PriceListTypeEnum
PriceList.addProductsAutomatically: Boolean
PriceList.ruleList: [PriceListRuleList!]
PriceList + TS
PriceListRuleList.basePriceListId: String
PriceListRuleList.currencyRateSettings: PriceListCurrencyRateSettings
PriceListRuleList.currencySettings: PriceListCurrencySettings!
PriceListRuleList.rules: [PriceListRules!]!
PriceListCurrencyRateSettings.amount: Float
PriceListCurrencyRateSettings.type: PriceListCurrencyRateTypeEnum!
PriceListCurrencySettings.roundingFormat: String
PriceListRules.amount: Float!
PriceListRules.amountType: PriceListRulesAmountTypeEnum!
PriceListRules.operationType: PriceListRulesOperationTypeEnum!

Customer.id: ID!
Customer.firstName: String!
Customer.lastName fullName email phone note ip userAgent preferredLanguage priceListId lastPriceListId lastStorefrontRoutingId: String
Customer.customerSequence orderCount totalOrderPrice: Float
Customer.isEmailVerified isPhoneVerified: Boolean
Customer.birthDate accountStatusUpdatedAt emailVerifiedDate phoneVerifiedDate passwordUpdateDate firstOrderDate lastOrderDate: Timestamp
Customer.subscriptionStatusUpdatedAt smsSubscriptionStatusUpdatedAt phoneSubscriptionStatusUpdatedAt: Timestamp
Customer.tagIds customerGroupIds customerSegmentIds: [String!]
Customer.gender: CustomerGenderTypeEnum
Customer.accountStatus: CustomerAccountStatusEnum
Customer.b2bStatus: CustomerB2BStatusEnum
Customer.registrationSource: CustomerRegistrationSourceEnum
Customer.subscriptionStatus smsSubscriptionStatus phoneSubscriptionStatus: CustomerEmailSubscriptionStatusesEnum
Customer.addresses: [CustomerAddress!]
Customer.attributes: [CustomerAttributeValue!]
Customer.priceListRules: [CustomerPriceListRule!]
Customer + TS
CustomerAttributeValue.customerAttributeId customerAttributeOptionId value: String
CustomerPriceListRule.discountRate: Float
CustomerPriceListRule.filters: [CustomerPriceListRuleFilter!]
CustomerPriceListRule.priceListId: String
CustomerPriceListRule.shouldMatchAllFilters: Boolean
CustomerPriceListRule.value: Float!
CustomerPriceListRule.valueType: CustomerPriceListRuleValueTypeEnum!
CustomerPriceListRuleFilter.type: CustomerPriceListRuleFilterTypeEnum!
CustomerPriceListRuleFilter.valueList: [String!]!
CustomerAddress.id: ID!
CustomerAddress.title firstName lastName addressLine1: String!
CustomerAddress.addressLine2 company phone postalCode identityNumber taxNumber taxOffice: String
CustomerAddress.isDefault: Boolean
CustomerAddress.attributes: [CustomerAttributeValue!]
CustomerAddress.city: CustomerAddressCity!
CustomerAddress.country: CustomerAddressCountry!
CustomerAddress.district: CustomerAddressDistrict
CustomerAddress.state: CustomerAddressState
CustomerAddress.region: CustomerAddressRegion
CustomerAddress + TS
CustomerAddressRegion.id: ID!
CustomerAddressRegion.name: String!
CustomerAddressRegion + TS

BulkOperation.id: ID!
BulkOperation.status: BulkOperationStatusEnum!
BulkOperation.total created updated deleted imagesPending imagesFailed: Int!
BulkOperation.errors: [BulkOperationError!]!
BulkOperation.createdAt updatedAt: Timestamp
`;

const SPECIFIED_INPUTS = `
StringFilterInput.eq ne like: String
StringFilterInput.in nin: [String!]
StringFilterInput.isNull: Boolean
CategoryFilterInput.eq: String
CategoryFilterInput.in nin: [String!]
CategoryFilterInput.isNull: Boolean
ProductAttributeFilterInput.eq: String
ProductAttributeFilterInput.in nin: [String!]
ProductAttributeFilterInput.isNull: Boolean
CategoryPathFilterInput.in: [String!]
CategoryPathFilterInput.isNull: Boolean
DateFilterInput.eq ne gt gte lt lte: Timestamp
DateFilterInput.in nin: [Timestamp!]
DateFilterInput.isNull: Boolean
PaginationInput.page: Int = 1
PaginationInput.limit: Int = 50
PaginationInput.after: String

ProductInput.id: String
ProductInput.name: String!
ProductInput.type: ProductTypeEnum!
ProductInput.variants: [VariantInput!]!
ProductInput.attributes: [ProductAttributeValueInput!]
ProductInput.baseUnit: ProductBaseUnitModelInput
ProductInput.brandId: String
ProductInput.categoryIds: [String!]
ProductInput.description shortDescription: String
ProductInput.dynamicPriceListIds: [String!]
ProductInput.googleTaxonomyId groupVariantsByVariantTypeId: String
ProductInput.hiddenSalesChannelIds salesChannelIds: [String!]
ProductInput.salesChannels: [ProductSalesChannelInput!]
ProductInput.maxQuantityPerCart: Float
ProductInput.metaData: HTMLMetaDataInput
ProductInput.productOptionSetId: String
ProductInput.productVariantTypes: [ProductVariantTypeInput!]
ProductInput.productVolumeDiscountId: String
ProductInput.releaseDate: Timestamp
ProductInput.subscriptionPlanId: String
ProductInput.tagIds: [String!]
ProductInput.translations: [ProductTranslationInput!]
ProductInput.vendorId: String
ProductInput.weight: Float
ProductInput.version: Int
ProductInput + TSI
ProductSalesChannelInput.id: String!
ProductSalesChannelInput.status: SalesChannelStatusEnum
ProductSalesChannelInput.maxQuantityPerCart minQuantityPerCart: Float
ProductSalesChannelInput.productVolumeDiscountId: String
ProductSalesChannelInput.quantitySettings: [Float!]

VariantInput.id: String
VariantInput.isActive: Boolean! = true
VariantInput.prices: [ProductPriceInput!]!
VariantInput.sku: String
VariantInput.barcodeList: [String!]
VariantInput.attributes: [ProductAttributeValueInput!]
VariantInput.images: [ProductImageInput!]
VariantInput.variantValueIds: [VariantValueRelationInput!]
VariantInput.sellIfOutOfStock: Boolean
VariantInput.weight: Float
VariantInput.unit: VariantUnitModelInput
VariantInput.hsCode fileId: String
VariantInput.bundleSettings: BundleSettingsModelInput
VariantInput.subscriptionPlanId: String
VariantInput + TSI

ProductPriceInput.sellPrice: Float!
ProductPriceInput.buyPrice discountPrice: Float
ProductPriceInput.currency priceListId: String
ProductImageInput.imageId: String!
ProductImageInput.isMain: Boolean!
ProductImageInput.order: Float!
ProductImageInput.fileName: String
ProductImageInput.isVideo: Boolean
ProductVariantTypeInput.order: Float!
ProductVariantTypeInput.variantTypeId: String!
ProductVariantTypeInput.variantValueIds: [String!]!
ProductAttributeValueInput.productAttributeId productAttributeOptionId value: String
ProductAttributeValueInput.imageIds: [String!]
ProductBaseUnitModelInput.type: ProductUnitTypeEnum!
ProductBaseUnitModelInput.baseAmount: Float!
ProductBaseUnitModelInput.unitId: String
HTMLMetaDataInput.id: String
HTMLMetaDataInput.slug: String!
HTMLMetaDataInput.pageTitle description: String
HTMLMetaDataInput.canonicals: [String!]
HTMLMetaDataInput.disableIndex: Boolean
HTMLMetaDataInput.redirectTo targetId: String
HTMLMetaDataInput.targetType: HTMLMetaDataTargetTypeEnum
HTMLMetaDataInput.metadataOverrides: [HTMLMetaDataOverrideInput!]
HTMLMetaDataInput.translations: [HTMLMetaDataTranslationInput!]
HTMLMetaDataInput + TSI

SearchInput.query: String
SearchInput.productIdList skuList barcodeList: [String!]
SearchInput.pagination: PaginationInput
UpdateProductSalesChannelStatusInput.productId: String!
UpdateProductSalesChannelStatusInput.active: Boolean!
SaveVariantPricesInput.priceListId: String
SaveVariantPricesInput.variantPriceInputs: [VariantPriceInput!]!
VariantPriceInput.productId variantId: String!
VariantPriceInput.price: ProductPriceInput!
VariantPriceInput.deleted: Boolean

BulkUpdateProductsInput.id sourceId: String
BulkUpdateProductsInput.name: String!
BulkUpdateProductsInput.type: ProductTypeEnum!
BulkUpdateProductsInput.variants: [BulkUpdateProductVariantInput!]!
BulkUpdateProductsInput.brand: BulkUpdateProductBrandInput
BulkUpdateProductsInput.categories: [BulkUpdateProductCategoryInput!]!
BulkUpdateProductsInput.tags: [BulkUpdateProductTagInput!]
BulkUpdateProductsInput.productVariantTypes: [BulkUpdateProductVariantTypeImportInput!]!
BulkUpdateProductsInput.metaData: BulkUpdateProductHTMLMetaDataInput
BulkUpdateProductsInput.description shortDescription googleTaxonomyId: String
BulkUpdateProductsInput.salesChannelIds: [String!]
BulkUpdateProductsInput.salesChannels: [ProductSalesChannelInput!]
BulkUpdateProductsInput.maxQuantityPerCart: Float
BulkUpdateProductsInput.vendor: String
BulkUpdateProductsInput.weight: Float
BulkUpdateProductsInput.deleted: Boolean
BulkUpdateProductBrandInput.name: String!
BulkUpdateProductBrandInput.description imageId: String
BulkUpdateProductCategoryInput.name: [String!]!
BulkUpdateProductTagInput.name: String!
BulkUpdateProductVariantTypeImportInput.order: Float!
BulkUpdateProductVariantTypeImportInput.variantTypeName: String
BulkUpdateProductVariantTypeImportInput.variantValues: [BulkUpdateProductVariantValueImportInput!]!
BulkUpdateProductVariantValueImportInput.name: String!
BulkUpdateProductVariantValueImportInput.colorCode thumbnailImageUrl sourceId: String
BulkUpdateProductVariantInput.id sourceId sku: String
BulkUpdateProductVariantInput.barcodeList: [String!]
BulkUpdateProductVariantInput.isActive: Boolean! = true
BulkUpdateProductVariantInput.prices: [BulkUpdateProductPriceInput!]!
BulkUpdateProductVariantInput.images: [BulkUpdateProductImageInput!]
BulkUpdateProductVariantInput.stocks: [BulkUpdateProductStockInput!]
BulkUpdateProductVariantInput.variantValues: [BulkUpdateProductVariationValueRelationInput!]
BulkUpdateProductVariantInput.hsCode: String
BulkUpdateProductVariantInput.weight: Float
BulkUpdateProductVariantInput.deleted: Boolean
BulkUpdateProductPriceInput.sellPrice: Float!
BulkUpdateProductPriceInput.buyPrice discountPrice: Float
BulkUpdateProductPriceInput.currencyCode priceListId: String
BulkUpdateProductImageInput.imageUrl: String!
BulkUpdateProductImageInput.isMain: Boolean!
BulkUpdateProductImageInput.isVideo: Boolean
BulkUpdateProductImageInput.order: Float!
BulkUpdateProductStockInput.stockLocationId: String!
BulkUpdateProductStockInput.stockCount: Float!
BulkUpdateProductVariationValueRelationInput.variantTypeName variantValueName: String!

WebhookInput.endpoint: String!
WebhookInput.scopes: [String!]!
WebhookInput.salesChannelIds: [String!]

CategoryInput.id: String
CategoryInput.name: String!
CategoryInput.conditions: [CategoryConditionInput!]
CategoryInput.description imageId: String
CategoryInput.isAutomated: Boolean
CategoryInput.metaData: HTMLMetaDataInput
CategoryInput.orderType: CategoryProductsOrderTypeEnum
CategoryInput.parentId: String
CategoryInput.salesChannelIds: [String!]
CategoryInput.salesChannels: [CategorySalesChannelInput!]
CategoryInput.shouldMatchAllConditions: Boolean
CategoryInput.translations: [CategoryTranslationInput!]
CategoryInput + TSI
ProductBrandInput.id: String
ProductBrandInput.name: String!
ProductBrandInput.description imageId: String
ProductBrandInput.metaData: HTMLMetaDataInput
ProductBrandInput.orderType: CategoryProductsOrderTypeEnum
ProductBrandInput.salesChannelIds: [String!]
ProductBrandInput.translations: [ProductBrandTranslationInput!]
ProductBrandInput + TSI
ProductTagInput.id: String
ProductTagInput.name: String!
ProductTagInput.translations: [ProductTagTranslationInput!]
ProductTagInput + TSI
VariantTypeInput.id: String
VariantTypeInput.name: String!
VariantTypeInput.selectionType: VariantSelectionTypeEnum!
VariantTypeInput.translations: [VariantTypeTranslationInput!]
VariantTypeInput.values: [VariantValueInput!]!
VariantTypeInput + TSI
ProductAttributeInput.id: String
ProductAttributeInput.name: String!
ProductAttributeInput.type: ProductAttributeTypeEnum!
ProductAttributeInput.description: String
ProductAttributeInput.options: [ProductAttributeOptionInput!]
ProductAttributeInput.tableTemplate: ProductAttributeTableTemplateInput
ProductAttributeInput.translations: [ProductAttributeTranslationInput!]
ProductAttributeInput + TSI
StockLocationInput.id: String
StockLocationInput.name: String!
StockLocationInput.type: StockLocationTypeEnum
StockLocationInput.description: String
StockLocationInput.address: StockLocationAddressInput
StockLocationInput.outOfStockMailList: [String!]
StockLocationInput.isRemindOutOfStockEnabled: Boolean
StockLocationInput.deliveryTime: StockLocationDeliveryTimeEnum
StockLocationInput.translations: [StockLocationTranslationInput!]
StockLocationInput + TSI
SalesChannelInput.id: String
SalesChannelInput.name: String!
SalesChannelInput.type: SalesChannelTypeEnum!
SalesChannelInput.priceListId: String
SalesChannelInput.stockLocations: [SalesChannelStockLocationInput!]
SalesChannelInput.paymentGateways: [SalesChannelPaymentGatewayInput!]
SalesChannelInput + TSI
PriceListInput.id: String
PriceListInput.name currency: String!
PriceListInput.currencyCode currencySymbol: String
PriceListInput.type: PriceListTypeEnum
PriceListInput.addProductsAutomatically: Boolean
PriceListInput.ruleList: [PriceListRuleListInput!]
PriceListInput + TSI
CustomerInput.id: String
CustomerInput.firstName: String!
CustomerInput.lastName email phone note ip userAgent preferredLanguage priceListId lastPriceListId lastStorefrontRoutingId: String
CustomerInput.isEmailVerified isPhoneVerified: Boolean
CustomerInput.birthDate accountStatusUpdatedAt passwordUpdateDate: Timestamp
CustomerInput.subscriptionStatusUpdatedAt smsSubscriptionStatusUpdatedAt phoneSubscriptionStatusUpdatedAt: Timestamp
CustomerInput.tagIds customerGroupIds customerSegmentIds: [String!]
CustomerInput.gender: CustomerGenderTypeEnum
CustomerInput.accountStatus: CustomerAccountStatusEnum
CustomerInput.b2bStatus: CustomerB2BStatusEnum
CustomerInput.registrationSource: CustomerRegistrationSourceEnum
CustomerInput.subscriptionStatus smsSubscriptionStatus phoneSubscriptionStatus: CustomerEmailSubscriptionStatusesEnum
CustomerInput.addresses: [CustomerAddressInput!]
CustomerInput.attributes: [CustomerAttributeValueInput!]
CustomerInput.priceListRules: [CustomerPriceListRuleInput!]
CustomerInput + TSI
SaveStockLocationsInput.productStockLocationInputs: [ProductStockLocationInput!]
ProductStockLocationInput.productId variantId stockLocationId: String!
ProductStockLocationInput.stockCount: Float!
ProductStockLocationInput.id: String
`;

const SPECIFIED_ENUMS = `
ProductTypeEnum = PHYSICAL DIGITAL BUNDLE MEMBERSHIP SUBSCRIPTION
VariantSelectionTypeEnum = choice color
CategoryProductsOrderTypeEnum = BEST_SELLER HIGHEST_DISCOUNT_RATIO HIGHEST_PRICE LOWEST_DISCOUNT_RATIO LOWEST_PRICE MANUALLY NAME_ASC NAME_DESC NEWEST OLDEST
ProductAttributeTypeEnum = BOOLEAN CHOICE COLOR_THUMBNAIL_MULTIPLE_CHOICE DATE DATETIME HTML IMAGE MULTIPLE_CHOICE NUMERIC PRODUCT TABLE TEXT
MerchantSettingsAddressTypeEnum = CORPORATE INDIVIDUAL
MerchantRegionEnum = AF AN AS EU OC PL TR US
SalesChannelStatusEnum = HIDDEN VISIBLE PASSIVE
SalesChannelTypeEnum = ADMIN APP B2B_STOREFRONT FACEBOOK GOOGLE POS STOREFRONT STOREFRONT_APP
CategoryConditionTypeEnum = CAMPAIGN CATEGORY CREATED_AT DISCOUNTED_PRODUCTS PRICE_RANGE PRODUCT_ATTRIBUTE PRODUCT_BRAND PRODUCT_NAME PRODUCT_TAG VARIANT_VALUE
CategoryConditionMethodEnum = IN NOT_IN
HTMLMetaDataTargetTypeEnum = BRAND CATEGORY PAGE PRODUCT
ProductUnitTypeEnum = CENTILITER CENTIMETER CUBIC_METERS CUSTOM GRAM KILOGRAM LITER METER MILLIGRAM MILLILITER MILLIMETER SQUARE_METERS
StockLocationTypeEnum = PHYSICAL VIRTUAL
PriceListTypeEnum = DYNAMIC DYNAMIC_RATE MANUAL
AppScopeEnum = READ_PRODUCTS WRITE_PRODUCTS READ_CUSTOMERS WRITE_CUSTOMERS READ_INVENTORIES WRITE_INVENTORIES READ_ORDERS WRITE_ORDERS READ_CAMPAIGNS WRITE_CAMPAIGNS READ_WEBHOOKS WRITE_WEBHOOKS READ_APPS WRITE_APPS
CustomerAccountStatusEnum = ACTIVE_ACCOUNT DEACTIVATED_ACCOUNT DECLINED_ACCOUNT_INVITATION DISABLED_ACCOUNT INVITED_TO_CREATE_ACCOUNT
CustomerEmailSubscriptionStatusesEnum = NOT_SUBSCRIBED PENDING_CONFIRMATION SUBSCRIBED
CustomerGenderTypeEnum = FEMALE MALE OTHER
CustomerB2BStatusEnum = ACTIVE_ACCOUNT DISABLED_ACCOUNT WAITING_FOR_APPROVAL
CustomerRegistrationSourceEnum = apple credentials facebook google sms twitch
CustomerPriceListRuleFilterTypeEnum = CATEGORY PRODUCT PRODUCT_BRAND PRODUCT_TAG
CustomerPriceListRuleValueTypeEnum = DISCOUNT_AMOUNT DISCOUNT_RATE FIXED_PRICE
StockLocationDeliveryTimeEnum = TWO_IN_FOUR_DAYS WITHIN_FOUR_HOURS WITHIN_ONE_HOUR WITHIN_PLUS_FIVE_DAYS WITHIN_TWENTY_FOUR_HOURS WITHIN_TWO_HOURS
PriceListCurrencyRateTypeEnum = CURRENT_RATE CUSTOM_RATE
PriceListRulesAmountTypeEnum = AMOUNT RATIO
PriceListRulesOperationTypeEnum = DECREASE INCREASE
ProductSearchFacetFieldEnum = BRAND CATEGORY TAG TYPE VARIANT_VALUE
BulkOperationStatusEnum = RUNNING COMPLETED FAILED
`;

// Inputs whose members the documents do not list: they have those of the type of the same name.
const MIRRORING_INPUTS = `
ProductTranslationInput VariantValueRelationInput VariantUnitModelInput
BundleSettingsModelInput BundleProductModelInput HTMLMetaDataOverrideInput HTMLMetaDataTranslationInput
CategoryConditionInput CategorySalesChannelInput CategoryTranslationInput
ProductBrandTranslationInput ProductTagTranslationInput
VariantValueInput VariantTypeTranslationInput VariantValueTranslationInput
ProductAttributeOptionInput ProductAttributeTableTemplateInput ProductAttributeTableCellDataInput
ProductAttributeTranslationInput ProductAttributeOptionTranslationInput
StockLocationAddressInput StockLocationAddressCityInput StockLocationAddressCountryInput
StockLocationAddressDistrictInput StockLocationAddressStateInput StockLocationTranslationInput
SalesChannelStockLocationInput SalesChannelPaymentGatewayInput
PriceListRuleListInput PriceListCurrencyRateSettingsInput PriceListCurrencySettingsInput PriceListRulesInput
CustomerAddressInput CustomerAddressCityInput CustomerAddressCountryInput CustomerAddressDistrictInput
CustomerAddressStateInput CustomerAddressRegionInput CustomerAttributeValueInput
CustomerPriceListRuleInput CustomerPriceListRuleFilterInput
`;

const SERVED_OPERATIONS = `
Query.listProduct: ProductPaginationResponse!
Query.listProduct(attributeId): ProductAttributeFilterInput
Query.listProduct(barcodeList): StringFilterInput
Query.listProduct(brandId): StringFilterInput
Query.listProduct(categoryIds): CategoryFilterInput
Query.listProduct(id): StringFilterInput
Query.listProduct(includeDeleted): Boolean
Query.listProduct(name): StringFilterInput
Query.listProduct(pagination): PaginationInput
Query.listProduct(salesChannelIds): StringFilterInput
Query.listProduct(sku): StringFilterInput
Query.listProduct(sort): String
Query.listProduct(tagIds): StringFilterInput
Query.listProduct(variantStockLocationId): StringFilterInput
Query.listProduct(variantTypeId): StringFilterInput
Query.listProduct(vendorId): StringFilterInput
Query.listProduct(search): String
Query.listProduct(updatedAt): DateFilterInput
Query.listProduct(bundleProductsProductId): StringFilterInput
Mutation.saveProduct: Product!
Mutation.saveProduct(input): ProductInput!
Mutation.deleteProductList: Boolean!
Mutation.deleteProductList(idList): [String!]!
Query.getMerchant: MerchantResponse
Query.getAuthorizedApp: AuthorizedApp
Query.me: MeResponse

Query.listCategory: [Category!]!
Query.listCategory(categoryPath): CategoryPathFilterInput
Query.listCategory(id): StringFilterInput
Query.listCategory(name): StringFilterInput
Query.listCategory(search): String
Query.listCategory(updatedAt): DateFilterInput
Query.listCategory(includeDeleted): Boolean
Query.listCategory(pagination): PaginationInput
Mutation.saveCategory: Category!
Mutation.saveCategory(input): CategoryInput!
Mutation.deleteCategoryList: Boolean!
Mutation.deleteCategoryList(idList): [String!]!

Query.listProductBrand: [ProductBrand!]!
Query.listProductBrand(id): StringFilterInput
Query.listProductBrand(name): StringFilterInput
Query.listProductBrand(search): String
Query.listProductBrand(updatedAt): DateFilterInput
Query.listProductBrand(includeDeleted): Boolean
Query.listProductBrand(pagination): PaginationInput
Mutation.saveProductBrand: ProductBrand!
Mutation.saveProductBrand(input): ProductBrandInput!
Mutation.deleteProductBrandList: Boolean!
Mutation.deleteProductBrandList(idList): [String!]!

Query.listProductTag: [ProductTag!]!
Query.listProductTag(id): StringFilterInput
Query.listProductTag(name): StringFilterInput
Query.listProductTag(search): String
Query.listProductTag(updatedAt): DateFilterInput
Query.listProductTag(includeDeleted): Boolean
Query.listProductTag(pagination): PaginationInput
Mutation.saveProductTag: ProductTag!
Mutation.saveProductTag(input): ProductTagInput!
Mutation.deleteProductTagList: Boolean!
Mutation.deleteProductTagList(idList): [String!]!

Query.listVariantType: [ProductVariantType!]!
Query.listVariantType(id): StringFilterInput
Query.listVariantType(name): StringFilterInput
Query.listVariantType(updatedAt): DateFilterInput
Query.listVariantType(includeDeleted): Boolean
Query.listVariantType(pagination): PaginationInput
Mutation.saveVariantType: ProductVariantType!
Mutation.saveVariantType(input): VariantTypeInput!
Mutation.deleteVariantTypeList: Boolean!
Mutation.deleteVariantTypeList(idList): [String!]!

Query.listProductAttribute: [ProductAttribute!]!
Query.listProductAttribute(id): StringFilterInput
Query.listProductAttribute(name): StringFilterInput
Query.listProductAttribute(updatedAt): DateFilterInput
Query.listProductAttribute(includeDeleted): Boolean
Query.listProductAttribute(pagination): PaginationInput
Mutation.saveProductAttribute: ProductAttribute!
Mutation.saveProductAttribute(input): ProductAttributeInput!
Mutation.deleteProductAttributeList: Boolean!
Mutation.deleteProductAttributeList(idList): [String!]!

Query.getSalesChannel: SalesChannel
Query.listSalesChannel: [SalesChannel!]!
Query.listSalesChannel(id): StringFilterInput
Query.listSalesChannel(name): StringFilterInput
Query.listSalesChannel(updatedAt): DateFilterInput
Query.listSalesChannel(includeDeleted): Boolean
Query.listSalesChannel(pagination): PaginationInput
Mutation.saveSalesChannel: SalesChannel!
Mutation.saveSalesChannel(input): SalesChannelInput!
Mutation.deleteSalesChannelList: Boolean!
Mutation.deleteSalesChannelList(idList): [String!]!

Query.listPriceList: [PriceList!]!
Query.listPriceList(id): StringFilterInput
Query.listPriceList(name): StringFilterInput
Query.listPriceList(updatedAt): DateFilterInput
Query.listPriceList(includeDeleted): Boolean
Query.listPriceList(pagination): PaginationInput
Mutation.savePriceList: PriceList!
Mutation.savePriceList(input): PriceListInput!
Mutation.deletePriceListList: Boolean!
Mutation.deletePriceListList(idList): [String!]!

Query.listStockLocation: [StockLocation!]!
Query.listStockLocation(id): StringFilterInput
Query.listStockLocation(name): StringFilterInput
Query.listStockLocation(updatedAt): DateFilterInput
Query.listStockLocation(includeDeleted): Boolean
Query.listStockLocation(pagination): PaginationInput
Mutation.saveStockLocation: StockLocation!
Mutation.saveStockLocation(input): StockLocationInput!
Mutation.deleteStockLocationList: Boolean!
Mutation.deleteStockLocationList(idList): [String!]!

Query.listProductStockLocation: ProductStockLocationPaginationResponse!
Query.listProductStockLocation(id): StringFilterInput
Query.listProductStockLocation(productId): StringFilterInput
Query.listProductStockLocation(variantId): StringFilterInput
Query.listProductStockLocation(stockLocationId): StringFilterInput
Query.listProductStockLocation(updatedAt): DateFilterInput
Query.listProductStockLocation(pagination): PaginationInput
Query.listProductStockLocation(sort): String
Mutation.saveProductStockLocations: Boolean!
Mutation.saveProductStockLocations(input): SaveStockLocationsInput!
`;

// Checked as soon as the schema has the operation.
const LATER_OPERATIONS = `
Query.searchProducts: ProductSearchResponse!
Query.searchProducts(input): SearchInput!
Query.getBulkOperation: BulkOperation
Query.getBulkOperation(id): ID!
Query.listBulkOperation: BulkOperationPaginationResponse!
Query.listBulkOperation(id): StringFilterInput
Query.listBulkOperation(createdAt): DateFilterInput
Query.listBulkOperation(pagination): PaginationInput
Query.listAuthorizedApp: [AuthorizedApp!]!
Query.listAuthorizedApp(id): StringFilterInput
Query.listAuthorizedApp(name): StringFilterInput
Query.listAuthorizedApp(includeDeleted): Boolean
Query.listAuthorizedApp(pagination): PaginationInput
Query.listAccessToken: AccessTokenPaginationResponse!
Query.listAccessToken(id): StringFilterInput
Query.listAccessToken(authorizedAppId): StringFilterInput
Query.listAccessToken(pagination): PaginationInput
Mutation.revokeAuthorizedApp: Boolean!
Mutation.revokeAuthorizedApp(id): String!
Mutation.revokeAccessTokenList: Boolean!
Mutation.revokeAccessTokenList(idList): [String!]!
Mutation.updateProductSalesChannelStatus: Boolean!
Mutation.updateProductSalesChannelStatus(input): [UpdateProductSalesChannelStatusInput!]!
Mutation.updateProductSalesChannelStatus(salesChannelId): String
Mutation.bulkUpdateProducts: String!
Mutation.bulkUpdateProducts(input): [BulkUpdateProductsInput!]!
Mutation.saveVariantPrices: Boolean!
Mutation.saveVariantPrices(input): SaveVariantPricesInput!

Query.listCustomer: CustomerPaginationResponse!
Query.listCustomer(asOf): Timestamp
Query.listCustomer(id): StringFilterInput
Query.listCustomer(email): StringFilterInput
Query.listCustomer(phone): StringFilterInput
Query.listCustomer(merchantId): StringFilterInput
Query.listCustomer(search): String
Query.listCustomer(updatedAt): DateFilterInput
Query.listCustomer(includeDeleted): Boolean
Query.listCustomer(pagination): PaginationInput
Query.listCustomer(sort): String
Mutation.saveCustomer: Customer!
Mutation.saveCustomer(input): CustomerInput!
Mutation.deleteCustomerList: Boolean!
Mutation.deleteCustomerList(idList): [String!]!

Query.explainWebhook: WebhookExplanation!
Query.explainWebhook(scope): String!
Query.explainWebhook(recordId): String!
Query.explainWebhook(authorizedAppId): String
Query.listWebhook: [Webhook!]!
Query.listWebhook(authorizedAppId): StringFilterInput
Query.listWebhook(scope): StringFilterInput
Query.listWebhook(pagination): PaginationInput
Mutation.saveWebhook: [Webhook!]
Mutation.saveWebhook(input): WebhookInput!
Mutation.deleteWebhook: Boolean!
Mutation.deleteWebhook(scopes): [String!]!
Query.listWebhookDelivery: WebhookDeliveryPaginationResponse!
Query.listWebhookDelivery(id): StringFilterInput
Query.listWebhookDelivery(recordId): StringFilterInput
Query.listWebhookDelivery(endpoint): StringFilterInput
Query.listWebhookDelivery(authorizedAppId): StringFilterInput
Query.listWebhookDelivery(scope): StringFilterInput
Query.listWebhookDelivery(status): WebhookDeliveryStatusEnum
Query.listWebhookDelivery(createdAt): DateFilterInput
Query.listWebhookDelivery(pagination): PaginationInput
Mutation.redeliverWebhook: Boolean!
Mutation.redeliverWebhook(idList): [String!]!
Mutation.redeliverWebhookDeliveryList: WebhookRedelivery!
Mutation.redeliverWebhookDeliveryList(idList): [String!]!
Mutation.redeliverWebhookDeliveryRange: WebhookRedelivery!
Mutation.redeliverWebhookDeliveryRange(scope): String!
Mutation.redeliverWebhookDeliveryRange(from): Timestamp!
Mutation.redeliverWebhookDeliveryRange(to): Timestamp!
Mutation.redeliverWebhookDeliveryRange(authorizedAppId): String
Mutation.redeliverWebhookRange: Boolean!
Mutation.redeliverWebhookRange(scope): String!
Mutation.redeliverWebhookRange(from): Timestamp!
Mutation.redeliverWebhookRange(to): Timestamp!
Mutation.testWebhook: WebhookTestResult!
Mutation.testWebhook(scope): String!
Mutation.testWebhook(authorizedAppId): String
Mutation.resumeWebhook: Webhook!
Mutation.resumeWebhook(id): String!
`;

// Checked as soon as the schema has the member.
const LATER_MEMBERS = `
Webhook.status: WebhookStatusEnum!
Webhook.pausedAt: Timestamp
Webhook.authorizedAppId: ID!
Webhook.health: WebhookHealth!
BulkOperation.imagesTotal: Int!
AuthorizedApp.name: String!
AuthorizedApp.email: String
AuthorizedApp.scopes: [AppScopeEnum!]!
AuthorizedApp.lastUsedAt: Timestamp
AuthorizedApp.revokedAt: Timestamp
`;

const SCOPES = `
authenticated: me getMerchant getAuthorizedApp listWebhook deleteWebhook
authenticated: saveWebhook listWebhookDelivery redeliverWebhook redeliverWebhookRange testWebhook
READ_PRODUCTS: listProduct searchProducts listCategory listProductBrand listProductTag listVariantType
READ_PRODUCTS: listProductAttribute getSalesChannel listSalesChannel listPriceList getBulkOperation listBulkOperation
WRITE_PRODUCTS: saveProduct deleteProductList updateProductSalesChannelStatus bulkUpdateProducts saveVariantPrices
WRITE_PRODUCTS: saveCategory deleteCategoryList saveProductBrand deleteProductBrandList saveProductTag deleteProductTagList
WRITE_PRODUCTS: saveVariantType deleteVariantTypeList saveProductAttribute deleteProductAttributeList
WRITE_PRODUCTS: saveSalesChannel deleteSalesChannelList savePriceList deletePriceListList
READ_INVENTORIES: listStockLocation listProductStockLocation
WRITE_INVENTORIES: saveStockLocation deleteStockLocationList saveProductStockLocations
READ_CUSTOMERS: listCustomer
READ_APPS: listAuthorizedApp listAccessToken
WRITE_APPS: revokeAuthorizedApp revokeAccessTokenList
WRITE_CUSTOMERS: saveCustomer deleteCustomerList
`;

/** Directives of operations that do not say who may call them. */
const OTHER_DIRECTIVES: ReadonlySet<string> = new Set(['cost', 'listSize', 'requiresScopeOfArguments', 'transaction']);

const SCHEMA_FOLDER = new URL('../../schema/', import.meta.url);
const schema = buildSchema(schemaText());
const types = Object.values(schema.getTypeMap()).filter((type) => !isIntrospectionType(type));
const built = types.flatMap(linesOf);

/** contract.md, section 8: two clients disagree on them, or the specification does not have them. */
const ABSENT: Record<string, string[]> = {
  Product: ['stars', 'averageRating', 'reviewCount', 'campaigns', 'productGroups'],
  ProductSearchResponse: ['data'],
};

describe('the schema', () => {
  it('has the types of the specification and the contract, with all their members', () => {
    expect(missing(SPECIFIED_TYPES, built)).toEqual([]);
  });

  it('has the inputs of the contract, with all their members and defaults', () => {
    expect(missing(SPECIFIED_INPUTS, built)).toEqual([]);
  });

  it('has the enums of the specification and the contract, with exactly their values', () => {
    const expected = rows(SPECIFIED_ENUMS).map(sortEnum).sort();
    const names = new Set(expected.map(ownerOf));
    expect(
      types
        .filter(isEnumType)
        .filter((type) => names.has(type.name))
        .map(enumLine)
        .sort(),
    ).toEqual(expected);
  });

  it.each(words(MIRRORING_INPUTS))('has in %s the members of the type of this name', (input) => {
    const type = input.replace(/Input$/, '');
    const expected = built
      .filter((line) => ownerOf(line) === type)
      .map(asInput)
      .sort();
    const actual = built
      .filter((line) => ownerOf(line) === input)
      .map(optionalId)
      .sort();
    expect(actual).toEqual(expected);
  });

  it('serves the operations of the specification and the contract, with all their arguments', () => {
    expect(missing(SERVED_OPERATIONS, rootLines())).toEqual([]);
  });

  it('has the operations of later issues with the signatures of the contract', () => {
    const served = new Set(rootLines().map(operationOf));
    const expected = expand(LATER_OPERATIONS).filter((line) => served.has(operationOf(line)));
    const names = new Set(expected.map(operationOf));
    expect(rootLines().filter((line) => names.has(operationOf(line)))).toEqual(expected);
  });

  it('has the members of later issues with their types', () => {
    const keys = new Set(built.map(keyOf));
    const expected = expand(LATER_MEMBERS).filter((line) => keys.has(keyOf(line)));
    expect(built.filter((line) => expected.map(keyOf).includes(keyOf(line))).sort()).toEqual(expected);
  });

  it('has no members that the contract leaves out', () => {
    for (const [type, absent] of Object.entries(ABSENT)) {
      const members = linesOf(schema.getType(type)!).map((line) => line.slice(0, line.indexOf(':')));
      expect(members.length, type).toBeGreaterThan(0);
      expect(absent.filter((member) => members.includes(`${type}.${member}`))).toEqual([]);
    }
  });

  it('requires the scope of the contract for each operation', () => {
    const served = new Set(builtScopes().map(ownerOf));
    const expected = rows(SCOPES)
      .flatMap(scopeLines)
      .filter((line) => served.has(ownerOf(line)))
      .sort();
    const specified = new Set(expected.map(ownerOf));
    expect(builtScopes().filter((line) => specified.has(ownerOf(line)))).toEqual(expected);
  });

  it('requires a token or a scope for every operation, by exactly one directive', () => {
    const one = /^\w+: @(authenticated|requiresScope\(scope: \w+\))$/;
    expect(builtScopes().filter((line) => !one.test(line))).toEqual([]);
  });

  it.each([
    ['SalesChannelFilterInput', 'StringFilterInput'],
    ['BulkUpdateProductHTMLMetaDataOverrideInput', 'HTMLMetaDataOverrideInput'],
    ['BulkUpdateProductSalesChannels', 'ProductSalesChannelInput'],
    ['BundleProductInput', 'BundleProductModelInput'],
    ['BundleSettingsInput', 'BundleSettingsModelInput'],
  ])('reads %s as %s', (alias, type) => {
    const directives = schema.getType(type)?.astNode?.directives?.map(print);
    expect(directives).toEqual([`@aliases(names: ["${alias}"])`]);
    expect(schema.getType(alias)).toBeUndefined();
  });
});

function schemaText(): string {
  const files = readdirSync(SCHEMA_FOLDER).filter((name) => name.endsWith('.graphql'));
  return files.map((name) => readFileSync(new URL(name, SCHEMA_FOLDER), 'utf8')).join('\n');
}

function linesOf(type: GraphQLNamedType): string[] {
  if (isInputObjectType(type)) {
    return Object.values(type.getFields()).map((field) => `${type.name}.${field.name}: ${typeAndDefault(field)}`);
  }
  if (!isObjectType(type)) return [];
  return Object.values(type.getFields()).flatMap((field) => [
    `${type.name}.${field.name}: ${field.type.toString()}`,
    ...field.args.map((argument) => `${type.name}.${field.name}(${argument.name}): ${typeAndDefault(argument)}`),
  ]);
}

function typeAndDefault(member: GraphQLArgument | GraphQLInputField): string {
  const value = member.astNode?.defaultValue;
  return value ? `${member.type.toString()} = ${print(value)}` : member.type.toString();
}

/** The schema may have more: `npm run schema:check` lists what was added, and refuses a required argument or member. */
function missing(table: string, lines: readonly string[]): string[] {
  const known = new Set(lines);
  return expand(table).filter((line) => !known.has(line));
}

function rootLines(): string[] {
  return built.filter((line) => /^(Query|Mutation|Subscription)\./.test(line)).sort();
}

function builtScopes(): string[] {
  return [schema.getQueryType(), schema.getMutationType()]
    .flatMap((type) => Object.values(type?.getFields() ?? {}))
    .map(
      (field) =>
        `${field.name}: ${field.astNode?.directives
          ?.filter(({ name }) => !OTHER_DIRECTIVES.has(name.value))
          .map(print)
          .join(' ')}`,
    )
    .sort();
}

function scopeLines(row: string): string[] {
  const [scope = '', names = ''] = row.split(': ');
  const directive = scope === 'authenticated' ? '@authenticated' : `@requiresScope(scope: ${scope})`;
  return words(names).map((name) => `${name}: ${directive}`);
}

function expand(table: string): string[] {
  return rows(table).flatMap(expandRow).sort();
}

function expandRow(row: string): string[] {
  if (row.endsWith(' + TS')) return timesOf(row, 'Boolean!');
  if (row.endsWith(' + TSI')) return timesOf(row, 'Boolean');
  const [members = '', type = ''] = row.split(': ');
  const [owner = '', names = ''] = members.split('.');
  return words(names).map((name) => `${owner}.${name}: ${type}`);
}

function timesOf(row: string, deleted: string): string[] {
  const owner = ownerOf(row);
  return [`${owner}.createdAt: Timestamp`, `${owner}.updatedAt: Timestamp`, `${owner}.deleted: ${deleted}`];
}

/** `Type.member: Record!` as the input `TypeInput` takes it. */
function asInput(line: string): string {
  const [member = '', type = ''] = line.split(': ');
  const [owner = '', name = ''] = member.split('.');
  return optionalId(`${owner}Input.${name}: ${name === 'deleted' ? 'Boolean' : inputType(type)}`);
}

function inputType(type: string): string {
  return type.replace(/\w+/, (name) => (isObjectType(schema.getType(name)) ? `${name}Input` : name));
}

// The id of an input is a String, and optional if the service creates it.
function optionalId(line: string): string {
  return line.replace(/\.id: \w+!?$/, '.id');
}

function enumLine(type: GraphQLNamedType): string {
  const values = isEnumType(type) ? type.getValues().map((value) => value.name) : [];
  return sortEnum(`${type.name} = ${values.join(' ')}`);
}

function sortEnum(row: string): string {
  const [name = '', values = ''] = row.split(' = ');
  return `${name} = ${words(values).sort().join(' ')}`;
}

function rows(table: string): string[] {
  return table.split('\n').filter((row) => row !== '');
}

function words(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== '');
}

function ownerOf(line: string): string {
  return line.match(/^\w+/)?.[0] ?? '';
}

function operationOf(line: string): string {
  return line.match(/^\w+\.\w+/)?.[0] ?? '';
}

function keyOf(line: string): string {
  return line.split(': ')[0] ?? '';
}
