import type { GraphQLResolveInfo, GraphQLScalarType, GraphQLScalarTypeConfig } from 'graphql';
import type { Context } from '../../context.ts';
export type Maybe<T> = T | null;
export type InputMaybe<T> = Maybe<T>;
export type RequireFields<T, K extends keyof T> = Omit<T, K> & { [P in K]-?: NonNullable<T[P]> };
/** All built-in and custom scalars, mapped to their actual values */
export type Scalars = {
  ID: { input: string; output: string; }
  String: { input: string; output: string; }
  Boolean: { input: boolean; output: boolean; }
  Int: { input: number; output: number; }
  Float: { input: number; output: number; }
  /** A moment in time as an integer: milliseconds since 1970-01-01T00:00:00Z, in responses and in inputs alike. */
  Timestamp: { input: number; output: number; }
};

/** Rights an app is granted. A WRITE scope includes the READ scope of the same name. In tokens the names are in lower case. */
export type AppScopeEnum =
  /** Read campaigns. No operation asks for it yet. */
  | 'READ_CAMPAIGNS'
  /** Read customers. */
  | 'READ_CUSTOMERS'
  /** Read stock locations and stock counts. */
  | 'READ_INVENTORIES'
  /** Read orders. No operation asks for it yet. */
  | 'READ_ORDERS'
  /** Read products and what belongs to them: categories, brands, tags, variant types, attributes, sales channels, price lists. */
  | 'READ_PRODUCTS'
  /** Change campaigns. No operation asks for it yet. */
  | 'WRITE_CAMPAIGNS'
  /** Change customers. */
  | 'WRITE_CUSTOMERS'
  /** Change stock locations and stock counts. */
  | 'WRITE_INVENTORIES'
  /** Change orders. No operation asks for it yet. */
  | 'WRITE_ORDERS'
  /** Change products and what belongs to them. */
  | 'WRITE_PRODUCTS';

/** An app that is authorized to work with a merchant's data. */
export type AuthorizedApp = {
  __typename?: 'AuthorizedApp';
  /** When the merchant added the app. */
  addedDate: Scalars['Timestamp']['output'];
  /** When the authorization was created. */
  createdAt?: Maybe<Scalars['Timestamp']['output']>;
  /** True when the authorization is deleted. */
  deleted: Scalars['Boolean']['output'];
  /** Identifier, made by the service. */
  id: Scalars['ID']['output'];
  /** Id of the partner who made the app. */
  partnerId: Scalars['String']['output'];
  /** Sales channel owned by the merchant that the app works for; null when it has none. */
  salesChannelId?: Maybe<Scalars['String']['output']>;
  /**
   * Names of the scopes granted to the app, separated by commas, for example
   * `read_customers,write_customers`. A token may hold fewer: see `me`.
   */
  scope: Scalars['String']['output'];
  /** Id of the app in the store of apps. */
  storeAppId: Scalars['String']['output'];
  /** True when the merchant may install the app more than once. */
  supportsMultipleInstallation?: Maybe<Scalars['Boolean']['output']>;
  /** When the authorization was last changed. */
  updatedAt?: Maybe<Scalars['Timestamp']['output']>;
};

/** A bulk request that was taken in, and what became of it. */
export type BulkOperation = {
  __typename?: 'BulkOperation';
  /** Number of products created. */
  created: Scalars['Int']['output'];
  /** When the request was taken in. */
  createdAt?: Maybe<Scalars['Timestamp']['output']>;
  /** Number of products deleted. A count: a bulk operation itself is never deleted. */
  deleted: Scalars['Int']['output'];
  /** What went wrong after the request was taken in, such as images that could not be fetched; empty when nothing did. */
  errors: Array<BulkOperationError>;
  /** Identifier, as bulkUpdateProducts answers it. */
  id: Scalars['ID']['output'];
  /** Number of images that could not be fetched. */
  imagesFailed: Scalars['Int']['output'];
  /** Number of images still to be fetched. */
  imagesPending: Scalars['Int']['output'];
  /** Whether work is still going on. */
  status: BulkOperationStatusEnum;
  /** Number of products in the request. */
  total: Scalars['Int']['output'];
  /** Number of products updated. */
  updated: Scalars['Int']['output'];
  /** When the counts last changed. */
  updatedAt?: Maybe<Scalars['Timestamp']['output']>;
};

/** Something that went wrong in a bulk operation. */
export type BulkOperationError = {
  __typename?: 'BulkOperationError';
  /** What went wrong, in words. */
  message: Scalars['String']['output'];
  /** Where in the request, for example `input.3.variants.0.images.1.imageUrl`. */
  path: Scalars['String']['output'];
};

/** States of a bulk operation. */
export type BulkOperationStatusEnum =
  /** Everything is done; images that could not be fetched are counted. */
  | 'COMPLETED'
  /** The work was given up; `errors` says why. */
  | 'FAILED'
  /** The products are saved; images are still being fetched. */
  | 'RUNNING';

/** A brand in a bulk request, found by name or created. */
export type BulkUpdateProductBrandInput = {
  /** Text about the brand, at most 65,536 code points. */
  description?: InputMaybe<Scalars['String']['input']>;
  /** Id of the brand's image; stored as sent. */
  imageId?: InputMaybe<Scalars['String']['input']>;
  /** Name of the brand, 1 to 255 code points after trimming. */
  name: Scalars['String']['input'];
};

/** A category in a bulk request, found by its path of names or created with whatever of the path is missing. */
export type BulkUpdateProductCategoryInput = {
  /**
   * Names from the root to the category, each 1 to 255 code points after trimming. Where several categories
   * have a name under one parent, the oldest is taken.
   */
  name: Array<Scalars['String']['input']>;
};

/** Metadata of a product in a bulk request. Members left out keep their value. */
export type BulkUpdateProductHtmlMetaDataInput = {
  /** Addresses named as canonical, each at most 2,048 code points. */
  canonicals?: InputMaybe<Array<Scalars['String']['input']>>;
  /** Summary shown by search engines, at most 65,536 code points. */
  description?: InputMaybe<Scalars['String']['input']>;
  /** True keeps the page out of search engines' indexes. */
  disableIndex?: InputMaybe<Scalars['Boolean']['input']>;
  /** Id as read. Accepted so that metadata can be sent back; the product's own is meant whatever is sent here. */
  id?: InputMaybe<Scalars['String']['input']>;
  /** Other titles and descriptions for single languages, storefronts or regions. */
  metadataOverrides?: InputMaybe<Array<HtmlMetaDataOverrideInput>>;
  /** Title of the page. */
  pageTitle?: InputMaybe<Scalars['String']['input']>;
  /** Address to which visitors are redirected, at most 2,048 code points. */
  redirectTo?: InputMaybe<Scalars['String']['input']>;
  /**
   * Last part of the product's address in the shop, at most 255 code points. Left out when creating, it is
   * made from the name; one that is taken gets `-2`, `-3` and so on.
   */
  slug?: InputMaybe<Scalars['String']['input']>;
  /** Translations, one per locale. */
  translations?: InputMaybe<Array<HtmlMetaDataTranslationInput>>;
};

/** An image in a bulk request, fetched in the background and counted in the bulk operation. */
export type BulkUpdateProductImageInput = {
  /**
   * Address the image is fetched from, at most 2,048 code points. The image has at most 20 MB, 40 megapixels and
   * 30,000 pixels a side, and is a JPEG, PNG, WebP, GIF or AVIF.
   */
  imageUrl: Scalars['String']['input'];
  /** True for the variant's main image. */
  isMain: Scalars['Boolean']['input'];
  /** True for a video. */
  isVideo?: InputMaybe<Scalars['Boolean']['input']>;
  /** Place among the variant's images, the lowest first. Keeps 15 digits. */
  order: Scalars['Float']['input'];
};

/** A price row in a bulk request, kept as a decimal number. */
export type BulkUpdateProductPriceInput = {
  /** Price the merchant pays, not negative. At most 6 decimals. */
  buyPrice?: InputMaybe<Scalars['Float']['input']>;
  /** Currency of the row, when it is not the price list's or, for the base price, the merchant's. */
  currencyCode?: InputMaybe<Scalars['String']['input']>;
  /** Price shoppers pay instead of `sellPrice`, not negative. At most 6 decimals. */
  discountPrice?: InputMaybe<Scalars['Float']['input']>;
  /** Price list the row belongs to, which must exist; left out or null for the base price. */
  priceListId?: InputMaybe<Scalars['String']['input']>;
  /** Price shoppers pay when there is no discount, not negative. At most 6 decimals. */
  sellPrice: Scalars['Float']['input'];
};

/** A stock count in a bulk request. */
export type BulkUpdateProductStockInput = {
  /** The new number of pieces, a decimal number from -1,000,000,000,000 to 1,000,000,000,000; it replaces the stored one. At most 6 decimals. */
  stockCount: Scalars['Float']['input'];
  /** Id of the stock location, which must exist. */
  stockLocationId: Scalars['String']['input'];
};

/** A tag in a bulk request, found by name or created. */
export type BulkUpdateProductTagInput = {
  /** Text of the tag, 1 to 255 code points after trimming. */
  name: Scalars['String']['input'];
};

/** A variant of a product in a bulk request. */
export type BulkUpdateProductVariantInput = {
  /** Barcodes of the variant. */
  barcodeList?: InputMaybe<Array<Scalars['String']['input']>>;
  /** True deletes the variant. */
  deleted?: Scalars['Boolean']['input'];
  /** Harmonized System code, for customs; stored as sent. */
  hsCode?: InputMaybe<Scalars['String']['input']>;
  /** Id of a variant the product has. */
  id?: InputMaybe<Scalars['String']['input']>;
  /**
   * Images of the variant, which are fetched in the background. At most one is the main image: two are
   * ARGUMENT_VALIDATION_ERROR, and where none is, the first in order becomes it. Images that the variant has
   * from the same address stay without being fetched again, those that are not named go, also when an earlier
   * request has not fetched them yet.
   */
  images?: InputMaybe<Array<BulkUpdateProductImageInput>>;
  /** Whether the variant can be sold. */
  isActive?: Scalars['Boolean']['input'];
  /** Price rows, exactly one of them without `priceListId`. Stored rows of price lists that are not mentioned stay. */
  prices: Array<BulkUpdateProductPriceInput>;
  /** The merchant's own number for the variant. */
  sku?: InputMaybe<Scalars['String']['input']>;
  /** The caller's own key of the variant, by which a later request finds it again. */
  sourceId?: InputMaybe<Scalars['String']['input']>;
  /** Stock counts per stock location. */
  stocks?: InputMaybe<Array<BulkUpdateProductStockInput>>;
  /** The variant's value for each variant type of the product, by names. */
  variantValues?: InputMaybe<Array<BulkUpdateProductVariationValueRelationInput>>;
  /** Weight in kilograms, not negative. Keeps 15 digits. */
  weight?: InputMaybe<Scalars['Float']['input']>;
};

/** A product's use of a variant type in a bulk request; the type is found by name or created. */
export type BulkUpdateProductVariantTypeImportInput = {
  /** Place among the product's variant types, the lowest first. Keeps 15 digits. */
  order: Scalars['Float']['input'];
  /** Name of the variant type, 1 to 100 code points after trimming. */
  variantTypeName?: InputMaybe<Scalars['String']['input']>;
  /** Values the product uses; those the variant type lacks are added to it. */
  variantValues: Array<BulkUpdateProductVariantValueImportInput>;
};

/** A variant value in a bulk request, found by name within its variant type or created. */
export type BulkUpdateProductVariantValueImportInput = {
  /** Color the value is shown in, at most 7 code points, for example `#1a2b3c`. */
  colorCode?: InputMaybe<Scalars['String']['input']>;
  /** Name of the value, 1 to 100 code points after trimming. */
  name: Scalars['String']['input'];
  /** The caller's own key of the value. */
  sourceId?: InputMaybe<Scalars['String']['input']>;
  /**
   * Address the value's small picture is fetched from, at most 2,048 code points; in the background, counted
   * in the bulk operation, and not again while the value has the picture from there.
   */
  thumbnailImageUrl?: InputMaybe<Scalars['String']['input']>;
};

/** A variant's value for a variant type in a bulk request, by names. Both have to stand in `productVariantTypes`. */
export type BulkUpdateProductVariationValueRelationInput = {
  /** Name of the variant type, 1 to 100 code points after trimming. */
  variantTypeName: Scalars['String']['input'];
  /** Name of the value, 1 to 100 code points after trimming. */
  variantValueName: Scalars['String']['input'];
};

/**
 * A product to be saved by names: brands, categories, tags, variant types and values that do not exist are
 * created. The product is found by `id`, else by `sourceId`, else it is created. Names are 1 to 255 code
 * points after trimming.
 */
export type BulkUpdateProductsInput = {
  /** Brand of the product. */
  brand?: InputMaybe<BulkUpdateProductBrandInput>;
  /** Categories of the product. An empty list leaves it in none. */
  categories: Array<BulkUpdateProductCategoryInput>;
  /** True deletes the product. */
  deleted?: Scalars['Boolean']['input'];
  /** Text about the product, at most 65,536 code points. */
  description?: InputMaybe<Scalars['String']['input']>;
  /** Google product category id; stored as sent. */
  googleTaxonomyId?: InputMaybe<Scalars['String']['input']>;
  /** Id of the product to update. An unknown one is NOT_FOUND. */
  id?: InputMaybe<Scalars['String']['input']>;
  /** Most pieces of the product one cart may hold, not negative; null for no limit. At most 6 decimals. */
  maxQuantityPerCart?: InputMaybe<Scalars['Float']['input']>;
  /** Metadata of the product's page. */
  metaData?: InputMaybe<BulkUpdateProductHtmlMetaDataInput>;
  /** Name of the product, 1 to 255 code points after trimming. */
  name: Scalars['String']['input'];
  /** Variant types the product uses. */
  productVariantTypes: Array<BulkUpdateProductVariantTypeImportInput>;
  /** Sales channels the product is in, which must exist. */
  salesChannelIds?: InputMaybe<Array<Scalars['String']['input']>>;
  /** Settings per sales channel, one entry per channel. */
  salesChannels?: InputMaybe<Array<ProductSalesChannelInput>>;
  /** Text about the product in a few words, at most 65,536 code points. */
  shortDescription?: InputMaybe<Scalars['String']['input']>;
  /** The caller's own key of the product, by which a later request finds it again. */
  sourceId?: InputMaybe<Scalars['String']['input']>;
  /** Tags of the product. */
  tags?: InputMaybe<Array<BulkUpdateProductTagInput>>;
  /** Kind of the product. */
  type: ProductTypeEnum;
  /** All variants of the product, at most 1,000. */
  variants: Array<BulkUpdateProductVariantInput>;
  /** The vendor the product is bought from; stored as `vendorId`. */
  vendor?: InputMaybe<Scalars['String']['input']>;
  /** Weight in kilograms, not negative. Keeps 15 digits. */
  weight?: InputMaybe<Scalars['Float']['input']>;
};

/** A product in a bundle. */
export type BundleProductModel = {
  __typename?: 'BundleProductModel';
  /** True when the product's price is added to the price of the bundle. */
  addToBundleBasePrice?: Maybe<Scalars['Boolean']['output']>;
  /** Discount on the product within the bundle, in percent. */
  discountRatio?: Maybe<Scalars['Float']['output']>;
  /** Variants of the product that may be chosen; empty for all. */
  filteredVariantIds: Array<Scalars['String']['output']>;
  /** Key of the entry within the bundle, chosen by the client. */
  id: Scalars['String']['output'];
  /** Most pieces a shopper may take; null for no limit. */
  maxQuantity?: Maybe<Scalars['Float']['output']>;
  /** Fewest pieces a shopper has to take. */
  minQuantity?: Maybe<Scalars['Float']['output']>;
  /** Place in the bundle, the lowest first. */
  order: Scalars['Float']['output'];
  /** Id of the product in the bundle. */
  productId: Scalars['String']['output'];
  /** Pieces of the product in the bundle. */
  quantity: Scalars['Float']['output'];
};

/** A product in a bundle, to be saved. */
export type BundleProductModelInput = {
  /** True when the product's price is added to the price of the bundle. */
  addToBundleBasePrice?: InputMaybe<Scalars['Boolean']['input']>;
  /** Discount on the product within the bundle, in percent. Keeps 15 digits. */
  discountRatio?: InputMaybe<Scalars['Float']['input']>;
  /** Variants of the product that may be chosen; empty for all. */
  filteredVariantIds: Array<Scalars['String']['input']>;
  /** Key of the entry within the bundle, chosen by the client; stored as sent. */
  id: Scalars['String']['input'];
  /** Most pieces a shopper may take, not negative; left out for no limit. At most 6 decimals. */
  maxQuantity?: InputMaybe<Scalars['Float']['input']>;
  /** Fewest pieces a shopper has to take, not negative. At most 6 decimals. */
  minQuantity?: InputMaybe<Scalars['Float']['input']>;
  /** Place in the bundle, the lowest first. Keeps 15 digits. */
  order: Scalars['Float']['input'];
  /** Id of the product in the bundle, which must exist. */
  productId: Scalars['String']['input'];
  /** Pieces of the product in the bundle, not negative. At most 6 decimals. */
  quantity: Scalars['Float']['input'];
};

/** Contents of a bundle and how many pieces of them a shopper may take. */
export type BundleSettingsModel = {
  __typename?: 'BundleSettingsModel';
  /** Most pieces the bundle may hold; null for no limit. */
  maxBundleQuantity?: Maybe<Scalars['Float']['output']>;
  /** Fewest pieces the bundle has to hold. */
  minBundleQuantity?: Maybe<Scalars['Float']['output']>;
  /** Products in the bundle. */
  products: Array<BundleProductModel>;
};

/** Contents of a bundle, to be saved; replaces the stored ones whole. */
export type BundleSettingsModelInput = {
  /** Most pieces the bundle may hold, not negative; left out for no limit. At most 6 decimals. */
  maxBundleQuantity?: InputMaybe<Scalars['Float']['input']>;
  /** Fewest pieces the bundle has to hold, not negative. At most 6 decimals. */
  minBundleQuantity?: InputMaybe<Scalars['Float']['input']>;
  /** Products in the bundle, at most 1,000. */
  products: Array<BundleProductModelInput>;
};

/** A place in the shop's tree of products. */
export type Category = {
  __typename?: 'Category';
  /** Ids of all ancestors, the root first, the category itself left out. Empty for a root. Computed. */
  categoryPath?: Maybe<Array<Scalars['String']['output']>>;
  /** The ancestors as records, in the order of `categoryPath`. Computed. */
  categoryPathItems?: Maybe<Array<CategoryPathItem>>;
  /** Conditions products meet to belong to an automated category: stored and returned; the service does not yet compute membership from them. */
  conditions?: Maybe<Array<CategoryCondition>>;
  /** When the category was created. */
  createdAt?: Maybe<Scalars['Timestamp']['output']>;
  /** True when the category is deleted. */
  deleted: Scalars['Boolean']['output'];
  /** Text about the category. */
  description?: Maybe<Scalars['String']['output']>;
  /** Identifier, made by the service. */
  id: Scalars['ID']['output'];
  /** Id of the category's picture. */
  imageId?: Maybe<Scalars['String']['output']>;
  /** True when products belong by the conditions: stored and returned; the service does not yet compute membership from them. */
  isAutomated?: Maybe<Scalars['Boolean']['output']>;
  /** Metadata of the category's page. */
  metaData?: Maybe<HtmlMetaData>;
  /** Name of the category. Names may repeat. */
  name: Scalars['String']['output'];
  /** Order of the products on the category's page. */
  orderType?: Maybe<CategoryProductsOrderTypeEnum>;
  /** Id of the category above; null for a root. */
  parentId?: Maybe<Scalars['String']['output']>;
  /** Sales channels the category is in. */
  salesChannelIds?: Maybe<Array<Scalars['String']['output']>>;
  /** The category's status per sales channel. Kept apart from `salesChannelIds`: each holds what was saved in it. */
  salesChannels?: Maybe<Array<CategorySalesChannel>>;
  /** True when a product has to meet all conditions, false when one is enough. */
  shouldMatchAllConditions?: Maybe<Scalars['Boolean']['output']>;
  /** Translations. */
  translations?: Maybe<Array<CategoryTranslation>>;
  /** When the category was last changed. */
  updatedAt?: Maybe<Scalars['Timestamp']['output']>;
};

/** A condition on the products of an automated category. */
export type CategoryCondition = {
  __typename?: 'CategoryCondition';
  /** What of a product is looked at. */
  conditionType: CategoryConditionTypeEnum;
  /** Whether the product's value has to be among `valueList` or not; null reads as IN. */
  method?: Maybe<CategoryConditionMethodEnum>;
  /** The values compared with: ids where the type names a record, else text. */
  valueList: Array<Scalars['String']['output']>;
};

/** A condition on the products of an automated category, to be saved. */
export type CategoryConditionInput = {
  /** What of a product is looked at. */
  conditionType: CategoryConditionTypeEnum;
  /** Whether the product's value has to be among `valueList` or not; left out reads as IN. */
  method?: InputMaybe<CategoryConditionMethodEnum>;
  /** The values compared with, at most 1,000 of at most 255 code points: ids where the type names a record, else text. Stored as sent. */
  valueList: Array<Scalars['String']['input']>;
};

/** How a category's condition compares. */
export type CategoryConditionMethodEnum =
  /** The product's value is among the listed ones. */
  | 'IN'
  /** The product's value is not among the listed ones. */
  | 'NOT_IN';

/** What of a product a category's condition looks at. */
export type CategoryConditionTypeEnum =
  /** Campaigns the product is part of, by id. */
  | 'CAMPAIGN'
  /** Categories of the product, by id. */
  | 'CATEGORY'
  /** Time of the product's creation. */
  | 'CREATED_AT'
  /** Whether the product is sold at a discount. */
  | 'DISCOUNTED_PRODUCTS'
  /** Range of the sell price. */
  | 'PRICE_RANGE'
  /** Attributes of the product, by id. */
  | 'PRODUCT_ATTRIBUTE'
  /** Brand of the product, by id. */
  | 'PRODUCT_BRAND'
  /** Name of the product. */
  | 'PRODUCT_NAME'
  /** Tags of the product, by id. */
  | 'PRODUCT_TAG'
  /** Variant values of the product's variants, by id. */
  | 'VARIANT_VALUE';

/**
 * Conditions on the categories a product is in. All members given together have to hold; a member that
 * is null counts as left out.
 */
export type CategoryFilterInput = {
  /** In the category with this id. */
  eq?: InputMaybe<Scalars['String']['input']>;
  /** In at least one of the categories with these ids, at most 1,000. An empty list matches nothing. */
  in?: InputMaybe<Array<Scalars['String']['input']>>;
  /** In none of the categories with these ids, at most 1,000. */
  nin?: InputMaybe<Array<Scalars['String']['input']>>;
};

/** A category to be saved. Its path is computed from `parentId`. */
export type CategoryInput = {
  /** Conditions of an automated category, at most 1,000: stored and returned; the service does not yet compute membership from them. */
  conditions?: InputMaybe<Array<CategoryConditionInput>>;
  /** Ignored; the service keeps the time. */
  createdAt?: InputMaybe<Scalars['Timestamp']['input']>;
  /** True deletes the category, false restores it. */
  deleted?: InputMaybe<Scalars['Boolean']['input']>;
  /** Text about the category, at most 65,536 code points. */
  description?: InputMaybe<Scalars['String']['input']>;
  /** Id of the category to update; left out to create one. */
  id?: InputMaybe<Scalars['String']['input']>;
  /** Id of the category's picture, as the upload answers it, at most 255 code points; stored as sent. */
  imageId?: InputMaybe<Scalars['String']['input']>;
  /** True for a category filled by its conditions: stored and returned; the service does not yet compute membership from them. */
  isAutomated?: InputMaybe<Scalars['Boolean']['input']>;
  /** Metadata of the category's page. Left out when creating, it is made with a slug from the name. */
  metaData?: InputMaybe<HtmlMetaDataInput>;
  /** Name of the category, 1 to 255 code points after trimming; stored in Unicode form NFC. Names may repeat. */
  name: Scalars['String']['input'];
  /** Order of the products on the category's page. */
  orderType?: InputMaybe<CategoryProductsOrderTypeEnum>;
  /**
   * Id of the category above, which must exist and must not be the category itself or below it; null makes
   * it a root. A tree has at most 50 levels, the root counted.
   */
  parentId?: InputMaybe<Scalars['String']['input']>;
  /** Sales channels the category is in; each must exist. */
  salesChannelIds?: InputMaybe<Array<Scalars['String']['input']>>;
  /** The category's status per sales channel, one entry per channel. */
  salesChannels?: InputMaybe<Array<CategorySalesChannelInput>>;
  /** True when a product has to meet all conditions, false when one is enough. */
  shouldMatchAllConditions?: InputMaybe<Scalars['Boolean']['input']>;
  /** Translations, one per locale. */
  translations?: InputMaybe<Array<CategoryTranslationInput>>;
  /** Ignored; the service keeps the time. */
  updatedAt?: InputMaybe<Scalars['Timestamp']['input']>;
};

/** Condition on the ancestors of a category. */
export type CategoryPathFilterInput = {
  /** At least one of these ids, at most 1,000, is among the ancestors. An empty list matches nothing. */
  in?: InputMaybe<Array<Scalars['String']['input']>>;
};

/** An ancestor of a category. */
export type CategoryPathItem = {
  __typename?: 'CategoryPathItem';
  /** When the ancestor was created. */
  createdAt?: Maybe<Scalars['Timestamp']['output']>;
  /** True when the ancestor is deleted. */
  deleted: Scalars['Boolean']['output'];
  /** Text about the ancestor. */
  description?: Maybe<Scalars['String']['output']>;
  /** Identifier of the ancestor. */
  id: Scalars['ID']['output'];
  /** Id of the ancestor's picture. */
  imageId?: Maybe<Scalars['String']['output']>;
  /** Whether the ancestor is an automated category. */
  isAutomated?: Maybe<Scalars['Boolean']['output']>;
  /** Metadata of the ancestor's page. */
  metaData?: Maybe<HtmlMetaData>;
  /** Name of the ancestor. */
  name: Scalars['String']['output'];
  /** Translations of the ancestor. */
  translations?: Maybe<Array<CategoryTranslation>>;
  /** When the ancestor was last changed. */
  updatedAt?: Maybe<Scalars['Timestamp']['output']>;
};

/** Orders in which a page shows its products. */
export type CategoryProductsOrderTypeEnum =
  /** Most sold first. */
  | 'BEST_SELLER'
  /** Largest discount in percent first. */
  | 'HIGHEST_DISCOUNT_RATIO'
  /** Highest price first. */
  | 'HIGHEST_PRICE'
  /** Smallest discount in percent first. */
  | 'LOWEST_DISCOUNT_RATIO'
  /** Lowest price first. */
  | 'LOWEST_PRICE'
  /** As arranged by hand. */
  | 'MANUALLY'
  /** By name, A to Z. */
  | 'NAME_ASC'
  /** By name, Z to A. */
  | 'NAME_DESC'
  /** Last created first. */
  | 'NEWEST'
  /** First created first. */
  | 'OLDEST';

/** A category's status in a sales channel. */
export type CategorySalesChannel = {
  __typename?: 'CategorySalesChannel';
  /** Id of the sales channel. */
  id: Scalars['ID']['output'];
  /** Whether the category is shown there. */
  status: SalesChannelStatusEnum;
};

/** A category's status in a sales channel, to be saved. */
export type CategorySalesChannelInput = {
  /** Id of the sales channel, which must exist. */
  id: Scalars['String']['input'];
  /** Whether the category is shown there. */
  status: SalesChannelStatusEnum;
};

/** A category in another language. */
export type CategoryTranslation = {
  __typename?: 'CategoryTranslation';
  /** Translated text about the category. */
  description?: Maybe<Scalars['String']['output']>;
  /** Language of the translation, for example `de`. */
  locale: Scalars['String']['output'];
  /** Translated name. */
  name?: Maybe<Scalars['String']['output']>;
};

/** A category in another language, to be saved. */
export type CategoryTranslationInput = {
  /** Translated text about the category, at most 65,536 code points. */
  description?: InputMaybe<Scalars['String']['input']>;
  /** Language of the translation, for example `de`. */
  locale: Scalars['String']['input'];
  /** Translated name, at most 255 code points. */
  name?: InputMaybe<Scalars['String']['input']>;
};

/** A person or company that buys from the merchant. */
export type Customer = {
  __typename?: 'Customer';
  /** State of the customer's account. */
  accountStatus?: Maybe<CustomerAccountStatusEnum>;
  /** When `accountStatus` last changed. */
  accountStatusUpdatedAt?: Maybe<Scalars['Timestamp']['output']>;
  /** Addresses of the customer. */
  addresses?: Maybe<Array<CustomerAddress>>;
  /** Values of customer attributes. */
  attributes?: Maybe<Array<CustomerAttributeValue>>;
  /** State of the customer's account as a business. */
  b2bStatus?: Maybe<CustomerB2BStatusEnum>;
  /** Date of birth. */
  birthDate?: Maybe<Scalars['Timestamp']['output']>;
  /** When the customer was created. */
  createdAt?: Maybe<Scalars['Timestamp']['output']>;
  /** Ids of the customer groups the customer belongs to. Stored and returned. */
  customerGroupIds?: Maybe<Array<Scalars['String']['output']>>;
  /** Ids of the customer segments the customer belongs to. Stored and returned. */
  customerSegmentIds?: Maybe<Array<Scalars['String']['output']>>;
  /** Running number of the customer within the shop. Computed; null for a customer that was not saved through the service yet. */
  customerSequence?: Maybe<Scalars['Float']['output']>;
  /** True when the customer is deleted. */
  deleted: Scalars['Boolean']['output'];
  /** E-mail address. */
  email?: Maybe<Scalars['String']['output']>;
  /** When the e-mail address was verified. Computed. */
  emailVerifiedDate?: Maybe<Scalars['Timestamp']['output']>;
  /** First name. */
  firstName: Scalars['String']['output'];
  /** When the first order was placed. Computed. */
  firstOrderDate?: Maybe<Scalars['Timestamp']['output']>;
  /** First and last name together. Computed. */
  fullName?: Maybe<Scalars['String']['output']>;
  /** Gender. */
  gender?: Maybe<CustomerGenderTypeEnum>;
  /** Identifier, made by the service. */
  id: Scalars['ID']['output'];
  /** Network address the customer was last seen at. */
  ip?: Maybe<Scalars['String']['output']>;
  /** True when the e-mail address is known to be the customer's. */
  isEmailVerified?: Maybe<Scalars['Boolean']['output']>;
  /** True when the phone number is known to be the customer's. */
  isPhoneVerified?: Maybe<Scalars['Boolean']['output']>;
  /** Last name. */
  lastName?: Maybe<Scalars['String']['output']>;
  /** When the last order was placed. Computed. */
  lastOrderDate?: Maybe<Scalars['Timestamp']['output']>;
  /** Price list that held at the customer's last visit. */
  lastPriceListId?: Maybe<Scalars['String']['output']>;
  /** Id of the storefront address of the customer's last visit. Stored and returned. */
  lastStorefrontRoutingId?: Maybe<Scalars['String']['output']>;
  /** Note of the merchant's staff. */
  note?: Maybe<Scalars['String']['output']>;
  /** Number of orders. Computed. */
  orderCount?: Maybe<Scalars['Float']['output']>;
  /** When the password last changed. */
  passwordUpdateDate?: Maybe<Scalars['Timestamp']['output']>;
  /** Phone number. */
  phone?: Maybe<Scalars['String']['output']>;
  /** Whether the customer wants news by phone call. */
  phoneSubscriptionStatus?: Maybe<CustomerEmailSubscriptionStatusesEnum>;
  /** When `phoneSubscriptionStatus` last changed. */
  phoneSubscriptionStatusUpdatedAt?: Maybe<Scalars['Timestamp']['output']>;
  /** When the phone number was verified. Computed. */
  phoneVerifiedDate?: Maybe<Scalars['Timestamp']['output']>;
  /** Language the customer prefers, for example `de`. */
  preferredLanguage?: Maybe<Scalars['String']['output']>;
  /** Price list that holds for the customer. */
  priceListId?: Maybe<Scalars['String']['output']>;
  /** Rules by which prices change for this customer. */
  priceListRules?: Maybe<Array<CustomerPriceListRule>>;
  /** How the customer registered. */
  registrationSource?: Maybe<CustomerRegistrationSourceEnum>;
  /** Whether the customer wants news by text message. */
  smsSubscriptionStatus?: Maybe<CustomerEmailSubscriptionStatusesEnum>;
  /** When `smsSubscriptionStatus` last changed. */
  smsSubscriptionStatusUpdatedAt?: Maybe<Scalars['Timestamp']['output']>;
  /** Whether the customer wants news by e-mail. */
  subscriptionStatus?: Maybe<CustomerEmailSubscriptionStatusesEnum>;
  /** When `subscriptionStatus` last changed. */
  subscriptionStatusUpdatedAt?: Maybe<Scalars['Timestamp']['output']>;
  /** Ids of the customer's tags. Stored and returned. */
  tagIds?: Maybe<Array<Scalars['String']['output']>>;
  /** Sum of all orders. Computed. */
  totalOrderPrice?: Maybe<Scalars['Float']['output']>;
  /** When the customer was last changed. */
  updatedAt?: Maybe<Scalars['Timestamp']['output']>;
  /** Browser the customer was last seen with, as it names itself. */
  userAgent?: Maybe<Scalars['String']['output']>;
};

/** States of a customer's account. */
export type CustomerAccountStatusEnum =
  /** The customer can log in. */
  | 'ACTIVE_ACCOUNT'
  /** The customer has closed the account. */
  | 'DEACTIVATED_ACCOUNT'
  /** The customer has declined the invitation to open an account. */
  | 'DECLINED_ACCOUNT_INVITATION'
  /** The merchant has closed the account. */
  | 'DISABLED_ACCOUNT'
  /** The customer is invited and has not answered yet. */
  | 'INVITED_TO_CREATE_ACCOUNT';

/** An address of a customer. */
export type CustomerAddress = {
  __typename?: 'CustomerAddress';
  /** Street and house number. */
  addressLine1: Scalars['String']['output'];
  /** Whatever else finds the place. */
  addressLine2?: Maybe<Scalars['String']['output']>;
  /** Values of customer attributes for this address. */
  attributes?: Maybe<Array<CustomerAttributeValue>>;
  /** City. */
  city: CustomerAddressCity;
  /** Name of the company. */
  company?: Maybe<Scalars['String']['output']>;
  /** Country. */
  country: CustomerAddressCountry;
  /** When the address was created. */
  createdAt?: Maybe<Scalars['Timestamp']['output']>;
  /** True when the address is deleted. */
  deleted: Scalars['Boolean']['output'];
  /** District of the city. */
  district?: Maybe<CustomerAddressDistrict>;
  /** First name of the person at the address. */
  firstName: Scalars['String']['output'];
  /** Identifier, made by the service. */
  id: Scalars['ID']['output'];
  /** National identity number of the person. */
  identityNumber?: Maybe<Scalars['String']['output']>;
  /** True for the address that is offered first. */
  isDefault?: Maybe<Scalars['Boolean']['output']>;
  /** Last name of the person at the address. */
  lastName: Scalars['String']['output'];
  /** Phone number at the address. */
  phone?: Maybe<Scalars['String']['output']>;
  /** Postal code. */
  postalCode?: Maybe<Scalars['String']['output']>;
  /** Region the country is divided into for delivery. */
  region?: Maybe<CustomerAddressRegion>;
  /** State or province. */
  state?: Maybe<CustomerAddressState>;
  /** Number under which the company pays taxes. */
  taxNumber?: Maybe<Scalars['String']['output']>;
  /** Name of the tax office. */
  taxOffice?: Maybe<Scalars['String']['output']>;
  /** Short name of the address, for example `Home`. */
  title: Scalars['String']['output'];
  /** When the address was last changed. */
  updatedAt?: Maybe<Scalars['Timestamp']['output']>;
};

/** City of a customer's address. */
export type CustomerAddressCity = {
  __typename?: 'CustomerAddressCity';
  /** Code of the city. */
  code?: Maybe<Scalars['String']['output']>;
  /** Id in the client's own list of cities. */
  id?: Maybe<Scalars['String']['output']>;
  /** Name of the city. */
  name: Scalars['String']['output'];
};

/** City of a customer's address, to be saved. */
export type CustomerAddressCityInput = {
  /** Code of the city. */
  code?: InputMaybe<Scalars['String']['input']>;
  /** Id in the client's own list of cities. */
  id?: InputMaybe<Scalars['String']['input']>;
  /** Name of the city, at most 255 code points. */
  name: Scalars['String']['input'];
};

/** Country of a customer's address. */
export type CustomerAddressCountry = {
  __typename?: 'CustomerAddressCountry';
  /** ISO 3166 code, three letters. */
  code?: Maybe<Scalars['String']['output']>;
  /** Id in the client's own list of countries. */
  id?: Maybe<Scalars['String']['output']>;
  /** ISO 3166 code, two letters. */
  iso2?: Maybe<Scalars['String']['output']>;
  /** ISO 3166 code, three letters. */
  iso3?: Maybe<Scalars['String']['output']>;
  /** Name of the country. */
  name: Scalars['String']['output'];
};

/** Country of a customer's address, to be saved. */
export type CustomerAddressCountryInput = {
  /** ISO 3166 code, three letters. */
  code?: InputMaybe<Scalars['String']['input']>;
  /** Id in the client's own list of countries. */
  id?: InputMaybe<Scalars['String']['input']>;
  /** ISO 3166 code, two letters. */
  iso2?: InputMaybe<Scalars['String']['input']>;
  /** ISO 3166 code, three letters. */
  iso3?: InputMaybe<Scalars['String']['input']>;
  /** Name of the country, at most 255 code points. */
  name: Scalars['String']['input'];
};

/** District of a customer's address. */
export type CustomerAddressDistrict = {
  __typename?: 'CustomerAddressDistrict';
  /** Code of the district. */
  code?: Maybe<Scalars['String']['output']>;
  /** Id in the client's own list of districts. */
  id?: Maybe<Scalars['String']['output']>;
  /** Name of the district. */
  name?: Maybe<Scalars['String']['output']>;
};

/** District of a customer's address, to be saved. */
export type CustomerAddressDistrictInput = {
  /** Code of the district. */
  code?: InputMaybe<Scalars['String']['input']>;
  /** Id in the client's own list of districts. */
  id?: InputMaybe<Scalars['String']['input']>;
  /** Name of the district, at most 255 code points. */
  name?: InputMaybe<Scalars['String']['input']>;
};

/** An address of a customer, to be saved. */
export type CustomerAddressInput = {
  /** Street and house number. */
  addressLine1: Scalars['String']['input'];
  /** Whatever else finds the place. */
  addressLine2?: InputMaybe<Scalars['String']['input']>;
  /** Values of customer attributes for this address. */
  attributes?: InputMaybe<Array<CustomerAttributeValueInput>>;
  /** City; stored as sent. */
  city: CustomerAddressCityInput;
  /** Name of the company. */
  company?: InputMaybe<Scalars['String']['input']>;
  /** Country; stored as sent. */
  country: CustomerAddressCountryInput;
  /** Ignored; the service keeps the time. */
  createdAt?: InputMaybe<Scalars['Timestamp']['input']>;
  /** True deletes the address, as leaving it out of the list does; false restores it. */
  deleted?: InputMaybe<Scalars['Boolean']['input']>;
  /** District of the city; stored as sent. */
  district?: InputMaybe<CustomerAddressDistrictInput>;
  /** First name of the person at the address, at most 255 code points. */
  firstName: Scalars['String']['input'];
  /** Id of an address the customer has; left out for a new one, whose id the service makes. */
  id?: InputMaybe<Scalars['String']['input']>;
  /** National identity number of the person. */
  identityNumber?: InputMaybe<Scalars['String']['input']>;
  /** True for the address that is offered first. */
  isDefault?: InputMaybe<Scalars['Boolean']['input']>;
  /** Last name of the person at the address, at most 255 code points. */
  lastName: Scalars['String']['input'];
  /** Phone number at the address. */
  phone?: InputMaybe<Scalars['String']['input']>;
  /** Postal code. */
  postalCode?: InputMaybe<Scalars['String']['input']>;
  /** Region the country is divided into for delivery; stored as sent. */
  region?: InputMaybe<CustomerAddressRegionInput>;
  /** State or province; stored as sent. */
  state?: InputMaybe<CustomerAddressStateInput>;
  /** Number under which the company pays taxes. */
  taxNumber?: InputMaybe<Scalars['String']['input']>;
  /** Name of the tax office. */
  taxOffice?: InputMaybe<Scalars['String']['input']>;
  /** Short name of the address, for example `Home`, at most 255 code points. */
  title: Scalars['String']['input'];
  /** Ignored; the service keeps the time. */
  updatedAt?: InputMaybe<Scalars['Timestamp']['input']>;
};

/** Region of a customer's address. */
export type CustomerAddressRegion = {
  __typename?: 'CustomerAddressRegion';
  /** When the region was saved on the address. */
  createdAt?: Maybe<Scalars['Timestamp']['output']>;
  /** True when the region is deleted. */
  deleted: Scalars['Boolean']['output'];
  /** Identifier of the region: the one sent, or made by the service when none was. */
  id: Scalars['ID']['output'];
  /** Name of the region. */
  name: Scalars['String']['output'];
  /** When the region was last changed. */
  updatedAt?: Maybe<Scalars['Timestamp']['output']>;
};

/** Region of a customer's address, to be saved. */
export type CustomerAddressRegionInput = {
  /** Ignored; the service keeps the time. */
  createdAt?: InputMaybe<Scalars['Timestamp']['input']>;
  /** True marks the region as deleted. */
  deleted?: InputMaybe<Scalars['Boolean']['input']>;
  /** Identifier of the region. Left out, the service makes one. */
  id?: InputMaybe<Scalars['String']['input']>;
  /** Name of the region, at most 255 code points. */
  name: Scalars['String']['input'];
  /** Ignored; the service keeps the time. */
  updatedAt?: InputMaybe<Scalars['Timestamp']['input']>;
};

/** State or province of a customer's address. */
export type CustomerAddressState = {
  __typename?: 'CustomerAddressState';
  /** Code of the state. */
  code?: Maybe<Scalars['String']['output']>;
  /** Id in the client's own list of states. */
  id?: Maybe<Scalars['String']['output']>;
  /** Name of the state. */
  name?: Maybe<Scalars['String']['output']>;
};

/** State or province of a customer's address, to be saved. */
export type CustomerAddressStateInput = {
  /** Code of the state. */
  code?: InputMaybe<Scalars['String']['input']>;
  /** Id in the client's own list of states. */
  id?: InputMaybe<Scalars['String']['input']>;
  /** Name of the state, at most 255 code points. */
  name?: InputMaybe<Scalars['String']['input']>;
};

/** A value of a customer attribute. The service keeps the values, not the attributes. */
export type CustomerAttributeValue = {
  __typename?: 'CustomerAttributeValue';
  /** Id of the customer attribute. */
  customerAttributeId?: Maybe<Scalars['String']['output']>;
  /** Id of the chosen option; for attributes that offer a choice. */
  customerAttributeOptionId?: Maybe<Scalars['String']['output']>;
  /** The value as text; for attributes without a choice. */
  value?: Maybe<Scalars['String']['output']>;
};

/** A value of a customer attribute, to be saved. Its ids are stored as sent. */
export type CustomerAttributeValueInput = {
  /** Id of the customer attribute. */
  customerAttributeId?: InputMaybe<Scalars['String']['input']>;
  /** Id of the chosen option; for attributes that offer a choice. */
  customerAttributeOptionId?: InputMaybe<Scalars['String']['input']>;
  /** The value as text, at most 65,536 code points; for attributes without a choice. */
  value?: InputMaybe<Scalars['String']['input']>;
};

/** States of a customer's account as a business. */
export type CustomerB2BStatusEnum =
  /** The customer can buy as a business. */
  | 'ACTIVE_ACCOUNT'
  /** The merchant has closed the business account. */
  | 'DISABLED_ACCOUNT'
  /** The merchant has not decided about the business account yet. */
  | 'WAITING_FOR_APPROVAL';

/** Whether a customer wants news by one channel. */
export type CustomerEmailSubscriptionStatusesEnum =
  /** The customer does not want news. */
  | 'NOT_SUBSCRIBED'
  /** The customer asked for news and has not confirmed it yet. */
  | 'PENDING_CONFIRMATION'
  /** The customer wants news. */
  | 'SUBSCRIBED';

/** Genders of customers. */
export type CustomerGenderTypeEnum =
  /** Female. */
  | 'FEMALE'
  /** Male. */
  | 'MALE'
  /** Neither of the two. */
  | 'OTHER';

/** A customer to be saved. Full name, sequence, order figures and verification dates are the service's own. */
export type CustomerInput = {
  /** State of the customer's account. */
  accountStatus?: InputMaybe<CustomerAccountStatusEnum>;
  /** When `accountStatus` last changed; stored as sent. */
  accountStatusUpdatedAt?: InputMaybe<Scalars['Timestamp']['input']>;
  /** All addresses of the customer, at most 1,000. Stored addresses that are not in the list are deleted. */
  addresses?: InputMaybe<Array<CustomerAddressInput>>;
  /** Values of customer attributes. */
  attributes?: InputMaybe<Array<CustomerAttributeValueInput>>;
  /** State of the customer's account as a business. */
  b2bStatus?: InputMaybe<CustomerB2BStatusEnum>;
  /** Date of birth. */
  birthDate?: InputMaybe<Scalars['Timestamp']['input']>;
  /** Ignored; the service keeps the time. */
  createdAt?: InputMaybe<Scalars['Timestamp']['input']>;
  /** Ids of the customer groups the customer belongs to, at most 1,000; stored as sent. */
  customerGroupIds?: InputMaybe<Array<Scalars['String']['input']>>;
  /** Ids of the customer segments the customer belongs to, at most 1,000; stored as sent. */
  customerSegmentIds?: InputMaybe<Array<Scalars['String']['input']>>;
  /** True deletes the customer, false restores it. */
  deleted?: InputMaybe<Scalars['Boolean']['input']>;
  /** E-mail address, at most 255 code points. */
  email?: InputMaybe<Scalars['String']['input']>;
  /** First name, 1 to 255 code points after trimming; stored in Unicode form NFC. */
  firstName: Scalars['String']['input'];
  /** Gender. */
  gender?: InputMaybe<CustomerGenderTypeEnum>;
  /** Id of the customer to update; left out to create one. */
  id?: InputMaybe<Scalars['String']['input']>;
  /** Network address the customer was last seen at. */
  ip?: InputMaybe<Scalars['String']['input']>;
  /** True when the e-mail address is known to be the customer's. */
  isEmailVerified?: InputMaybe<Scalars['Boolean']['input']>;
  /** True when the phone number is known to be the customer's. */
  isPhoneVerified?: InputMaybe<Scalars['Boolean']['input']>;
  /** Last name, at most 255 code points after trimming; stored in Unicode form NFC. */
  lastName?: InputMaybe<Scalars['String']['input']>;
  /** Price list that held at the customer's last visit, which must exist. */
  lastPriceListId?: InputMaybe<Scalars['String']['input']>;
  /** Id of the storefront address of the customer's last visit; stored as sent. */
  lastStorefrontRoutingId?: InputMaybe<Scalars['String']['input']>;
  /** Note of the merchant's staff, at most 65,536 code points. */
  note?: InputMaybe<Scalars['String']['input']>;
  /** When the password last changed; stored as sent. */
  passwordUpdateDate?: InputMaybe<Scalars['Timestamp']['input']>;
  /** Phone number, at most 255 code points. */
  phone?: InputMaybe<Scalars['String']['input']>;
  /** Whether the customer wants news by phone call. */
  phoneSubscriptionStatus?: InputMaybe<CustomerEmailSubscriptionStatusesEnum>;
  /** When `phoneSubscriptionStatus` last changed; stored as sent. */
  phoneSubscriptionStatusUpdatedAt?: InputMaybe<Scalars['Timestamp']['input']>;
  /** Language the customer prefers, for example `de`. */
  preferredLanguage?: InputMaybe<Scalars['String']['input']>;
  /** Price list that holds for the customer, which must exist. */
  priceListId?: InputMaybe<Scalars['String']['input']>;
  /** Rules by which prices change for this customer. */
  priceListRules?: InputMaybe<Array<CustomerPriceListRuleInput>>;
  /** How the customer registered. */
  registrationSource?: InputMaybe<CustomerRegistrationSourceEnum>;
  /** Whether the customer wants news by text message. */
  smsSubscriptionStatus?: InputMaybe<CustomerEmailSubscriptionStatusesEnum>;
  /** When `smsSubscriptionStatus` last changed; stored as sent. */
  smsSubscriptionStatusUpdatedAt?: InputMaybe<Scalars['Timestamp']['input']>;
  /** Whether the customer wants news by e-mail. */
  subscriptionStatus?: InputMaybe<CustomerEmailSubscriptionStatusesEnum>;
  /** When `subscriptionStatus` last changed; stored as sent. */
  subscriptionStatusUpdatedAt?: InputMaybe<Scalars['Timestamp']['input']>;
  /** Ids of the customer's tags, at most 1,000; stored as sent. */
  tagIds?: InputMaybe<Array<Scalars['String']['input']>>;
  /** Ignored; the service keeps the time. */
  updatedAt?: InputMaybe<Scalars['Timestamp']['input']>;
  /** Browser the customer was last seen with, as it names itself. */
  userAgent?: InputMaybe<Scalars['String']['input']>;
};

/** A page of customers. */
export type CustomerPaginationResponse = {
  __typename?: 'CustomerPaginationResponse';
  /** Number of all customers that match, on every page together. */
  count: Scalars['Int']['output'];
  /** The customers of this page. */
  data: Array<Customer>;
  /** What `pagination.after` takes to go on after this page; null on an empty page. */
  endCursor?: Maybe<Scalars['String']['output']>;
  /** True when more customers follow. */
  hasNext: Scalars['Boolean']['output'];
  /** Most customers a page holds, as asked for. */
  limit: Scalars['Int']['output'];
  /** Number of this page. */
  page: Scalars['Int']['output'];
};

/** A rule by which prices change for a customer. Stored and returned; the service does not compute prices from it. */
export type CustomerPriceListRule = {
  __typename?: 'CustomerPriceListRule';
  /** Discount in percent. */
  discountRate?: Maybe<Scalars['Float']['output']>;
  /** Which products the rule holds for; null or empty for all. */
  filters?: Maybe<Array<CustomerPriceListRuleFilter>>;
  /** Price list the rule starts from; null for the base prices. */
  priceListId?: Maybe<Scalars['String']['output']>;
  /** True when a product has to meet all filters, false when one is enough. */
  shouldMatchAllFilters?: Maybe<Scalars['Boolean']['output']>;
  /** The discount or the fixed price, as `valueType` says. */
  value: Scalars['Float']['output'];
  /** What `value` is. */
  valueType: CustomerPriceListRuleValueTypeEnum;
};

/** A filter on the products a price rule holds for. */
export type CustomerPriceListRuleFilter = {
  __typename?: 'CustomerPriceListRuleFilter';
  /** What of a product is looked at. */
  type: CustomerPriceListRuleFilterTypeEnum;
  /** Ids of the records the product has to be or to have one of. */
  valueList: Array<Scalars['String']['output']>;
};

/** A filter on the products a price rule holds for, to be saved. */
export type CustomerPriceListRuleFilterInput = {
  /** What of a product is looked at. */
  type: CustomerPriceListRuleFilterTypeEnum;
  /** Ids of the records the product has to be or to have one of, at most 1,000. Stored as sent. */
  valueList: Array<Scalars['String']['input']>;
};

/** What of a product a customer's price rule looks at. */
export type CustomerPriceListRuleFilterTypeEnum =
  /** Its categories. */
  | 'CATEGORY'
  /** The product itself. */
  | 'PRODUCT'
  /** Its brand. */
  | 'PRODUCT_BRAND'
  /** Its tags. */
  | 'PRODUCT_TAG';

/** A rule by which prices change for a customer, to be saved. */
export type CustomerPriceListRuleInput = {
  /** Discount in percent. Keeps 15 digits. */
  discountRate?: InputMaybe<Scalars['Float']['input']>;
  /** Which products the rule holds for; left out or empty for all. */
  filters?: InputMaybe<Array<CustomerPriceListRuleFilterInput>>;
  /** Price list the rule starts from, which must exist; left out for the base prices. */
  priceListId?: InputMaybe<Scalars['String']['input']>;
  /** True when a product has to meet all filters, false when one is enough. */
  shouldMatchAllFilters?: InputMaybe<Scalars['Boolean']['input']>;
  /** The discount or the fixed price, as `valueType` says; not negative. At most 6 decimals. */
  value: Scalars['Float']['input'];
  /** What `value` is. */
  valueType: CustomerPriceListRuleValueTypeEnum;
};

/** What the value of a customer's price rule is. */
export type CustomerPriceListRuleValueTypeEnum =
  /** A sum taken off the price. */
  | 'DISCOUNT_AMOUNT'
  /** A percentage taken off the price. */
  | 'DISCOUNT_RATE'
  /** The price itself. */
  | 'FIXED_PRICE';

/** Ways by which customers register. */
export type CustomerRegistrationSourceEnum =
  /** With an Apple account. */
  | 'apple'
  /** With an e-mail address and a password. */
  | 'credentials'
  /** With a Facebook account. */
  | 'facebook'
  /** With a Google account. */
  | 'google'
  /** With a code sent by text message. */
  | 'sms'
  /** With a Twitch account. */
  | 'twitch';

/**
 * Conditions on a Timestamp. All members given together have to hold; a member that is null counts as
 * left out.
 */
export type DateFilterInput = {
  /** At exactly this moment. */
  eq?: InputMaybe<Scalars['Timestamp']['input']>;
  /** After this moment. */
  gt?: InputMaybe<Scalars['Timestamp']['input']>;
  /** At this moment or after it. */
  gte?: InputMaybe<Scalars['Timestamp']['input']>;
  /** At one of these moments, at most 1,000. An empty list matches nothing. */
  in?: InputMaybe<Array<Scalars['Timestamp']['input']>>;
  /** Before this moment. */
  lt?: InputMaybe<Scalars['Timestamp']['input']>;
  /** At this moment or before it. */
  lte?: InputMaybe<Scalars['Timestamp']['input']>;
  /** Not at this moment. */
  ne?: InputMaybe<Scalars['Timestamp']['input']>;
  /** At none of these moments, at most 1,000. */
  nin?: InputMaybe<Array<Scalars['Timestamp']['input']>>;
};

/** What search engines and browsers are told about a product, a category or a brand. */
export type HtmlMetaData = {
  __typename?: 'HTMLMetaData';
  /** Addresses named as canonical for the page. */
  canonicals?: Maybe<Array<Scalars['String']['output']>>;
  /** When the metadata was created. */
  createdAt?: Maybe<Scalars['Timestamp']['output']>;
  /** True when the metadata is deleted. */
  deleted: Scalars['Boolean']['output'];
  /** Summary shown by search engines. */
  description?: Maybe<Scalars['String']['output']>;
  /** True keeps the page out of search engines' indexes. */
  disableIndex?: Maybe<Scalars['Boolean']['output']>;
  /** Identifier, made by the service. */
  id: Scalars['ID']['output'];
  /** Other titles and descriptions for single languages, storefronts or regions. */
  metadataOverrides?: Maybe<Array<HtmlMetaDataOverride>>;
  /** Title of the page. */
  pageTitle?: Maybe<Scalars['String']['output']>;
  /** Address to which visitors of the page are redirected. */
  redirectTo?: Maybe<Scalars['String']['output']>;
  /**
   * Last part of the record's address in the shop. Unique per merchant. Made from the record's name when
   * none is given; one that is taken gets `-2`, `-3` and so on.
   */
  slug: Scalars['String']['output'];
  /** Id of the record the metadata belongs to. */
  targetId?: Maybe<Scalars['String']['output']>;
  /** Kind of the record the metadata belongs to. */
  targetType?: Maybe<HtmlMetaDataTargetTypeEnum>;
  /** Translations. */
  translations?: Maybe<Array<HtmlMetaDataTranslation>>;
  /** When the metadata was last changed. */
  updatedAt?: Maybe<Scalars['Timestamp']['output']>;
};

/** Metadata to be saved with a product, a category or a brand. Members left out keep their value. */
export type HtmlMetaDataInput = {
  /** Addresses named as canonical, each at most 2,048 code points. */
  canonicals?: InputMaybe<Array<Scalars['String']['input']>>;
  /** Ignored; the service keeps the time. */
  createdAt?: InputMaybe<Scalars['Timestamp']['input']>;
  /** True deletes the metadata, false restores it. */
  deleted?: InputMaybe<Scalars['Boolean']['input']>;
  /** Summary shown by search engines, at most 65,536 code points. */
  description?: InputMaybe<Scalars['String']['input']>;
  /** True keeps the page out of search engines' indexes. */
  disableIndex?: InputMaybe<Scalars['Boolean']['input']>;
  /** Id as read, for sending a record back. A record has one metadata row, which keeps its id whatever is sent here. */
  id?: InputMaybe<Scalars['String']['input']>;
  /** Other titles and descriptions for single languages, storefronts or regions. */
  metadataOverrides?: InputMaybe<Array<HtmlMetaDataOverrideInput>>;
  /** Title of the page. */
  pageTitle?: InputMaybe<Scalars['String']['input']>;
  /** Address to which visitors are redirected, at most 2,048 code points. */
  redirectTo?: InputMaybe<Scalars['String']['input']>;
  /**
   * Last part of the record's address in the shop, 1 to 255 code points. When another record of the
   * merchant has it, the service appends `-2`, `-3` and so on. To have it made from the name, leave the
   * whole metadata out when creating the record.
   */
  slug: Scalars['String']['input'];
  /** Accepted so that a record can be sent back; ignored, for the target is the record being saved. */
  targetId?: InputMaybe<Scalars['String']['input']>;
  /** Accepted so that a record can be sent back; ignored, for the target is the record being saved. */
  targetType?: InputMaybe<HtmlMetaDataTargetTypeEnum>;
  /** Translations, one per locale. */
  translations?: InputMaybe<Array<HtmlMetaDataTranslationInput>>;
  /** Ignored; the service keeps the time. */
  updatedAt?: InputMaybe<Scalars['Timestamp']['input']>;
};

/** A title and description that replace the usual ones for a language, a storefront or a region of it. */
export type HtmlMetaDataOverride = {
  __typename?: 'HTMLMetaDataOverride';
  /** Summary shown by search engines. */
  description: Scalars['String']['output'];
  /** Language it holds for, for example `en`; null for every language. */
  language?: Maybe<Scalars['String']['output']>;
  /** Title of the page. */
  pageTitle: Scalars['String']['output'];
  /** Storefront it holds for; null for every storefront. */
  storefrontId?: Maybe<Scalars['String']['output']>;
  /** Region of the storefront it holds for; null for every region. */
  storefrontRegionId?: Maybe<Scalars['String']['output']>;
};

/** A title and description for a language, a storefront or a region of it. */
export type HtmlMetaDataOverrideInput = {
  /** Summary shown by search engines, at most 65,536 code points. */
  description: Scalars['String']['input'];
  /** Language it holds for, for example `en`; left out for every language. */
  language?: InputMaybe<Scalars['String']['input']>;
  /** Title of the page. */
  pageTitle: Scalars['String']['input'];
  /** Storefront it holds for; stored as sent. */
  storefrontId?: InputMaybe<Scalars['String']['input']>;
  /** Region of the storefront it holds for; stored as sent. */
  storefrontRegionId?: InputMaybe<Scalars['String']['input']>;
};

/** Kinds of records metadata belongs to. */
export type HtmlMetaDataTargetTypeEnum =
  /** A product brand. */
  | 'BRAND'
  /** A category. */
  | 'CATEGORY'
  /** A page of the shop's content. */
  | 'PAGE'
  /** A product. */
  | 'PRODUCT';

/** Metadata in another language. */
export type HtmlMetaDataTranslation = {
  __typename?: 'HTMLMetaDataTranslation';
  /** Translated summary. */
  description?: Maybe<Scalars['String']['output']>;
  /** Language of the translation, for example `de`. */
  locale: Scalars['String']['output'];
  /** Translated title of the page. */
  pageTitle?: Maybe<Scalars['String']['output']>;
  /** Translated last part of the address. */
  slug?: Maybe<Scalars['String']['output']>;
};

/** Metadata in another language, to be saved. */
export type HtmlMetaDataTranslationInput = {
  /** Translated summary, at most 65,536 code points. */
  description?: InputMaybe<Scalars['String']['input']>;
  /** Language of the translation, for example `de`. */
  locale: Scalars['String']['input'];
  /** Translated title of the page. */
  pageTitle?: InputMaybe<Scalars['String']['input']>;
  /** Translated last part of the address, at most 255 code points. */
  slug?: InputMaybe<Scalars['String']['input']>;
};

/** The caller, an authorized app. */
export type MeResponse = {
  __typename?: 'MeResponse';
  /** When the merchant added the app. */
  addedDate?: Maybe<Scalars['Timestamp']['output']>;
  /** E-mail address of the app. */
  email?: Maybe<Scalars['String']['output']>;
  /** Identifier of the authorized app. */
  id?: Maybe<Scalars['String']['output']>;
  /** Name of the app. */
  name?: Maybe<Scalars['String']['output']>;
  /** Id of the partner who made the app. */
  partnerId?: Maybe<Scalars['String']['output']>;
  /** Sales channel owned by the merchant that the app works for; null when it has none. */
  salesChannelId?: Maybe<Scalars['String']['output']>;
  /** Names of the scopes that the access token holds, separated by commas. They may be fewer than those granted to the app. */
  scope?: Maybe<Scalars['String']['output']>;
  /** The scopes that the access token holds. */
  scopes?: Maybe<Array<AppScopeEnum>>;
  /** Id of the app in the store of apps. */
  storeAppId?: Maybe<Scalars['String']['output']>;
  /** True when the merchant may install the app more than once. */
  supportsMultipleInstallation?: Maybe<Scalars['Boolean']['output']>;
};

/** An address of a merchant. */
export type MerchantAddress = {
  __typename?: 'MerchantAddress';
  /** Street and house number. */
  addressLine1?: Maybe<Scalars['String']['output']>;
  /** Whatever else finds the place. */
  addressLine2?: Maybe<Scalars['String']['output']>;
  /** City. */
  city?: Maybe<MerchantAddressCity>;
  /** Name of the company. */
  company?: Maybe<Scalars['String']['output']>;
  /** Country. */
  country?: Maybe<MerchantAddressCountry>;
  /** District of the city. */
  district?: Maybe<MerchantAddressDistrict>;
  /** First name of the person at the address. */
  firstName?: Maybe<Scalars['String']['output']>;
  /** National identity number of the person. */
  identityNumber?: Maybe<Scalars['String']['output']>;
  /** Last name of the person at the address. */
  lastName?: Maybe<Scalars['String']['output']>;
  /** Postal code. */
  postalCode?: Maybe<Scalars['String']['output']>;
  /** State or province. */
  state?: Maybe<MerchantAddressState>;
  /** Number under which the merchant pays taxes. */
  taxNumber?: Maybe<Scalars['String']['output']>;
  /** Name of the tax office, for a corporate merchant. */
  taxOffice?: Maybe<Scalars['String']['output']>;
  /** Short name of the address, for example `Head office`. */
  title?: Maybe<Scalars['String']['output']>;
  /** Whether the address is a company's or a person's. */
  type?: Maybe<MerchantSettingsAddressTypeEnum>;
  /** True when the address has been verified. */
  verified?: Maybe<Scalars['Boolean']['output']>;
  /** When the address was verified. */
  verifiedAt?: Maybe<Scalars['Timestamp']['output']>;
  /** Tax identification number. */
  vkn?: Maybe<Scalars['String']['output']>;
};

/** City of a merchant's address. */
export type MerchantAddressCity = {
  __typename?: 'MerchantAddressCity';
  /** Code of the city. */
  code?: Maybe<Scalars['String']['output']>;
  /** Identifier of the city. */
  id?: Maybe<Scalars['String']['output']>;
  /** Name of the city. */
  name?: Maybe<Scalars['String']['output']>;
};

/** Country of a merchant's address. */
export type MerchantAddressCountry = {
  __typename?: 'MerchantAddressCountry';
  /** ISO 3166 code, three letters. */
  code?: Maybe<Scalars['String']['output']>;
  /** Identifier of the country. */
  id?: Maybe<Scalars['String']['output']>;
  /** ISO 3166 code, two letters. */
  iso2?: Maybe<Scalars['String']['output']>;
  /** ISO 3166 code, three letters. */
  iso3?: Maybe<Scalars['String']['output']>;
  /** Name of the country, in its usual spelling. */
  name?: Maybe<Scalars['String']['output']>;
};

/** District of a merchant's address. */
export type MerchantAddressDistrict = {
  __typename?: 'MerchantAddressDistrict';
  /** Code of the district. */
  code?: Maybe<Scalars['String']['output']>;
  /** Identifier of the district. */
  id?: Maybe<Scalars['String']['output']>;
  /** Name of the district. */
  name?: Maybe<Scalars['String']['output']>;
};

/** State or province of a merchant's address. */
export type MerchantAddressState = {
  __typename?: 'MerchantAddressState';
  /** Code of the state. */
  code?: Maybe<Scalars['String']['output']>;
  /** Identifier of the state. */
  id?: Maybe<Scalars['String']['output']>;
  /** Name of the state. */
  name?: Maybe<Scalars['String']['output']>;
};

/** Regions merchants trade in. */
export type MerchantRegionEnum =
  /** Africa. */
  | 'AF'
  /** Antarctica. */
  | 'AN'
  /** Asia. */
  | 'AS'
  /** Europe. */
  | 'EU'
  /** Oceania. */
  | 'OC'
  /** Poland. */
  | 'PL'
  /** Türkiye. */
  | 'TR'
  /** The United States. */
  | 'US';

/** A merchant, with the person to be reached. */
export type MerchantResponse = {
  __typename?: 'MerchantResponse';
  /** Where the merchant is. */
  address?: Maybe<MerchantAddress>;
  /** Where invoices to the merchant go. */
  billingAddress?: Maybe<MerchantAddress>;
  /** E-mail address of the merchant's staff. */
  email: Scalars['String']['output'];
  /** First name of the person to be reached. */
  firstName: Scalars['String']['output'];
  /** Identifier of the merchant. */
  id: Scalars['String']['output'];
  /** Last name of the person to be reached. */
  lastName: Scalars['String']['output'];
  /** Name of the merchant. */
  merchantName?: Maybe<Scalars['String']['output']>;
  /** Running number of the merchant. */
  merchantSequence?: Maybe<Scalars['Float']['output']>;
  /** Phone number of the merchant. */
  phoneNumber?: Maybe<Scalars['String']['output']>;
  /** Region the merchant trades in. */
  region?: Maybe<MerchantRegionEnum>;
  /** Name of the store. */
  storeName?: Maybe<Scalars['String']['output']>;
};

/** Kinds of merchant addresses. */
export type MerchantSettingsAddressTypeEnum =
  /** A company's address. */
  | 'CORPORATE'
  /** A person's address. */
  | 'INDIVIDUAL';

/**
 * Operations that change data. Each is one transaction: it happens wholly or not at all.
 *
 * Saving: without `id` a record is created; with `id` it is updated, and an id that does not exist is
 * NOT_FOUND. A member left out keeps its value, null clears it, and a list that is sent replaces the
 * stored list: entries matched by id keep their id, entries not in the list are deleted. Reading a
 * record with all its fields and sending it back changes nothing but `updatedAt`.
 *
 * References to other records must exist, belong to the merchant and not be deleted, otherwise
 * NOT_FOUND with the path and the ids. A reference the record already has may be sent again after its
 * target is deleted.
 *
 * Text with NUL characters or lone surrogates, and numbers that are Infinity or NaN, are
 * ARGUMENT_VALIDATION_ERROR naming the member, and so is a list of more than 1,000 entries where
 * nothing else is said. A request body of more than 10 MiB, 500,000 values or 5,000 different member
 * names is PAYLOAD_TOO_LARGE (HTTP status 413).
 *
 * A Float of an input is less than 10,000,000,000,000 in size. Amounts (money, counts, quantities) have at
 * most 6 decimals; measures (weights, ratios, places in an order) keep 15 digits and are 0 or at least 1e-12
 * in size. What arithmetic with 64-bit floats adds to a number, as in 0.30000000000000004, is rounded away:
 * at most 1e-12 of it. A number that would lose more, or that a 64-bit float cannot hold as 1e-400, is
 * ARGUMENT_VALIDATION_ERROR naming the member. The number that is stored is the one that is answered.
 *
 * Each field costs at least 100 points, and lists in the input cost by their entries: see the type `Query` for
 * what a request may cost.
 *
 * With the header `Idempotency-Key` (1 to 255 visible ASCII characters) a request is executed once per app
 * and key for 24 hours. A repeat, also one that comes while the first is executed, gets the answer of the
 * first with the header `Idempotency-Replayed: true`; the same key with another request is CONFLICT. All
 * mutations of such a request are one transaction with its key; requests to other hosts and the decoding
 * of pictures come before it. A request that was not executed (its document or variables are wrong) leaves
 * the key free; so does one that meets INTERNAL_SERVER_ERROR, SERVICE_UNAVAILABLE, TIMEOUT or
 * UNAUTHORIZED, and then nothing of it is done and `data` is null. Other errors are the stored answer. An
 * answer of more than 4 MiB cannot be kept: ARGUMENT_VALIDATION_ERROR, and nothing is done. The answers
 * kept for a merchant take at most 1 GiB, each with 512 bytes for its key, and count for 24 to 25 hours:
 * over that, a request with a new key is RATE_LIMITED with `Retry-After`, and nothing of it is done, while
 * repeats are answered and requests without a key are executed.
 *
 * With the header `X-Dry-Run: true` everything is checked and done, answered with
 * `extensions: {dryRun: true}`, and then undone: nothing changes, no event is sent, a key stays free.
 * Generated ids and times are not those of a later request. Any other value of the header is
 * ARGUMENT_VALIDATION_ERROR.
 */
export type Mutation = {
  __typename?: 'Mutation';
  /**
   * Creates and updates products by names, creating the brands, categories, tags, variant types and values
   * that are missing. A product is found by `id`, else by `sourceId`, else it is created. Members left out
   * keep their value, null clears, a list that is sent replaces; price rows of price lists that are not
   * mentioned stay.
   *
   * At most 1,000 products. The whole request is one transaction: a bad entry rejects it, with the entry's
   * index in the path (ARGUMENT_VALIDATION_ERROR, or NOT_FOUND for an unknown id). Images named by address
   * are fetched afterwards, in the background, each with up to three attempts within about a minute, by each
   * process at most six at once and four of one merchant. While pictures cannot be stored, they wait. Answers
   * the id of a bulk operation, which getBulkOperation takes. Needs the scope `write_products`.
   */
  bulkUpdateProducts: Scalars['String']['output'];
  /**
   * Deletes categories softly: they get `deleted: true` and leave the lists. Only the named ones: their
   * subcategories and products go on pointing to them. All or nothing: an id that does not exist is
   * NOT_FOUND naming it, and nothing is deleted. Deleting a deleted category again is fine. Answers true.
   * Needs the scope `write_products`.
   */
  deleteCategoryList: Scalars['Boolean']['output'];
  /**
   * Deletes customers softly: they get `deleted: true` and leave the lists. All or nothing: an id that does
   * not exist is NOT_FOUND naming it, and nothing is deleted. Deleting a deleted customer again is fine.
   * Answers true. Needs the scope `write_customers`.
   */
  deleteCustomerList: Scalars['Boolean']['output'];
  /**
   * Deletes price lists softly: they get `deleted: true` and leave the lists; variants keep their price rows
   * of the list. All or nothing: an id that does not exist is NOT_FOUND naming it, and nothing is deleted.
   * Deleting a deleted price list again is fine. Answers true. Needs the scope `write_products`.
   */
  deletePriceListList: Scalars['Boolean']['output'];
  /**
   * Deletes attributes softly: they get `deleted: true` and leave the lists; values on products go on
   * pointing to them. All or nothing: an id that does not exist is NOT_FOUND naming it, and nothing is
   * deleted. Deleting a deleted attribute again is fine. Answers true. Needs the scope `write_products`.
   */
  deleteProductAttributeList: Scalars['Boolean']['output'];
  /**
   * Deletes brands softly: they get `deleted: true` and leave the lists; products go on pointing to them.
   * All or nothing: an id that does not exist is NOT_FOUND naming it, and nothing is deleted. Deleting a
   * deleted brand again is fine. Answers true. Needs the scope `write_products`.
   */
  deleteProductBrandList: Scalars['Boolean']['output'];
  /**
   * Deletes products softly: they get `deleted: true` and leave the lists unless `includeDeleted` asks for
   * them. All or nothing: an id that does not exist is NOT_FOUND naming it, and nothing is deleted. Deleting
   * a deleted product again is fine. Answers true. Needs the scope `write_products`.
   */
  deleteProductList: Scalars['Boolean']['output'];
  /**
   * Deletes tags softly: they get `deleted: true` and leave the lists; products go on pointing to them.
   * All or nothing: an id that does not exist is NOT_FOUND naming it, and nothing is deleted. Deleting a
   * deleted tag again is fine. Answers true. Needs the scope `write_products`.
   */
  deleteProductTagList: Scalars['Boolean']['output'];
  /**
   * Deletes sales channels softly: they get `deleted: true` and leave the lists; products, categories and
   * brands go on pointing to them. All or nothing: an id that does not exist is NOT_FOUND naming it, and
   * nothing is deleted. Deleting a deleted sales channel again is fine. Answers true. Needs the scope
   * `write_products`.
   */
  deleteSalesChannelList: Scalars['Boolean']['output'];
  /**
   * Deletes stock locations softly: they get `deleted: true` and leave the lists; stock counts and sales
   * channels go on pointing to them. All or nothing: an id that does not exist is NOT_FOUND naming it, and
   * nothing is deleted. Deleting a deleted stock location again is fine. Answers true. Needs the scope
   * `write_inventories`.
   */
  deleteStockLocationList: Scalars['Boolean']['output'];
  /**
   * Deletes variant types softly: they get `deleted: true` and leave the lists; products and variants go on
   * pointing to them. All or nothing: an id that does not exist is NOT_FOUND naming it, and nothing is
   * deleted. Deleting a deleted variant type again is fine. Answers true. Needs the scope `write_products`.
   */
  deleteVariantTypeList: Scalars['Boolean']['output'];
  /**
   * Removes the app's webhooks of the given scopes. Their deliveries that are not settled are given up: no
   * further request is begun. Answers true, also when a scope was not registered. An unknown scope is
   * INVALID_SCOPE naming the allowed ones. Needs a valid token and no scope.
   */
  deleteWebhook: Scalars['Boolean']['output'];
  /**
   * Queues deliveries again, under the same id: up to three requests again, to the endpoint that the webhook
   * has now, and `attempts` has them behind the earlier ones. One that is still to be sent is left as it is,
   * unless it is meant for another endpoint. All or nothing: an id that does not exist is NOT_FOUND naming
   * it, and so is a scope without a webhook; a webhook that is paused is CONFLICT. Answers true. Needs a
   * valid token with the read scope of each delivery's resource: `read_customers` for `store/customer/*`,
   * `read_products` for `store/product/*`, `read_inventories` for `store/stock/*`; otherwise UNAUTHORIZED.
   */
  redeliverWebhook: Scalars['Boolean']['output'];
  /**
   * Queues the deliveries of one scope and a span of time again, except those that were delivered, each as
   * `redeliverWebhook` does. Answers true, also when there are none. Needs a valid token with the read scope
   * of the resource: `read_customers` for `store/customer/*`, `read_products` for `store/product/*`,
   * `read_inventories` for `store/stock/*`; otherwise UNAUTHORIZED. An unknown scope is INVALID_SCOPE, one
   * without a webhook NOT_FOUND, and a webhook that is paused CONFLICT; `to` before `from`, and a span with
   * more than 20,000 of them, is ARGUMENT_VALIDATION_ERROR.
   */
  redeliverWebhookRange: Scalars['Boolean']['output'];
  /**
   * Creates a category, or updates the one with the given `id`: members left out keep their value, null
   * clears, a list that is sent replaces. A category that gets another parent takes its subcategories
   * along: their `categoryPath` and `updatedAt` change with it. Answers NOT_FOUND for an unknown id, parent
   * or reference, and ARGUMENT_VALIDATION_ERROR for a parent that is the category itself or below it, for a
   * tree of more than 50 levels and for input outside the limits. Needs the scope `write_products`.
   */
  saveCategory: Category;
  /**
   * Creates a customer, or updates the one with the given `id`: members left out keep their value, null
   * clears, and a list that is sent replaces the stored one; addresses matched by id keep their id. Answers
   * NOT_FOUND for an unknown id of the customer, an address or a price list, and ARGUMENT_VALIDATION_ERROR
   * for input outside the limits. Sends the events `store/customer/created` and `store/customer/updated`.
   * Needs the scope `write_customers`.
   */
  saveCustomer: Customer;
  /**
   * Creates a price list, or updates the one with the given `id`: members left out keep their value, null
   * clears, a list of rules that is sent replaces the stored one whole. Answers NOT_FOUND for an unknown id
   * or base price list, and ARGUMENT_VALIDATION_ERROR for input outside the limits. Needs the scope
   * `write_products`.
   */
  savePriceList: PriceList;
  /**
   * Creates a product, or updates the one with the given `id`: members left out keep their value, null
   * clears, and a list that is sent replaces the stored one. So variants not in the list are deleted; those
   * matched by id keep their id. One exception: price rows are matched by price list, and rows of price
   * lists that are not mentioned stay.
   *
   * Answers NOT_FOUND for an unknown id of the product, of a variant or of a reference (brand, category,
   * tag, price list, variant type and value, attribute, option, sales channel, product of a bundle) with
   * path and ids; CONFLICT when `version` is given and is not the stored one; ARGUMENT_VALIDATION_ERROR for
   * input outside the limits. Needs the scope `write_products`.
   */
  saveProduct: Product;
  /**
   * Creates an attribute with its options, or updates the one with the given `id`: members left out keep
   * their value, null clears, a list that is sent replaces. Options matched by id keep their id, options
   * not in the list are deleted softly: they are no longer listed, products that use them go on pointing
   * to them. Answers NOT_FOUND for an unknown id of the attribute or of an option,
   * CONFLICT when another attribute that is not deleted has the name, and ARGUMENT_VALIDATION_ERROR for
   * input outside the limits. Needs the scope `write_products`.
   */
  saveProductAttribute: ProductAttribute;
  /**
   * Creates a brand, or updates the one with the given `id`: members left out keep their value, null
   * clears, a list that is sent replaces. Answers NOT_FOUND for an unknown id or reference, CONFLICT when
   * another brand that is not deleted has the name, and ARGUMENT_VALIDATION_ERROR for input outside the
   * limits. Needs the scope `write_products`.
   */
  saveProductBrand: ProductBrand;
  /**
   * Sets stock counts: each entry replaces the count of a variant at a stock location, or adds the row. All
   * or nothing; an empty list is fine. Answers true. Answers NOT_FOUND, with the path and the ids, for an
   * unknown product, variant or stock location and for a variant of another product; deleted ones count as
   * unknown where there is no row yet. Answers ARGUMENT_VALIDATION_ERROR for more than 1,000 entries, for
   * two of one variant and stock location, and for counts outside the limits. Needs the scope
   * `write_inventories`.
   */
  saveProductStockLocations: Scalars['Boolean']['output'];
  /**
   * Creates a tag, or updates the one with the given `id`: members left out keep their value, null clears,
   * a list that is sent replaces. Answers NOT_FOUND for an unknown id, CONFLICT when another tag that is
   * not deleted has the name, and ARGUMENT_VALIDATION_ERROR for input outside the limits. Needs the scope
   * `write_products`.
   */
  saveProductTag: ProductTag;
  /**
   * Creates a sales channel, or updates the one with the given `id`: members left out keep their value,
   * null clears, a list that is sent replaces. Answers NOT_FOUND for an unknown id, price list or stock
   * location, and ARGUMENT_VALIDATION_ERROR for input outside the limits. Needs the scope `write_products`.
   */
  saveSalesChannel: SalesChannel;
  /**
   * Creates a stock location, or updates the one with the given `id`: members left out keep their value,
   * null clears, a list that is sent replaces the stored one. Answers NOT_FOUND for an unknown id, and
   * ARGUMENT_VALIDATION_ERROR for input outside the limits. Needs the scope `write_inventories`.
   */
  saveStockLocation: StockLocation;
  /**
   * Sets prices of variants in one price list, or their base prices. Each row replaces the stored row whole.
   * At most 3,000 rows, all or nothing; an empty list changes nothing. Answers true. Answers NOT_FOUND for an
   * unknown price list, product or variant, and ARGUMENT_VALIDATION_ERROR for negative prices. Needs the
   * scope `write_products`.
   */
  saveVariantPrices: Scalars['Boolean']['output'];
  /**
   * Creates a variant type with its values, or updates the one with the given `id`: members left out keep
   * their value, null clears, a list that is sent replaces. Values matched by id keep their id, values not
   * in the list are deleted softly: they are no longer listed, products that use them go on pointing to
   * them. Answers NOT_FOUND for an unknown id of the type or of a value, CONFLICT when
   * another variant type that is not deleted has the name, and ARGUMENT_VALIDATION_ERROR for an empty value
   * list, two values with one name, and input outside the limits. Needs the scope `write_products`.
   */
  saveVariantType: ProductVariantType;
  /**
   * Registers one endpoint for one or more kinds of events, and answers the webhooks, one per scope. An app
   * has one webhook per scope: saving again changes its endpoint, keeps its id and resumes it when it was
   * paused. Sales channels left out stay as they are. Deliveries that were recorded before go to the
   * endpoint of their time; those that waited during a pause are sent then. `redeliverWebhookRange` directs
   * them to the new one. Needs a valid token with the read scope of each resource: `read_customers` for
   * `store/customer/*`, `read_products` for `store/product/*`, `read_inventories` for `store/stock/*`;
   * otherwise UNAUTHORIZED. An unknown scope is INVALID_SCOPE naming the allowed ones; an endpoint that is
   * not allowed is ARGUMENT_VALIDATION_ERROR; an unknown sales channel is NOT_FOUND.
   */
  saveWebhook?: Maybe<Array<Webhook>>;
  /**
   * Sends three samples to the registered endpoint of a scope at once, one correctly signed, one with
   * forged signatures and one with a timestamp an hour old, and reports what the receiver answered to
   * each. Their `sequence` is 0, and the record in `data` has an id of nothing, times and `deleted`. The
   * same rules about addresses, time and size hold as for deliveries; nothing is repeated or recorded. At
   * most once in a document. In a dry run it is ARGUMENT_VALIDATION_ERROR, and nothing of the request is
   * executed. In a request with an `Idempotency-Key` it must be the first operation of the document, as
   * the samples are sent before the transaction; they are sent again when the request is repeated because
   * the service stopped in the middle of it, or while another process of the service executes it. Needs a
   * valid token with the read scope of the resource: `read_customers` for `store/customer/*`,
   * `read_products` for `store/product/*`, `read_inventories` for `store/stock/*`; otherwise UNAUTHORIZED.
   * An unknown scope is INVALID_SCOPE; one the app has no webhook for is NOT_FOUND.
   */
  testWebhook: WebhookTestResult;
  /**
   * Makes products active or inactive in a sales channel, all or nothing. Active puts the channel into
   * `salesChannelIds` and out of `hiddenSalesChannelIds`, inactive the other way round. Answers true. Answers
   * NOT_FOUND for an unknown product or channel, and ARGUMENT_VALIDATION_ERROR when no channel is given and
   * the app has none of its own. Needs the scope `write_products`.
   */
  updateProductSalesChannelStatus: Scalars['Boolean']['output'];
};


/**
 * Operations that change data. Each is one transaction: it happens wholly or not at all.
 *
 * Saving: without `id` a record is created; with `id` it is updated, and an id that does not exist is
 * NOT_FOUND. A member left out keeps its value, null clears it, and a list that is sent replaces the
 * stored list: entries matched by id keep their id, entries not in the list are deleted. Reading a
 * record with all its fields and sending it back changes nothing but `updatedAt`.
 *
 * References to other records must exist, belong to the merchant and not be deleted, otherwise
 * NOT_FOUND with the path and the ids. A reference the record already has may be sent again after its
 * target is deleted.
 *
 * Text with NUL characters or lone surrogates, and numbers that are Infinity or NaN, are
 * ARGUMENT_VALIDATION_ERROR naming the member, and so is a list of more than 1,000 entries where
 * nothing else is said. A request body of more than 10 MiB, 500,000 values or 5,000 different member
 * names is PAYLOAD_TOO_LARGE (HTTP status 413).
 *
 * A Float of an input is less than 10,000,000,000,000 in size. Amounts (money, counts, quantities) have at
 * most 6 decimals; measures (weights, ratios, places in an order) keep 15 digits and are 0 or at least 1e-12
 * in size. What arithmetic with 64-bit floats adds to a number, as in 0.30000000000000004, is rounded away:
 * at most 1e-12 of it. A number that would lose more, or that a 64-bit float cannot hold as 1e-400, is
 * ARGUMENT_VALIDATION_ERROR naming the member. The number that is stored is the one that is answered.
 *
 * Each field costs at least 100 points, and lists in the input cost by their entries: see the type `Query` for
 * what a request may cost.
 *
 * With the header `Idempotency-Key` (1 to 255 visible ASCII characters) a request is executed once per app
 * and key for 24 hours. A repeat, also one that comes while the first is executed, gets the answer of the
 * first with the header `Idempotency-Replayed: true`; the same key with another request is CONFLICT. All
 * mutations of such a request are one transaction with its key; requests to other hosts and the decoding
 * of pictures come before it. A request that was not executed (its document or variables are wrong) leaves
 * the key free; so does one that meets INTERNAL_SERVER_ERROR, SERVICE_UNAVAILABLE, TIMEOUT or
 * UNAUTHORIZED, and then nothing of it is done and `data` is null. Other errors are the stored answer. An
 * answer of more than 4 MiB cannot be kept: ARGUMENT_VALIDATION_ERROR, and nothing is done. The answers
 * kept for a merchant take at most 1 GiB, each with 512 bytes for its key, and count for 24 to 25 hours:
 * over that, a request with a new key is RATE_LIMITED with `Retry-After`, and nothing of it is done, while
 * repeats are answered and requests without a key are executed.
 *
 * With the header `X-Dry-Run: true` everything is checked and done, answered with
 * `extensions: {dryRun: true}`, and then undone: nothing changes, no event is sent, a key stays free.
 * Generated ids and times are not those of a later request. Any other value of the header is
 * ARGUMENT_VALIDATION_ERROR.
 */
export type MutationBulkUpdateProductsArgs = {
  input: Array<BulkUpdateProductsInput>;
};


/**
 * Operations that change data. Each is one transaction: it happens wholly or not at all.
 *
 * Saving: without `id` a record is created; with `id` it is updated, and an id that does not exist is
 * NOT_FOUND. A member left out keeps its value, null clears it, and a list that is sent replaces the
 * stored list: entries matched by id keep their id, entries not in the list are deleted. Reading a
 * record with all its fields and sending it back changes nothing but `updatedAt`.
 *
 * References to other records must exist, belong to the merchant and not be deleted, otherwise
 * NOT_FOUND with the path and the ids. A reference the record already has may be sent again after its
 * target is deleted.
 *
 * Text with NUL characters or lone surrogates, and numbers that are Infinity or NaN, are
 * ARGUMENT_VALIDATION_ERROR naming the member, and so is a list of more than 1,000 entries where
 * nothing else is said. A request body of more than 10 MiB, 500,000 values or 5,000 different member
 * names is PAYLOAD_TOO_LARGE (HTTP status 413).
 *
 * A Float of an input is less than 10,000,000,000,000 in size. Amounts (money, counts, quantities) have at
 * most 6 decimals; measures (weights, ratios, places in an order) keep 15 digits and are 0 or at least 1e-12
 * in size. What arithmetic with 64-bit floats adds to a number, as in 0.30000000000000004, is rounded away:
 * at most 1e-12 of it. A number that would lose more, or that a 64-bit float cannot hold as 1e-400, is
 * ARGUMENT_VALIDATION_ERROR naming the member. The number that is stored is the one that is answered.
 *
 * Each field costs at least 100 points, and lists in the input cost by their entries: see the type `Query` for
 * what a request may cost.
 *
 * With the header `Idempotency-Key` (1 to 255 visible ASCII characters) a request is executed once per app
 * and key for 24 hours. A repeat, also one that comes while the first is executed, gets the answer of the
 * first with the header `Idempotency-Replayed: true`; the same key with another request is CONFLICT. All
 * mutations of such a request are one transaction with its key; requests to other hosts and the decoding
 * of pictures come before it. A request that was not executed (its document or variables are wrong) leaves
 * the key free; so does one that meets INTERNAL_SERVER_ERROR, SERVICE_UNAVAILABLE, TIMEOUT or
 * UNAUTHORIZED, and then nothing of it is done and `data` is null. Other errors are the stored answer. An
 * answer of more than 4 MiB cannot be kept: ARGUMENT_VALIDATION_ERROR, and nothing is done. The answers
 * kept for a merchant take at most 1 GiB, each with 512 bytes for its key, and count for 24 to 25 hours:
 * over that, a request with a new key is RATE_LIMITED with `Retry-After`, and nothing of it is done, while
 * repeats are answered and requests without a key are executed.
 *
 * With the header `X-Dry-Run: true` everything is checked and done, answered with
 * `extensions: {dryRun: true}`, and then undone: nothing changes, no event is sent, a key stays free.
 * Generated ids and times are not those of a later request. Any other value of the header is
 * ARGUMENT_VALIDATION_ERROR.
 */
export type MutationDeleteCategoryListArgs = {
  idList: Array<Scalars['String']['input']>;
};


/**
 * Operations that change data. Each is one transaction: it happens wholly or not at all.
 *
 * Saving: without `id` a record is created; with `id` it is updated, and an id that does not exist is
 * NOT_FOUND. A member left out keeps its value, null clears it, and a list that is sent replaces the
 * stored list: entries matched by id keep their id, entries not in the list are deleted. Reading a
 * record with all its fields and sending it back changes nothing but `updatedAt`.
 *
 * References to other records must exist, belong to the merchant and not be deleted, otherwise
 * NOT_FOUND with the path and the ids. A reference the record already has may be sent again after its
 * target is deleted.
 *
 * Text with NUL characters or lone surrogates, and numbers that are Infinity or NaN, are
 * ARGUMENT_VALIDATION_ERROR naming the member, and so is a list of more than 1,000 entries where
 * nothing else is said. A request body of more than 10 MiB, 500,000 values or 5,000 different member
 * names is PAYLOAD_TOO_LARGE (HTTP status 413).
 *
 * A Float of an input is less than 10,000,000,000,000 in size. Amounts (money, counts, quantities) have at
 * most 6 decimals; measures (weights, ratios, places in an order) keep 15 digits and are 0 or at least 1e-12
 * in size. What arithmetic with 64-bit floats adds to a number, as in 0.30000000000000004, is rounded away:
 * at most 1e-12 of it. A number that would lose more, or that a 64-bit float cannot hold as 1e-400, is
 * ARGUMENT_VALIDATION_ERROR naming the member. The number that is stored is the one that is answered.
 *
 * Each field costs at least 100 points, and lists in the input cost by their entries: see the type `Query` for
 * what a request may cost.
 *
 * With the header `Idempotency-Key` (1 to 255 visible ASCII characters) a request is executed once per app
 * and key for 24 hours. A repeat, also one that comes while the first is executed, gets the answer of the
 * first with the header `Idempotency-Replayed: true`; the same key with another request is CONFLICT. All
 * mutations of such a request are one transaction with its key; requests to other hosts and the decoding
 * of pictures come before it. A request that was not executed (its document or variables are wrong) leaves
 * the key free; so does one that meets INTERNAL_SERVER_ERROR, SERVICE_UNAVAILABLE, TIMEOUT or
 * UNAUTHORIZED, and then nothing of it is done and `data` is null. Other errors are the stored answer. An
 * answer of more than 4 MiB cannot be kept: ARGUMENT_VALIDATION_ERROR, and nothing is done. The answers
 * kept for a merchant take at most 1 GiB, each with 512 bytes for its key, and count for 24 to 25 hours:
 * over that, a request with a new key is RATE_LIMITED with `Retry-After`, and nothing of it is done, while
 * repeats are answered and requests without a key are executed.
 *
 * With the header `X-Dry-Run: true` everything is checked and done, answered with
 * `extensions: {dryRun: true}`, and then undone: nothing changes, no event is sent, a key stays free.
 * Generated ids and times are not those of a later request. Any other value of the header is
 * ARGUMENT_VALIDATION_ERROR.
 */
export type MutationDeleteCustomerListArgs = {
  idList: Array<Scalars['String']['input']>;
};


/**
 * Operations that change data. Each is one transaction: it happens wholly or not at all.
 *
 * Saving: without `id` a record is created; with `id` it is updated, and an id that does not exist is
 * NOT_FOUND. A member left out keeps its value, null clears it, and a list that is sent replaces the
 * stored list: entries matched by id keep their id, entries not in the list are deleted. Reading a
 * record with all its fields and sending it back changes nothing but `updatedAt`.
 *
 * References to other records must exist, belong to the merchant and not be deleted, otherwise
 * NOT_FOUND with the path and the ids. A reference the record already has may be sent again after its
 * target is deleted.
 *
 * Text with NUL characters or lone surrogates, and numbers that are Infinity or NaN, are
 * ARGUMENT_VALIDATION_ERROR naming the member, and so is a list of more than 1,000 entries where
 * nothing else is said. A request body of more than 10 MiB, 500,000 values or 5,000 different member
 * names is PAYLOAD_TOO_LARGE (HTTP status 413).
 *
 * A Float of an input is less than 10,000,000,000,000 in size. Amounts (money, counts, quantities) have at
 * most 6 decimals; measures (weights, ratios, places in an order) keep 15 digits and are 0 or at least 1e-12
 * in size. What arithmetic with 64-bit floats adds to a number, as in 0.30000000000000004, is rounded away:
 * at most 1e-12 of it. A number that would lose more, or that a 64-bit float cannot hold as 1e-400, is
 * ARGUMENT_VALIDATION_ERROR naming the member. The number that is stored is the one that is answered.
 *
 * Each field costs at least 100 points, and lists in the input cost by their entries: see the type `Query` for
 * what a request may cost.
 *
 * With the header `Idempotency-Key` (1 to 255 visible ASCII characters) a request is executed once per app
 * and key for 24 hours. A repeat, also one that comes while the first is executed, gets the answer of the
 * first with the header `Idempotency-Replayed: true`; the same key with another request is CONFLICT. All
 * mutations of such a request are one transaction with its key; requests to other hosts and the decoding
 * of pictures come before it. A request that was not executed (its document or variables are wrong) leaves
 * the key free; so does one that meets INTERNAL_SERVER_ERROR, SERVICE_UNAVAILABLE, TIMEOUT or
 * UNAUTHORIZED, and then nothing of it is done and `data` is null. Other errors are the stored answer. An
 * answer of more than 4 MiB cannot be kept: ARGUMENT_VALIDATION_ERROR, and nothing is done. The answers
 * kept for a merchant take at most 1 GiB, each with 512 bytes for its key, and count for 24 to 25 hours:
 * over that, a request with a new key is RATE_LIMITED with `Retry-After`, and nothing of it is done, while
 * repeats are answered and requests without a key are executed.
 *
 * With the header `X-Dry-Run: true` everything is checked and done, answered with
 * `extensions: {dryRun: true}`, and then undone: nothing changes, no event is sent, a key stays free.
 * Generated ids and times are not those of a later request. Any other value of the header is
 * ARGUMENT_VALIDATION_ERROR.
 */
export type MutationDeletePriceListListArgs = {
  idList: Array<Scalars['String']['input']>;
};


/**
 * Operations that change data. Each is one transaction: it happens wholly or not at all.
 *
 * Saving: without `id` a record is created; with `id` it is updated, and an id that does not exist is
 * NOT_FOUND. A member left out keeps its value, null clears it, and a list that is sent replaces the
 * stored list: entries matched by id keep their id, entries not in the list are deleted. Reading a
 * record with all its fields and sending it back changes nothing but `updatedAt`.
 *
 * References to other records must exist, belong to the merchant and not be deleted, otherwise
 * NOT_FOUND with the path and the ids. A reference the record already has may be sent again after its
 * target is deleted.
 *
 * Text with NUL characters or lone surrogates, and numbers that are Infinity or NaN, are
 * ARGUMENT_VALIDATION_ERROR naming the member, and so is a list of more than 1,000 entries where
 * nothing else is said. A request body of more than 10 MiB, 500,000 values or 5,000 different member
 * names is PAYLOAD_TOO_LARGE (HTTP status 413).
 *
 * A Float of an input is less than 10,000,000,000,000 in size. Amounts (money, counts, quantities) have at
 * most 6 decimals; measures (weights, ratios, places in an order) keep 15 digits and are 0 or at least 1e-12
 * in size. What arithmetic with 64-bit floats adds to a number, as in 0.30000000000000004, is rounded away:
 * at most 1e-12 of it. A number that would lose more, or that a 64-bit float cannot hold as 1e-400, is
 * ARGUMENT_VALIDATION_ERROR naming the member. The number that is stored is the one that is answered.
 *
 * Each field costs at least 100 points, and lists in the input cost by their entries: see the type `Query` for
 * what a request may cost.
 *
 * With the header `Idempotency-Key` (1 to 255 visible ASCII characters) a request is executed once per app
 * and key for 24 hours. A repeat, also one that comes while the first is executed, gets the answer of the
 * first with the header `Idempotency-Replayed: true`; the same key with another request is CONFLICT. All
 * mutations of such a request are one transaction with its key; requests to other hosts and the decoding
 * of pictures come before it. A request that was not executed (its document or variables are wrong) leaves
 * the key free; so does one that meets INTERNAL_SERVER_ERROR, SERVICE_UNAVAILABLE, TIMEOUT or
 * UNAUTHORIZED, and then nothing of it is done and `data` is null. Other errors are the stored answer. An
 * answer of more than 4 MiB cannot be kept: ARGUMENT_VALIDATION_ERROR, and nothing is done. The answers
 * kept for a merchant take at most 1 GiB, each with 512 bytes for its key, and count for 24 to 25 hours:
 * over that, a request with a new key is RATE_LIMITED with `Retry-After`, and nothing of it is done, while
 * repeats are answered and requests without a key are executed.
 *
 * With the header `X-Dry-Run: true` everything is checked and done, answered with
 * `extensions: {dryRun: true}`, and then undone: nothing changes, no event is sent, a key stays free.
 * Generated ids and times are not those of a later request. Any other value of the header is
 * ARGUMENT_VALIDATION_ERROR.
 */
export type MutationDeleteProductAttributeListArgs = {
  idList: Array<Scalars['String']['input']>;
};


/**
 * Operations that change data. Each is one transaction: it happens wholly or not at all.
 *
 * Saving: without `id` a record is created; with `id` it is updated, and an id that does not exist is
 * NOT_FOUND. A member left out keeps its value, null clears it, and a list that is sent replaces the
 * stored list: entries matched by id keep their id, entries not in the list are deleted. Reading a
 * record with all its fields and sending it back changes nothing but `updatedAt`.
 *
 * References to other records must exist, belong to the merchant and not be deleted, otherwise
 * NOT_FOUND with the path and the ids. A reference the record already has may be sent again after its
 * target is deleted.
 *
 * Text with NUL characters or lone surrogates, and numbers that are Infinity or NaN, are
 * ARGUMENT_VALIDATION_ERROR naming the member, and so is a list of more than 1,000 entries where
 * nothing else is said. A request body of more than 10 MiB, 500,000 values or 5,000 different member
 * names is PAYLOAD_TOO_LARGE (HTTP status 413).
 *
 * A Float of an input is less than 10,000,000,000,000 in size. Amounts (money, counts, quantities) have at
 * most 6 decimals; measures (weights, ratios, places in an order) keep 15 digits and are 0 or at least 1e-12
 * in size. What arithmetic with 64-bit floats adds to a number, as in 0.30000000000000004, is rounded away:
 * at most 1e-12 of it. A number that would lose more, or that a 64-bit float cannot hold as 1e-400, is
 * ARGUMENT_VALIDATION_ERROR naming the member. The number that is stored is the one that is answered.
 *
 * Each field costs at least 100 points, and lists in the input cost by their entries: see the type `Query` for
 * what a request may cost.
 *
 * With the header `Idempotency-Key` (1 to 255 visible ASCII characters) a request is executed once per app
 * and key for 24 hours. A repeat, also one that comes while the first is executed, gets the answer of the
 * first with the header `Idempotency-Replayed: true`; the same key with another request is CONFLICT. All
 * mutations of such a request are one transaction with its key; requests to other hosts and the decoding
 * of pictures come before it. A request that was not executed (its document or variables are wrong) leaves
 * the key free; so does one that meets INTERNAL_SERVER_ERROR, SERVICE_UNAVAILABLE, TIMEOUT or
 * UNAUTHORIZED, and then nothing of it is done and `data` is null. Other errors are the stored answer. An
 * answer of more than 4 MiB cannot be kept: ARGUMENT_VALIDATION_ERROR, and nothing is done. The answers
 * kept for a merchant take at most 1 GiB, each with 512 bytes for its key, and count for 24 to 25 hours:
 * over that, a request with a new key is RATE_LIMITED with `Retry-After`, and nothing of it is done, while
 * repeats are answered and requests without a key are executed.
 *
 * With the header `X-Dry-Run: true` everything is checked and done, answered with
 * `extensions: {dryRun: true}`, and then undone: nothing changes, no event is sent, a key stays free.
 * Generated ids and times are not those of a later request. Any other value of the header is
 * ARGUMENT_VALIDATION_ERROR.
 */
export type MutationDeleteProductBrandListArgs = {
  idList: Array<Scalars['String']['input']>;
};


/**
 * Operations that change data. Each is one transaction: it happens wholly or not at all.
 *
 * Saving: without `id` a record is created; with `id` it is updated, and an id that does not exist is
 * NOT_FOUND. A member left out keeps its value, null clears it, and a list that is sent replaces the
 * stored list: entries matched by id keep their id, entries not in the list are deleted. Reading a
 * record with all its fields and sending it back changes nothing but `updatedAt`.
 *
 * References to other records must exist, belong to the merchant and not be deleted, otherwise
 * NOT_FOUND with the path and the ids. A reference the record already has may be sent again after its
 * target is deleted.
 *
 * Text with NUL characters or lone surrogates, and numbers that are Infinity or NaN, are
 * ARGUMENT_VALIDATION_ERROR naming the member, and so is a list of more than 1,000 entries where
 * nothing else is said. A request body of more than 10 MiB, 500,000 values or 5,000 different member
 * names is PAYLOAD_TOO_LARGE (HTTP status 413).
 *
 * A Float of an input is less than 10,000,000,000,000 in size. Amounts (money, counts, quantities) have at
 * most 6 decimals; measures (weights, ratios, places in an order) keep 15 digits and are 0 or at least 1e-12
 * in size. What arithmetic with 64-bit floats adds to a number, as in 0.30000000000000004, is rounded away:
 * at most 1e-12 of it. A number that would lose more, or that a 64-bit float cannot hold as 1e-400, is
 * ARGUMENT_VALIDATION_ERROR naming the member. The number that is stored is the one that is answered.
 *
 * Each field costs at least 100 points, and lists in the input cost by their entries: see the type `Query` for
 * what a request may cost.
 *
 * With the header `Idempotency-Key` (1 to 255 visible ASCII characters) a request is executed once per app
 * and key for 24 hours. A repeat, also one that comes while the first is executed, gets the answer of the
 * first with the header `Idempotency-Replayed: true`; the same key with another request is CONFLICT. All
 * mutations of such a request are one transaction with its key; requests to other hosts and the decoding
 * of pictures come before it. A request that was not executed (its document or variables are wrong) leaves
 * the key free; so does one that meets INTERNAL_SERVER_ERROR, SERVICE_UNAVAILABLE, TIMEOUT or
 * UNAUTHORIZED, and then nothing of it is done and `data` is null. Other errors are the stored answer. An
 * answer of more than 4 MiB cannot be kept: ARGUMENT_VALIDATION_ERROR, and nothing is done. The answers
 * kept for a merchant take at most 1 GiB, each with 512 bytes for its key, and count for 24 to 25 hours:
 * over that, a request with a new key is RATE_LIMITED with `Retry-After`, and nothing of it is done, while
 * repeats are answered and requests without a key are executed.
 *
 * With the header `X-Dry-Run: true` everything is checked and done, answered with
 * `extensions: {dryRun: true}`, and then undone: nothing changes, no event is sent, a key stays free.
 * Generated ids and times are not those of a later request. Any other value of the header is
 * ARGUMENT_VALIDATION_ERROR.
 */
export type MutationDeleteProductListArgs = {
  idList: Array<Scalars['String']['input']>;
};


/**
 * Operations that change data. Each is one transaction: it happens wholly or not at all.
 *
 * Saving: without `id` a record is created; with `id` it is updated, and an id that does not exist is
 * NOT_FOUND. A member left out keeps its value, null clears it, and a list that is sent replaces the
 * stored list: entries matched by id keep their id, entries not in the list are deleted. Reading a
 * record with all its fields and sending it back changes nothing but `updatedAt`.
 *
 * References to other records must exist, belong to the merchant and not be deleted, otherwise
 * NOT_FOUND with the path and the ids. A reference the record already has may be sent again after its
 * target is deleted.
 *
 * Text with NUL characters or lone surrogates, and numbers that are Infinity or NaN, are
 * ARGUMENT_VALIDATION_ERROR naming the member, and so is a list of more than 1,000 entries where
 * nothing else is said. A request body of more than 10 MiB, 500,000 values or 5,000 different member
 * names is PAYLOAD_TOO_LARGE (HTTP status 413).
 *
 * A Float of an input is less than 10,000,000,000,000 in size. Amounts (money, counts, quantities) have at
 * most 6 decimals; measures (weights, ratios, places in an order) keep 15 digits and are 0 or at least 1e-12
 * in size. What arithmetic with 64-bit floats adds to a number, as in 0.30000000000000004, is rounded away:
 * at most 1e-12 of it. A number that would lose more, or that a 64-bit float cannot hold as 1e-400, is
 * ARGUMENT_VALIDATION_ERROR naming the member. The number that is stored is the one that is answered.
 *
 * Each field costs at least 100 points, and lists in the input cost by their entries: see the type `Query` for
 * what a request may cost.
 *
 * With the header `Idempotency-Key` (1 to 255 visible ASCII characters) a request is executed once per app
 * and key for 24 hours. A repeat, also one that comes while the first is executed, gets the answer of the
 * first with the header `Idempotency-Replayed: true`; the same key with another request is CONFLICT. All
 * mutations of such a request are one transaction with its key; requests to other hosts and the decoding
 * of pictures come before it. A request that was not executed (its document or variables are wrong) leaves
 * the key free; so does one that meets INTERNAL_SERVER_ERROR, SERVICE_UNAVAILABLE, TIMEOUT or
 * UNAUTHORIZED, and then nothing of it is done and `data` is null. Other errors are the stored answer. An
 * answer of more than 4 MiB cannot be kept: ARGUMENT_VALIDATION_ERROR, and nothing is done. The answers
 * kept for a merchant take at most 1 GiB, each with 512 bytes for its key, and count for 24 to 25 hours:
 * over that, a request with a new key is RATE_LIMITED with `Retry-After`, and nothing of it is done, while
 * repeats are answered and requests without a key are executed.
 *
 * With the header `X-Dry-Run: true` everything is checked and done, answered with
 * `extensions: {dryRun: true}`, and then undone: nothing changes, no event is sent, a key stays free.
 * Generated ids and times are not those of a later request. Any other value of the header is
 * ARGUMENT_VALIDATION_ERROR.
 */
export type MutationDeleteProductTagListArgs = {
  idList: Array<Scalars['String']['input']>;
};


/**
 * Operations that change data. Each is one transaction: it happens wholly or not at all.
 *
 * Saving: without `id` a record is created; with `id` it is updated, and an id that does not exist is
 * NOT_FOUND. A member left out keeps its value, null clears it, and a list that is sent replaces the
 * stored list: entries matched by id keep their id, entries not in the list are deleted. Reading a
 * record with all its fields and sending it back changes nothing but `updatedAt`.
 *
 * References to other records must exist, belong to the merchant and not be deleted, otherwise
 * NOT_FOUND with the path and the ids. A reference the record already has may be sent again after its
 * target is deleted.
 *
 * Text with NUL characters or lone surrogates, and numbers that are Infinity or NaN, are
 * ARGUMENT_VALIDATION_ERROR naming the member, and so is a list of more than 1,000 entries where
 * nothing else is said. A request body of more than 10 MiB, 500,000 values or 5,000 different member
 * names is PAYLOAD_TOO_LARGE (HTTP status 413).
 *
 * A Float of an input is less than 10,000,000,000,000 in size. Amounts (money, counts, quantities) have at
 * most 6 decimals; measures (weights, ratios, places in an order) keep 15 digits and are 0 or at least 1e-12
 * in size. What arithmetic with 64-bit floats adds to a number, as in 0.30000000000000004, is rounded away:
 * at most 1e-12 of it. A number that would lose more, or that a 64-bit float cannot hold as 1e-400, is
 * ARGUMENT_VALIDATION_ERROR naming the member. The number that is stored is the one that is answered.
 *
 * Each field costs at least 100 points, and lists in the input cost by their entries: see the type `Query` for
 * what a request may cost.
 *
 * With the header `Idempotency-Key` (1 to 255 visible ASCII characters) a request is executed once per app
 * and key for 24 hours. A repeat, also one that comes while the first is executed, gets the answer of the
 * first with the header `Idempotency-Replayed: true`; the same key with another request is CONFLICT. All
 * mutations of such a request are one transaction with its key; requests to other hosts and the decoding
 * of pictures come before it. A request that was not executed (its document or variables are wrong) leaves
 * the key free; so does one that meets INTERNAL_SERVER_ERROR, SERVICE_UNAVAILABLE, TIMEOUT or
 * UNAUTHORIZED, and then nothing of it is done and `data` is null. Other errors are the stored answer. An
 * answer of more than 4 MiB cannot be kept: ARGUMENT_VALIDATION_ERROR, and nothing is done. The answers
 * kept for a merchant take at most 1 GiB, each with 512 bytes for its key, and count for 24 to 25 hours:
 * over that, a request with a new key is RATE_LIMITED with `Retry-After`, and nothing of it is done, while
 * repeats are answered and requests without a key are executed.
 *
 * With the header `X-Dry-Run: true` everything is checked and done, answered with
 * `extensions: {dryRun: true}`, and then undone: nothing changes, no event is sent, a key stays free.
 * Generated ids and times are not those of a later request. Any other value of the header is
 * ARGUMENT_VALIDATION_ERROR.
 */
export type MutationDeleteSalesChannelListArgs = {
  idList: Array<Scalars['String']['input']>;
};


/**
 * Operations that change data. Each is one transaction: it happens wholly or not at all.
 *
 * Saving: without `id` a record is created; with `id` it is updated, and an id that does not exist is
 * NOT_FOUND. A member left out keeps its value, null clears it, and a list that is sent replaces the
 * stored list: entries matched by id keep their id, entries not in the list are deleted. Reading a
 * record with all its fields and sending it back changes nothing but `updatedAt`.
 *
 * References to other records must exist, belong to the merchant and not be deleted, otherwise
 * NOT_FOUND with the path and the ids. A reference the record already has may be sent again after its
 * target is deleted.
 *
 * Text with NUL characters or lone surrogates, and numbers that are Infinity or NaN, are
 * ARGUMENT_VALIDATION_ERROR naming the member, and so is a list of more than 1,000 entries where
 * nothing else is said. A request body of more than 10 MiB, 500,000 values or 5,000 different member
 * names is PAYLOAD_TOO_LARGE (HTTP status 413).
 *
 * A Float of an input is less than 10,000,000,000,000 in size. Amounts (money, counts, quantities) have at
 * most 6 decimals; measures (weights, ratios, places in an order) keep 15 digits and are 0 or at least 1e-12
 * in size. What arithmetic with 64-bit floats adds to a number, as in 0.30000000000000004, is rounded away:
 * at most 1e-12 of it. A number that would lose more, or that a 64-bit float cannot hold as 1e-400, is
 * ARGUMENT_VALIDATION_ERROR naming the member. The number that is stored is the one that is answered.
 *
 * Each field costs at least 100 points, and lists in the input cost by their entries: see the type `Query` for
 * what a request may cost.
 *
 * With the header `Idempotency-Key` (1 to 255 visible ASCII characters) a request is executed once per app
 * and key for 24 hours. A repeat, also one that comes while the first is executed, gets the answer of the
 * first with the header `Idempotency-Replayed: true`; the same key with another request is CONFLICT. All
 * mutations of such a request are one transaction with its key; requests to other hosts and the decoding
 * of pictures come before it. A request that was not executed (its document or variables are wrong) leaves
 * the key free; so does one that meets INTERNAL_SERVER_ERROR, SERVICE_UNAVAILABLE, TIMEOUT or
 * UNAUTHORIZED, and then nothing of it is done and `data` is null. Other errors are the stored answer. An
 * answer of more than 4 MiB cannot be kept: ARGUMENT_VALIDATION_ERROR, and nothing is done. The answers
 * kept for a merchant take at most 1 GiB, each with 512 bytes for its key, and count for 24 to 25 hours:
 * over that, a request with a new key is RATE_LIMITED with `Retry-After`, and nothing of it is done, while
 * repeats are answered and requests without a key are executed.
 *
 * With the header `X-Dry-Run: true` everything is checked and done, answered with
 * `extensions: {dryRun: true}`, and then undone: nothing changes, no event is sent, a key stays free.
 * Generated ids and times are not those of a later request. Any other value of the header is
 * ARGUMENT_VALIDATION_ERROR.
 */
export type MutationDeleteStockLocationListArgs = {
  idList: Array<Scalars['String']['input']>;
};


/**
 * Operations that change data. Each is one transaction: it happens wholly or not at all.
 *
 * Saving: without `id` a record is created; with `id` it is updated, and an id that does not exist is
 * NOT_FOUND. A member left out keeps its value, null clears it, and a list that is sent replaces the
 * stored list: entries matched by id keep their id, entries not in the list are deleted. Reading a
 * record with all its fields and sending it back changes nothing but `updatedAt`.
 *
 * References to other records must exist, belong to the merchant and not be deleted, otherwise
 * NOT_FOUND with the path and the ids. A reference the record already has may be sent again after its
 * target is deleted.
 *
 * Text with NUL characters or lone surrogates, and numbers that are Infinity or NaN, are
 * ARGUMENT_VALIDATION_ERROR naming the member, and so is a list of more than 1,000 entries where
 * nothing else is said. A request body of more than 10 MiB, 500,000 values or 5,000 different member
 * names is PAYLOAD_TOO_LARGE (HTTP status 413).
 *
 * A Float of an input is less than 10,000,000,000,000 in size. Amounts (money, counts, quantities) have at
 * most 6 decimals; measures (weights, ratios, places in an order) keep 15 digits and are 0 or at least 1e-12
 * in size. What arithmetic with 64-bit floats adds to a number, as in 0.30000000000000004, is rounded away:
 * at most 1e-12 of it. A number that would lose more, or that a 64-bit float cannot hold as 1e-400, is
 * ARGUMENT_VALIDATION_ERROR naming the member. The number that is stored is the one that is answered.
 *
 * Each field costs at least 100 points, and lists in the input cost by their entries: see the type `Query` for
 * what a request may cost.
 *
 * With the header `Idempotency-Key` (1 to 255 visible ASCII characters) a request is executed once per app
 * and key for 24 hours. A repeat, also one that comes while the first is executed, gets the answer of the
 * first with the header `Idempotency-Replayed: true`; the same key with another request is CONFLICT. All
 * mutations of such a request are one transaction with its key; requests to other hosts and the decoding
 * of pictures come before it. A request that was not executed (its document or variables are wrong) leaves
 * the key free; so does one that meets INTERNAL_SERVER_ERROR, SERVICE_UNAVAILABLE, TIMEOUT or
 * UNAUTHORIZED, and then nothing of it is done and `data` is null. Other errors are the stored answer. An
 * answer of more than 4 MiB cannot be kept: ARGUMENT_VALIDATION_ERROR, and nothing is done. The answers
 * kept for a merchant take at most 1 GiB, each with 512 bytes for its key, and count for 24 to 25 hours:
 * over that, a request with a new key is RATE_LIMITED with `Retry-After`, and nothing of it is done, while
 * repeats are answered and requests without a key are executed.
 *
 * With the header `X-Dry-Run: true` everything is checked and done, answered with
 * `extensions: {dryRun: true}`, and then undone: nothing changes, no event is sent, a key stays free.
 * Generated ids and times are not those of a later request. Any other value of the header is
 * ARGUMENT_VALIDATION_ERROR.
 */
export type MutationDeleteVariantTypeListArgs = {
  idList: Array<Scalars['String']['input']>;
};


/**
 * Operations that change data. Each is one transaction: it happens wholly or not at all.
 *
 * Saving: without `id` a record is created; with `id` it is updated, and an id that does not exist is
 * NOT_FOUND. A member left out keeps its value, null clears it, and a list that is sent replaces the
 * stored list: entries matched by id keep their id, entries not in the list are deleted. Reading a
 * record with all its fields and sending it back changes nothing but `updatedAt`.
 *
 * References to other records must exist, belong to the merchant and not be deleted, otherwise
 * NOT_FOUND with the path and the ids. A reference the record already has may be sent again after its
 * target is deleted.
 *
 * Text with NUL characters or lone surrogates, and numbers that are Infinity or NaN, are
 * ARGUMENT_VALIDATION_ERROR naming the member, and so is a list of more than 1,000 entries where
 * nothing else is said. A request body of more than 10 MiB, 500,000 values or 5,000 different member
 * names is PAYLOAD_TOO_LARGE (HTTP status 413).
 *
 * A Float of an input is less than 10,000,000,000,000 in size. Amounts (money, counts, quantities) have at
 * most 6 decimals; measures (weights, ratios, places in an order) keep 15 digits and are 0 or at least 1e-12
 * in size. What arithmetic with 64-bit floats adds to a number, as in 0.30000000000000004, is rounded away:
 * at most 1e-12 of it. A number that would lose more, or that a 64-bit float cannot hold as 1e-400, is
 * ARGUMENT_VALIDATION_ERROR naming the member. The number that is stored is the one that is answered.
 *
 * Each field costs at least 100 points, and lists in the input cost by their entries: see the type `Query` for
 * what a request may cost.
 *
 * With the header `Idempotency-Key` (1 to 255 visible ASCII characters) a request is executed once per app
 * and key for 24 hours. A repeat, also one that comes while the first is executed, gets the answer of the
 * first with the header `Idempotency-Replayed: true`; the same key with another request is CONFLICT. All
 * mutations of such a request are one transaction with its key; requests to other hosts and the decoding
 * of pictures come before it. A request that was not executed (its document or variables are wrong) leaves
 * the key free; so does one that meets INTERNAL_SERVER_ERROR, SERVICE_UNAVAILABLE, TIMEOUT or
 * UNAUTHORIZED, and then nothing of it is done and `data` is null. Other errors are the stored answer. An
 * answer of more than 4 MiB cannot be kept: ARGUMENT_VALIDATION_ERROR, and nothing is done. The answers
 * kept for a merchant take at most 1 GiB, each with 512 bytes for its key, and count for 24 to 25 hours:
 * over that, a request with a new key is RATE_LIMITED with `Retry-After`, and nothing of it is done, while
 * repeats are answered and requests without a key are executed.
 *
 * With the header `X-Dry-Run: true` everything is checked and done, answered with
 * `extensions: {dryRun: true}`, and then undone: nothing changes, no event is sent, a key stays free.
 * Generated ids and times are not those of a later request. Any other value of the header is
 * ARGUMENT_VALIDATION_ERROR.
 */
export type MutationDeleteWebhookArgs = {
  scopes: Array<Scalars['String']['input']>;
};


/**
 * Operations that change data. Each is one transaction: it happens wholly or not at all.
 *
 * Saving: without `id` a record is created; with `id` it is updated, and an id that does not exist is
 * NOT_FOUND. A member left out keeps its value, null clears it, and a list that is sent replaces the
 * stored list: entries matched by id keep their id, entries not in the list are deleted. Reading a
 * record with all its fields and sending it back changes nothing but `updatedAt`.
 *
 * References to other records must exist, belong to the merchant and not be deleted, otherwise
 * NOT_FOUND with the path and the ids. A reference the record already has may be sent again after its
 * target is deleted.
 *
 * Text with NUL characters or lone surrogates, and numbers that are Infinity or NaN, are
 * ARGUMENT_VALIDATION_ERROR naming the member, and so is a list of more than 1,000 entries where
 * nothing else is said. A request body of more than 10 MiB, 500,000 values or 5,000 different member
 * names is PAYLOAD_TOO_LARGE (HTTP status 413).
 *
 * A Float of an input is less than 10,000,000,000,000 in size. Amounts (money, counts, quantities) have at
 * most 6 decimals; measures (weights, ratios, places in an order) keep 15 digits and are 0 or at least 1e-12
 * in size. What arithmetic with 64-bit floats adds to a number, as in 0.30000000000000004, is rounded away:
 * at most 1e-12 of it. A number that would lose more, or that a 64-bit float cannot hold as 1e-400, is
 * ARGUMENT_VALIDATION_ERROR naming the member. The number that is stored is the one that is answered.
 *
 * Each field costs at least 100 points, and lists in the input cost by their entries: see the type `Query` for
 * what a request may cost.
 *
 * With the header `Idempotency-Key` (1 to 255 visible ASCII characters) a request is executed once per app
 * and key for 24 hours. A repeat, also one that comes while the first is executed, gets the answer of the
 * first with the header `Idempotency-Replayed: true`; the same key with another request is CONFLICT. All
 * mutations of such a request are one transaction with its key; requests to other hosts and the decoding
 * of pictures come before it. A request that was not executed (its document or variables are wrong) leaves
 * the key free; so does one that meets INTERNAL_SERVER_ERROR, SERVICE_UNAVAILABLE, TIMEOUT or
 * UNAUTHORIZED, and then nothing of it is done and `data` is null. Other errors are the stored answer. An
 * answer of more than 4 MiB cannot be kept: ARGUMENT_VALIDATION_ERROR, and nothing is done. The answers
 * kept for a merchant take at most 1 GiB, each with 512 bytes for its key, and count for 24 to 25 hours:
 * over that, a request with a new key is RATE_LIMITED with `Retry-After`, and nothing of it is done, while
 * repeats are answered and requests without a key are executed.
 *
 * With the header `X-Dry-Run: true` everything is checked and done, answered with
 * `extensions: {dryRun: true}`, and then undone: nothing changes, no event is sent, a key stays free.
 * Generated ids and times are not those of a later request. Any other value of the header is
 * ARGUMENT_VALIDATION_ERROR.
 */
export type MutationRedeliverWebhookArgs = {
  idList: Array<Scalars['String']['input']>;
};


/**
 * Operations that change data. Each is one transaction: it happens wholly or not at all.
 *
 * Saving: without `id` a record is created; with `id` it is updated, and an id that does not exist is
 * NOT_FOUND. A member left out keeps its value, null clears it, and a list that is sent replaces the
 * stored list: entries matched by id keep their id, entries not in the list are deleted. Reading a
 * record with all its fields and sending it back changes nothing but `updatedAt`.
 *
 * References to other records must exist, belong to the merchant and not be deleted, otherwise
 * NOT_FOUND with the path and the ids. A reference the record already has may be sent again after its
 * target is deleted.
 *
 * Text with NUL characters or lone surrogates, and numbers that are Infinity or NaN, are
 * ARGUMENT_VALIDATION_ERROR naming the member, and so is a list of more than 1,000 entries where
 * nothing else is said. A request body of more than 10 MiB, 500,000 values or 5,000 different member
 * names is PAYLOAD_TOO_LARGE (HTTP status 413).
 *
 * A Float of an input is less than 10,000,000,000,000 in size. Amounts (money, counts, quantities) have at
 * most 6 decimals; measures (weights, ratios, places in an order) keep 15 digits and are 0 or at least 1e-12
 * in size. What arithmetic with 64-bit floats adds to a number, as in 0.30000000000000004, is rounded away:
 * at most 1e-12 of it. A number that would lose more, or that a 64-bit float cannot hold as 1e-400, is
 * ARGUMENT_VALIDATION_ERROR naming the member. The number that is stored is the one that is answered.
 *
 * Each field costs at least 100 points, and lists in the input cost by their entries: see the type `Query` for
 * what a request may cost.
 *
 * With the header `Idempotency-Key` (1 to 255 visible ASCII characters) a request is executed once per app
 * and key for 24 hours. A repeat, also one that comes while the first is executed, gets the answer of the
 * first with the header `Idempotency-Replayed: true`; the same key with another request is CONFLICT. All
 * mutations of such a request are one transaction with its key; requests to other hosts and the decoding
 * of pictures come before it. A request that was not executed (its document or variables are wrong) leaves
 * the key free; so does one that meets INTERNAL_SERVER_ERROR, SERVICE_UNAVAILABLE, TIMEOUT or
 * UNAUTHORIZED, and then nothing of it is done and `data` is null. Other errors are the stored answer. An
 * answer of more than 4 MiB cannot be kept: ARGUMENT_VALIDATION_ERROR, and nothing is done. The answers
 * kept for a merchant take at most 1 GiB, each with 512 bytes for its key, and count for 24 to 25 hours:
 * over that, a request with a new key is RATE_LIMITED with `Retry-After`, and nothing of it is done, while
 * repeats are answered and requests without a key are executed.
 *
 * With the header `X-Dry-Run: true` everything is checked and done, answered with
 * `extensions: {dryRun: true}`, and then undone: nothing changes, no event is sent, a key stays free.
 * Generated ids and times are not those of a later request. Any other value of the header is
 * ARGUMENT_VALIDATION_ERROR.
 */
export type MutationRedeliverWebhookRangeArgs = {
  from: Scalars['Timestamp']['input'];
  scope: Scalars['String']['input'];
  to: Scalars['Timestamp']['input'];
};


/**
 * Operations that change data. Each is one transaction: it happens wholly or not at all.
 *
 * Saving: without `id` a record is created; with `id` it is updated, and an id that does not exist is
 * NOT_FOUND. A member left out keeps its value, null clears it, and a list that is sent replaces the
 * stored list: entries matched by id keep their id, entries not in the list are deleted. Reading a
 * record with all its fields and sending it back changes nothing but `updatedAt`.
 *
 * References to other records must exist, belong to the merchant and not be deleted, otherwise
 * NOT_FOUND with the path and the ids. A reference the record already has may be sent again after its
 * target is deleted.
 *
 * Text with NUL characters or lone surrogates, and numbers that are Infinity or NaN, are
 * ARGUMENT_VALIDATION_ERROR naming the member, and so is a list of more than 1,000 entries where
 * nothing else is said. A request body of more than 10 MiB, 500,000 values or 5,000 different member
 * names is PAYLOAD_TOO_LARGE (HTTP status 413).
 *
 * A Float of an input is less than 10,000,000,000,000 in size. Amounts (money, counts, quantities) have at
 * most 6 decimals; measures (weights, ratios, places in an order) keep 15 digits and are 0 or at least 1e-12
 * in size. What arithmetic with 64-bit floats adds to a number, as in 0.30000000000000004, is rounded away:
 * at most 1e-12 of it. A number that would lose more, or that a 64-bit float cannot hold as 1e-400, is
 * ARGUMENT_VALIDATION_ERROR naming the member. The number that is stored is the one that is answered.
 *
 * Each field costs at least 100 points, and lists in the input cost by their entries: see the type `Query` for
 * what a request may cost.
 *
 * With the header `Idempotency-Key` (1 to 255 visible ASCII characters) a request is executed once per app
 * and key for 24 hours. A repeat, also one that comes while the first is executed, gets the answer of the
 * first with the header `Idempotency-Replayed: true`; the same key with another request is CONFLICT. All
 * mutations of such a request are one transaction with its key; requests to other hosts and the decoding
 * of pictures come before it. A request that was not executed (its document or variables are wrong) leaves
 * the key free; so does one that meets INTERNAL_SERVER_ERROR, SERVICE_UNAVAILABLE, TIMEOUT or
 * UNAUTHORIZED, and then nothing of it is done and `data` is null. Other errors are the stored answer. An
 * answer of more than 4 MiB cannot be kept: ARGUMENT_VALIDATION_ERROR, and nothing is done. The answers
 * kept for a merchant take at most 1 GiB, each with 512 bytes for its key, and count for 24 to 25 hours:
 * over that, a request with a new key is RATE_LIMITED with `Retry-After`, and nothing of it is done, while
 * repeats are answered and requests without a key are executed.
 *
 * With the header `X-Dry-Run: true` everything is checked and done, answered with
 * `extensions: {dryRun: true}`, and then undone: nothing changes, no event is sent, a key stays free.
 * Generated ids and times are not those of a later request. Any other value of the header is
 * ARGUMENT_VALIDATION_ERROR.
 */
export type MutationSaveCategoryArgs = {
  input: CategoryInput;
};


/**
 * Operations that change data. Each is one transaction: it happens wholly or not at all.
 *
 * Saving: without `id` a record is created; with `id` it is updated, and an id that does not exist is
 * NOT_FOUND. A member left out keeps its value, null clears it, and a list that is sent replaces the
 * stored list: entries matched by id keep their id, entries not in the list are deleted. Reading a
 * record with all its fields and sending it back changes nothing but `updatedAt`.
 *
 * References to other records must exist, belong to the merchant and not be deleted, otherwise
 * NOT_FOUND with the path and the ids. A reference the record already has may be sent again after its
 * target is deleted.
 *
 * Text with NUL characters or lone surrogates, and numbers that are Infinity or NaN, are
 * ARGUMENT_VALIDATION_ERROR naming the member, and so is a list of more than 1,000 entries where
 * nothing else is said. A request body of more than 10 MiB, 500,000 values or 5,000 different member
 * names is PAYLOAD_TOO_LARGE (HTTP status 413).
 *
 * A Float of an input is less than 10,000,000,000,000 in size. Amounts (money, counts, quantities) have at
 * most 6 decimals; measures (weights, ratios, places in an order) keep 15 digits and are 0 or at least 1e-12
 * in size. What arithmetic with 64-bit floats adds to a number, as in 0.30000000000000004, is rounded away:
 * at most 1e-12 of it. A number that would lose more, or that a 64-bit float cannot hold as 1e-400, is
 * ARGUMENT_VALIDATION_ERROR naming the member. The number that is stored is the one that is answered.
 *
 * Each field costs at least 100 points, and lists in the input cost by their entries: see the type `Query` for
 * what a request may cost.
 *
 * With the header `Idempotency-Key` (1 to 255 visible ASCII characters) a request is executed once per app
 * and key for 24 hours. A repeat, also one that comes while the first is executed, gets the answer of the
 * first with the header `Idempotency-Replayed: true`; the same key with another request is CONFLICT. All
 * mutations of such a request are one transaction with its key; requests to other hosts and the decoding
 * of pictures come before it. A request that was not executed (its document or variables are wrong) leaves
 * the key free; so does one that meets INTERNAL_SERVER_ERROR, SERVICE_UNAVAILABLE, TIMEOUT or
 * UNAUTHORIZED, and then nothing of it is done and `data` is null. Other errors are the stored answer. An
 * answer of more than 4 MiB cannot be kept: ARGUMENT_VALIDATION_ERROR, and nothing is done. The answers
 * kept for a merchant take at most 1 GiB, each with 512 bytes for its key, and count for 24 to 25 hours:
 * over that, a request with a new key is RATE_LIMITED with `Retry-After`, and nothing of it is done, while
 * repeats are answered and requests without a key are executed.
 *
 * With the header `X-Dry-Run: true` everything is checked and done, answered with
 * `extensions: {dryRun: true}`, and then undone: nothing changes, no event is sent, a key stays free.
 * Generated ids and times are not those of a later request. Any other value of the header is
 * ARGUMENT_VALIDATION_ERROR.
 */
export type MutationSaveCustomerArgs = {
  input: CustomerInput;
};


/**
 * Operations that change data. Each is one transaction: it happens wholly or not at all.
 *
 * Saving: without `id` a record is created; with `id` it is updated, and an id that does not exist is
 * NOT_FOUND. A member left out keeps its value, null clears it, and a list that is sent replaces the
 * stored list: entries matched by id keep their id, entries not in the list are deleted. Reading a
 * record with all its fields and sending it back changes nothing but `updatedAt`.
 *
 * References to other records must exist, belong to the merchant and not be deleted, otherwise
 * NOT_FOUND with the path and the ids. A reference the record already has may be sent again after its
 * target is deleted.
 *
 * Text with NUL characters or lone surrogates, and numbers that are Infinity or NaN, are
 * ARGUMENT_VALIDATION_ERROR naming the member, and so is a list of more than 1,000 entries where
 * nothing else is said. A request body of more than 10 MiB, 500,000 values or 5,000 different member
 * names is PAYLOAD_TOO_LARGE (HTTP status 413).
 *
 * A Float of an input is less than 10,000,000,000,000 in size. Amounts (money, counts, quantities) have at
 * most 6 decimals; measures (weights, ratios, places in an order) keep 15 digits and are 0 or at least 1e-12
 * in size. What arithmetic with 64-bit floats adds to a number, as in 0.30000000000000004, is rounded away:
 * at most 1e-12 of it. A number that would lose more, or that a 64-bit float cannot hold as 1e-400, is
 * ARGUMENT_VALIDATION_ERROR naming the member. The number that is stored is the one that is answered.
 *
 * Each field costs at least 100 points, and lists in the input cost by their entries: see the type `Query` for
 * what a request may cost.
 *
 * With the header `Idempotency-Key` (1 to 255 visible ASCII characters) a request is executed once per app
 * and key for 24 hours. A repeat, also one that comes while the first is executed, gets the answer of the
 * first with the header `Idempotency-Replayed: true`; the same key with another request is CONFLICT. All
 * mutations of such a request are one transaction with its key; requests to other hosts and the decoding
 * of pictures come before it. A request that was not executed (its document or variables are wrong) leaves
 * the key free; so does one that meets INTERNAL_SERVER_ERROR, SERVICE_UNAVAILABLE, TIMEOUT or
 * UNAUTHORIZED, and then nothing of it is done and `data` is null. Other errors are the stored answer. An
 * answer of more than 4 MiB cannot be kept: ARGUMENT_VALIDATION_ERROR, and nothing is done. The answers
 * kept for a merchant take at most 1 GiB, each with 512 bytes for its key, and count for 24 to 25 hours:
 * over that, a request with a new key is RATE_LIMITED with `Retry-After`, and nothing of it is done, while
 * repeats are answered and requests without a key are executed.
 *
 * With the header `X-Dry-Run: true` everything is checked and done, answered with
 * `extensions: {dryRun: true}`, and then undone: nothing changes, no event is sent, a key stays free.
 * Generated ids and times are not those of a later request. Any other value of the header is
 * ARGUMENT_VALIDATION_ERROR.
 */
export type MutationSavePriceListArgs = {
  input: PriceListInput;
};


/**
 * Operations that change data. Each is one transaction: it happens wholly or not at all.
 *
 * Saving: without `id` a record is created; with `id` it is updated, and an id that does not exist is
 * NOT_FOUND. A member left out keeps its value, null clears it, and a list that is sent replaces the
 * stored list: entries matched by id keep their id, entries not in the list are deleted. Reading a
 * record with all its fields and sending it back changes nothing but `updatedAt`.
 *
 * References to other records must exist, belong to the merchant and not be deleted, otherwise
 * NOT_FOUND with the path and the ids. A reference the record already has may be sent again after its
 * target is deleted.
 *
 * Text with NUL characters or lone surrogates, and numbers that are Infinity or NaN, are
 * ARGUMENT_VALIDATION_ERROR naming the member, and so is a list of more than 1,000 entries where
 * nothing else is said. A request body of more than 10 MiB, 500,000 values or 5,000 different member
 * names is PAYLOAD_TOO_LARGE (HTTP status 413).
 *
 * A Float of an input is less than 10,000,000,000,000 in size. Amounts (money, counts, quantities) have at
 * most 6 decimals; measures (weights, ratios, places in an order) keep 15 digits and are 0 or at least 1e-12
 * in size. What arithmetic with 64-bit floats adds to a number, as in 0.30000000000000004, is rounded away:
 * at most 1e-12 of it. A number that would lose more, or that a 64-bit float cannot hold as 1e-400, is
 * ARGUMENT_VALIDATION_ERROR naming the member. The number that is stored is the one that is answered.
 *
 * Each field costs at least 100 points, and lists in the input cost by their entries: see the type `Query` for
 * what a request may cost.
 *
 * With the header `Idempotency-Key` (1 to 255 visible ASCII characters) a request is executed once per app
 * and key for 24 hours. A repeat, also one that comes while the first is executed, gets the answer of the
 * first with the header `Idempotency-Replayed: true`; the same key with another request is CONFLICT. All
 * mutations of such a request are one transaction with its key; requests to other hosts and the decoding
 * of pictures come before it. A request that was not executed (its document or variables are wrong) leaves
 * the key free; so does one that meets INTERNAL_SERVER_ERROR, SERVICE_UNAVAILABLE, TIMEOUT or
 * UNAUTHORIZED, and then nothing of it is done and `data` is null. Other errors are the stored answer. An
 * answer of more than 4 MiB cannot be kept: ARGUMENT_VALIDATION_ERROR, and nothing is done. The answers
 * kept for a merchant take at most 1 GiB, each with 512 bytes for its key, and count for 24 to 25 hours:
 * over that, a request with a new key is RATE_LIMITED with `Retry-After`, and nothing of it is done, while
 * repeats are answered and requests without a key are executed.
 *
 * With the header `X-Dry-Run: true` everything is checked and done, answered with
 * `extensions: {dryRun: true}`, and then undone: nothing changes, no event is sent, a key stays free.
 * Generated ids and times are not those of a later request. Any other value of the header is
 * ARGUMENT_VALIDATION_ERROR.
 */
export type MutationSaveProductArgs = {
  input: ProductInput;
};


/**
 * Operations that change data. Each is one transaction: it happens wholly or not at all.
 *
 * Saving: without `id` a record is created; with `id` it is updated, and an id that does not exist is
 * NOT_FOUND. A member left out keeps its value, null clears it, and a list that is sent replaces the
 * stored list: entries matched by id keep their id, entries not in the list are deleted. Reading a
 * record with all its fields and sending it back changes nothing but `updatedAt`.
 *
 * References to other records must exist, belong to the merchant and not be deleted, otherwise
 * NOT_FOUND with the path and the ids. A reference the record already has may be sent again after its
 * target is deleted.
 *
 * Text with NUL characters or lone surrogates, and numbers that are Infinity or NaN, are
 * ARGUMENT_VALIDATION_ERROR naming the member, and so is a list of more than 1,000 entries where
 * nothing else is said. A request body of more than 10 MiB, 500,000 values or 5,000 different member
 * names is PAYLOAD_TOO_LARGE (HTTP status 413).
 *
 * A Float of an input is less than 10,000,000,000,000 in size. Amounts (money, counts, quantities) have at
 * most 6 decimals; measures (weights, ratios, places in an order) keep 15 digits and are 0 or at least 1e-12
 * in size. What arithmetic with 64-bit floats adds to a number, as in 0.30000000000000004, is rounded away:
 * at most 1e-12 of it. A number that would lose more, or that a 64-bit float cannot hold as 1e-400, is
 * ARGUMENT_VALIDATION_ERROR naming the member. The number that is stored is the one that is answered.
 *
 * Each field costs at least 100 points, and lists in the input cost by their entries: see the type `Query` for
 * what a request may cost.
 *
 * With the header `Idempotency-Key` (1 to 255 visible ASCII characters) a request is executed once per app
 * and key for 24 hours. A repeat, also one that comes while the first is executed, gets the answer of the
 * first with the header `Idempotency-Replayed: true`; the same key with another request is CONFLICT. All
 * mutations of such a request are one transaction with its key; requests to other hosts and the decoding
 * of pictures come before it. A request that was not executed (its document or variables are wrong) leaves
 * the key free; so does one that meets INTERNAL_SERVER_ERROR, SERVICE_UNAVAILABLE, TIMEOUT or
 * UNAUTHORIZED, and then nothing of it is done and `data` is null. Other errors are the stored answer. An
 * answer of more than 4 MiB cannot be kept: ARGUMENT_VALIDATION_ERROR, and nothing is done. The answers
 * kept for a merchant take at most 1 GiB, each with 512 bytes for its key, and count for 24 to 25 hours:
 * over that, a request with a new key is RATE_LIMITED with `Retry-After`, and nothing of it is done, while
 * repeats are answered and requests without a key are executed.
 *
 * With the header `X-Dry-Run: true` everything is checked and done, answered with
 * `extensions: {dryRun: true}`, and then undone: nothing changes, no event is sent, a key stays free.
 * Generated ids and times are not those of a later request. Any other value of the header is
 * ARGUMENT_VALIDATION_ERROR.
 */
export type MutationSaveProductAttributeArgs = {
  input: ProductAttributeInput;
};


/**
 * Operations that change data. Each is one transaction: it happens wholly or not at all.
 *
 * Saving: without `id` a record is created; with `id` it is updated, and an id that does not exist is
 * NOT_FOUND. A member left out keeps its value, null clears it, and a list that is sent replaces the
 * stored list: entries matched by id keep their id, entries not in the list are deleted. Reading a
 * record with all its fields and sending it back changes nothing but `updatedAt`.
 *
 * References to other records must exist, belong to the merchant and not be deleted, otherwise
 * NOT_FOUND with the path and the ids. A reference the record already has may be sent again after its
 * target is deleted.
 *
 * Text with NUL characters or lone surrogates, and numbers that are Infinity or NaN, are
 * ARGUMENT_VALIDATION_ERROR naming the member, and so is a list of more than 1,000 entries where
 * nothing else is said. A request body of more than 10 MiB, 500,000 values or 5,000 different member
 * names is PAYLOAD_TOO_LARGE (HTTP status 413).
 *
 * A Float of an input is less than 10,000,000,000,000 in size. Amounts (money, counts, quantities) have at
 * most 6 decimals; measures (weights, ratios, places in an order) keep 15 digits and are 0 or at least 1e-12
 * in size. What arithmetic with 64-bit floats adds to a number, as in 0.30000000000000004, is rounded away:
 * at most 1e-12 of it. A number that would lose more, or that a 64-bit float cannot hold as 1e-400, is
 * ARGUMENT_VALIDATION_ERROR naming the member. The number that is stored is the one that is answered.
 *
 * Each field costs at least 100 points, and lists in the input cost by their entries: see the type `Query` for
 * what a request may cost.
 *
 * With the header `Idempotency-Key` (1 to 255 visible ASCII characters) a request is executed once per app
 * and key for 24 hours. A repeat, also one that comes while the first is executed, gets the answer of the
 * first with the header `Idempotency-Replayed: true`; the same key with another request is CONFLICT. All
 * mutations of such a request are one transaction with its key; requests to other hosts and the decoding
 * of pictures come before it. A request that was not executed (its document or variables are wrong) leaves
 * the key free; so does one that meets INTERNAL_SERVER_ERROR, SERVICE_UNAVAILABLE, TIMEOUT or
 * UNAUTHORIZED, and then nothing of it is done and `data` is null. Other errors are the stored answer. An
 * answer of more than 4 MiB cannot be kept: ARGUMENT_VALIDATION_ERROR, and nothing is done. The answers
 * kept for a merchant take at most 1 GiB, each with 512 bytes for its key, and count for 24 to 25 hours:
 * over that, a request with a new key is RATE_LIMITED with `Retry-After`, and nothing of it is done, while
 * repeats are answered and requests without a key are executed.
 *
 * With the header `X-Dry-Run: true` everything is checked and done, answered with
 * `extensions: {dryRun: true}`, and then undone: nothing changes, no event is sent, a key stays free.
 * Generated ids and times are not those of a later request. Any other value of the header is
 * ARGUMENT_VALIDATION_ERROR.
 */
export type MutationSaveProductBrandArgs = {
  input: ProductBrandInput;
};


/**
 * Operations that change data. Each is one transaction: it happens wholly or not at all.
 *
 * Saving: without `id` a record is created; with `id` it is updated, and an id that does not exist is
 * NOT_FOUND. A member left out keeps its value, null clears it, and a list that is sent replaces the
 * stored list: entries matched by id keep their id, entries not in the list are deleted. Reading a
 * record with all its fields and sending it back changes nothing but `updatedAt`.
 *
 * References to other records must exist, belong to the merchant and not be deleted, otherwise
 * NOT_FOUND with the path and the ids. A reference the record already has may be sent again after its
 * target is deleted.
 *
 * Text with NUL characters or lone surrogates, and numbers that are Infinity or NaN, are
 * ARGUMENT_VALIDATION_ERROR naming the member, and so is a list of more than 1,000 entries where
 * nothing else is said. A request body of more than 10 MiB, 500,000 values or 5,000 different member
 * names is PAYLOAD_TOO_LARGE (HTTP status 413).
 *
 * A Float of an input is less than 10,000,000,000,000 in size. Amounts (money, counts, quantities) have at
 * most 6 decimals; measures (weights, ratios, places in an order) keep 15 digits and are 0 or at least 1e-12
 * in size. What arithmetic with 64-bit floats adds to a number, as in 0.30000000000000004, is rounded away:
 * at most 1e-12 of it. A number that would lose more, or that a 64-bit float cannot hold as 1e-400, is
 * ARGUMENT_VALIDATION_ERROR naming the member. The number that is stored is the one that is answered.
 *
 * Each field costs at least 100 points, and lists in the input cost by their entries: see the type `Query` for
 * what a request may cost.
 *
 * With the header `Idempotency-Key` (1 to 255 visible ASCII characters) a request is executed once per app
 * and key for 24 hours. A repeat, also one that comes while the first is executed, gets the answer of the
 * first with the header `Idempotency-Replayed: true`; the same key with another request is CONFLICT. All
 * mutations of such a request are one transaction with its key; requests to other hosts and the decoding
 * of pictures come before it. A request that was not executed (its document or variables are wrong) leaves
 * the key free; so does one that meets INTERNAL_SERVER_ERROR, SERVICE_UNAVAILABLE, TIMEOUT or
 * UNAUTHORIZED, and then nothing of it is done and `data` is null. Other errors are the stored answer. An
 * answer of more than 4 MiB cannot be kept: ARGUMENT_VALIDATION_ERROR, and nothing is done. The answers
 * kept for a merchant take at most 1 GiB, each with 512 bytes for its key, and count for 24 to 25 hours:
 * over that, a request with a new key is RATE_LIMITED with `Retry-After`, and nothing of it is done, while
 * repeats are answered and requests without a key are executed.
 *
 * With the header `X-Dry-Run: true` everything is checked and done, answered with
 * `extensions: {dryRun: true}`, and then undone: nothing changes, no event is sent, a key stays free.
 * Generated ids and times are not those of a later request. Any other value of the header is
 * ARGUMENT_VALIDATION_ERROR.
 */
export type MutationSaveProductStockLocationsArgs = {
  input: SaveStockLocationsInput;
};


/**
 * Operations that change data. Each is one transaction: it happens wholly or not at all.
 *
 * Saving: without `id` a record is created; with `id` it is updated, and an id that does not exist is
 * NOT_FOUND. A member left out keeps its value, null clears it, and a list that is sent replaces the
 * stored list: entries matched by id keep their id, entries not in the list are deleted. Reading a
 * record with all its fields and sending it back changes nothing but `updatedAt`.
 *
 * References to other records must exist, belong to the merchant and not be deleted, otherwise
 * NOT_FOUND with the path and the ids. A reference the record already has may be sent again after its
 * target is deleted.
 *
 * Text with NUL characters or lone surrogates, and numbers that are Infinity or NaN, are
 * ARGUMENT_VALIDATION_ERROR naming the member, and so is a list of more than 1,000 entries where
 * nothing else is said. A request body of more than 10 MiB, 500,000 values or 5,000 different member
 * names is PAYLOAD_TOO_LARGE (HTTP status 413).
 *
 * A Float of an input is less than 10,000,000,000,000 in size. Amounts (money, counts, quantities) have at
 * most 6 decimals; measures (weights, ratios, places in an order) keep 15 digits and are 0 or at least 1e-12
 * in size. What arithmetic with 64-bit floats adds to a number, as in 0.30000000000000004, is rounded away:
 * at most 1e-12 of it. A number that would lose more, or that a 64-bit float cannot hold as 1e-400, is
 * ARGUMENT_VALIDATION_ERROR naming the member. The number that is stored is the one that is answered.
 *
 * Each field costs at least 100 points, and lists in the input cost by their entries: see the type `Query` for
 * what a request may cost.
 *
 * With the header `Idempotency-Key` (1 to 255 visible ASCII characters) a request is executed once per app
 * and key for 24 hours. A repeat, also one that comes while the first is executed, gets the answer of the
 * first with the header `Idempotency-Replayed: true`; the same key with another request is CONFLICT. All
 * mutations of such a request are one transaction with its key; requests to other hosts and the decoding
 * of pictures come before it. A request that was not executed (its document or variables are wrong) leaves
 * the key free; so does one that meets INTERNAL_SERVER_ERROR, SERVICE_UNAVAILABLE, TIMEOUT or
 * UNAUTHORIZED, and then nothing of it is done and `data` is null. Other errors are the stored answer. An
 * answer of more than 4 MiB cannot be kept: ARGUMENT_VALIDATION_ERROR, and nothing is done. The answers
 * kept for a merchant take at most 1 GiB, each with 512 bytes for its key, and count for 24 to 25 hours:
 * over that, a request with a new key is RATE_LIMITED with `Retry-After`, and nothing of it is done, while
 * repeats are answered and requests without a key are executed.
 *
 * With the header `X-Dry-Run: true` everything is checked and done, answered with
 * `extensions: {dryRun: true}`, and then undone: nothing changes, no event is sent, a key stays free.
 * Generated ids and times are not those of a later request. Any other value of the header is
 * ARGUMENT_VALIDATION_ERROR.
 */
export type MutationSaveProductTagArgs = {
  input: ProductTagInput;
};


/**
 * Operations that change data. Each is one transaction: it happens wholly or not at all.
 *
 * Saving: without `id` a record is created; with `id` it is updated, and an id that does not exist is
 * NOT_FOUND. A member left out keeps its value, null clears it, and a list that is sent replaces the
 * stored list: entries matched by id keep their id, entries not in the list are deleted. Reading a
 * record with all its fields and sending it back changes nothing but `updatedAt`.
 *
 * References to other records must exist, belong to the merchant and not be deleted, otherwise
 * NOT_FOUND with the path and the ids. A reference the record already has may be sent again after its
 * target is deleted.
 *
 * Text with NUL characters or lone surrogates, and numbers that are Infinity or NaN, are
 * ARGUMENT_VALIDATION_ERROR naming the member, and so is a list of more than 1,000 entries where
 * nothing else is said. A request body of more than 10 MiB, 500,000 values or 5,000 different member
 * names is PAYLOAD_TOO_LARGE (HTTP status 413).
 *
 * A Float of an input is less than 10,000,000,000,000 in size. Amounts (money, counts, quantities) have at
 * most 6 decimals; measures (weights, ratios, places in an order) keep 15 digits and are 0 or at least 1e-12
 * in size. What arithmetic with 64-bit floats adds to a number, as in 0.30000000000000004, is rounded away:
 * at most 1e-12 of it. A number that would lose more, or that a 64-bit float cannot hold as 1e-400, is
 * ARGUMENT_VALIDATION_ERROR naming the member. The number that is stored is the one that is answered.
 *
 * Each field costs at least 100 points, and lists in the input cost by their entries: see the type `Query` for
 * what a request may cost.
 *
 * With the header `Idempotency-Key` (1 to 255 visible ASCII characters) a request is executed once per app
 * and key for 24 hours. A repeat, also one that comes while the first is executed, gets the answer of the
 * first with the header `Idempotency-Replayed: true`; the same key with another request is CONFLICT. All
 * mutations of such a request are one transaction with its key; requests to other hosts and the decoding
 * of pictures come before it. A request that was not executed (its document or variables are wrong) leaves
 * the key free; so does one that meets INTERNAL_SERVER_ERROR, SERVICE_UNAVAILABLE, TIMEOUT or
 * UNAUTHORIZED, and then nothing of it is done and `data` is null. Other errors are the stored answer. An
 * answer of more than 4 MiB cannot be kept: ARGUMENT_VALIDATION_ERROR, and nothing is done. The answers
 * kept for a merchant take at most 1 GiB, each with 512 bytes for its key, and count for 24 to 25 hours:
 * over that, a request with a new key is RATE_LIMITED with `Retry-After`, and nothing of it is done, while
 * repeats are answered and requests without a key are executed.
 *
 * With the header `X-Dry-Run: true` everything is checked and done, answered with
 * `extensions: {dryRun: true}`, and then undone: nothing changes, no event is sent, a key stays free.
 * Generated ids and times are not those of a later request. Any other value of the header is
 * ARGUMENT_VALIDATION_ERROR.
 */
export type MutationSaveSalesChannelArgs = {
  input: SalesChannelInput;
};


/**
 * Operations that change data. Each is one transaction: it happens wholly or not at all.
 *
 * Saving: without `id` a record is created; with `id` it is updated, and an id that does not exist is
 * NOT_FOUND. A member left out keeps its value, null clears it, and a list that is sent replaces the
 * stored list: entries matched by id keep their id, entries not in the list are deleted. Reading a
 * record with all its fields and sending it back changes nothing but `updatedAt`.
 *
 * References to other records must exist, belong to the merchant and not be deleted, otherwise
 * NOT_FOUND with the path and the ids. A reference the record already has may be sent again after its
 * target is deleted.
 *
 * Text with NUL characters or lone surrogates, and numbers that are Infinity or NaN, are
 * ARGUMENT_VALIDATION_ERROR naming the member, and so is a list of more than 1,000 entries where
 * nothing else is said. A request body of more than 10 MiB, 500,000 values or 5,000 different member
 * names is PAYLOAD_TOO_LARGE (HTTP status 413).
 *
 * A Float of an input is less than 10,000,000,000,000 in size. Amounts (money, counts, quantities) have at
 * most 6 decimals; measures (weights, ratios, places in an order) keep 15 digits and are 0 or at least 1e-12
 * in size. What arithmetic with 64-bit floats adds to a number, as in 0.30000000000000004, is rounded away:
 * at most 1e-12 of it. A number that would lose more, or that a 64-bit float cannot hold as 1e-400, is
 * ARGUMENT_VALIDATION_ERROR naming the member. The number that is stored is the one that is answered.
 *
 * Each field costs at least 100 points, and lists in the input cost by their entries: see the type `Query` for
 * what a request may cost.
 *
 * With the header `Idempotency-Key` (1 to 255 visible ASCII characters) a request is executed once per app
 * and key for 24 hours. A repeat, also one that comes while the first is executed, gets the answer of the
 * first with the header `Idempotency-Replayed: true`; the same key with another request is CONFLICT. All
 * mutations of such a request are one transaction with its key; requests to other hosts and the decoding
 * of pictures come before it. A request that was not executed (its document or variables are wrong) leaves
 * the key free; so does one that meets INTERNAL_SERVER_ERROR, SERVICE_UNAVAILABLE, TIMEOUT or
 * UNAUTHORIZED, and then nothing of it is done and `data` is null. Other errors are the stored answer. An
 * answer of more than 4 MiB cannot be kept: ARGUMENT_VALIDATION_ERROR, and nothing is done. The answers
 * kept for a merchant take at most 1 GiB, each with 512 bytes for its key, and count for 24 to 25 hours:
 * over that, a request with a new key is RATE_LIMITED with `Retry-After`, and nothing of it is done, while
 * repeats are answered and requests without a key are executed.
 *
 * With the header `X-Dry-Run: true` everything is checked and done, answered with
 * `extensions: {dryRun: true}`, and then undone: nothing changes, no event is sent, a key stays free.
 * Generated ids and times are not those of a later request. Any other value of the header is
 * ARGUMENT_VALIDATION_ERROR.
 */
export type MutationSaveStockLocationArgs = {
  input: StockLocationInput;
};


/**
 * Operations that change data. Each is one transaction: it happens wholly or not at all.
 *
 * Saving: without `id` a record is created; with `id` it is updated, and an id that does not exist is
 * NOT_FOUND. A member left out keeps its value, null clears it, and a list that is sent replaces the
 * stored list: entries matched by id keep their id, entries not in the list are deleted. Reading a
 * record with all its fields and sending it back changes nothing but `updatedAt`.
 *
 * References to other records must exist, belong to the merchant and not be deleted, otherwise
 * NOT_FOUND with the path and the ids. A reference the record already has may be sent again after its
 * target is deleted.
 *
 * Text with NUL characters or lone surrogates, and numbers that are Infinity or NaN, are
 * ARGUMENT_VALIDATION_ERROR naming the member, and so is a list of more than 1,000 entries where
 * nothing else is said. A request body of more than 10 MiB, 500,000 values or 5,000 different member
 * names is PAYLOAD_TOO_LARGE (HTTP status 413).
 *
 * A Float of an input is less than 10,000,000,000,000 in size. Amounts (money, counts, quantities) have at
 * most 6 decimals; measures (weights, ratios, places in an order) keep 15 digits and are 0 or at least 1e-12
 * in size. What arithmetic with 64-bit floats adds to a number, as in 0.30000000000000004, is rounded away:
 * at most 1e-12 of it. A number that would lose more, or that a 64-bit float cannot hold as 1e-400, is
 * ARGUMENT_VALIDATION_ERROR naming the member. The number that is stored is the one that is answered.
 *
 * Each field costs at least 100 points, and lists in the input cost by their entries: see the type `Query` for
 * what a request may cost.
 *
 * With the header `Idempotency-Key` (1 to 255 visible ASCII characters) a request is executed once per app
 * and key for 24 hours. A repeat, also one that comes while the first is executed, gets the answer of the
 * first with the header `Idempotency-Replayed: true`; the same key with another request is CONFLICT. All
 * mutations of such a request are one transaction with its key; requests to other hosts and the decoding
 * of pictures come before it. A request that was not executed (its document or variables are wrong) leaves
 * the key free; so does one that meets INTERNAL_SERVER_ERROR, SERVICE_UNAVAILABLE, TIMEOUT or
 * UNAUTHORIZED, and then nothing of it is done and `data` is null. Other errors are the stored answer. An
 * answer of more than 4 MiB cannot be kept: ARGUMENT_VALIDATION_ERROR, and nothing is done. The answers
 * kept for a merchant take at most 1 GiB, each with 512 bytes for its key, and count for 24 to 25 hours:
 * over that, a request with a new key is RATE_LIMITED with `Retry-After`, and nothing of it is done, while
 * repeats are answered and requests without a key are executed.
 *
 * With the header `X-Dry-Run: true` everything is checked and done, answered with
 * `extensions: {dryRun: true}`, and then undone: nothing changes, no event is sent, a key stays free.
 * Generated ids and times are not those of a later request. Any other value of the header is
 * ARGUMENT_VALIDATION_ERROR.
 */
export type MutationSaveVariantPricesArgs = {
  input: SaveVariantPricesInput;
};


/**
 * Operations that change data. Each is one transaction: it happens wholly or not at all.
 *
 * Saving: without `id` a record is created; with `id` it is updated, and an id that does not exist is
 * NOT_FOUND. A member left out keeps its value, null clears it, and a list that is sent replaces the
 * stored list: entries matched by id keep their id, entries not in the list are deleted. Reading a
 * record with all its fields and sending it back changes nothing but `updatedAt`.
 *
 * References to other records must exist, belong to the merchant and not be deleted, otherwise
 * NOT_FOUND with the path and the ids. A reference the record already has may be sent again after its
 * target is deleted.
 *
 * Text with NUL characters or lone surrogates, and numbers that are Infinity or NaN, are
 * ARGUMENT_VALIDATION_ERROR naming the member, and so is a list of more than 1,000 entries where
 * nothing else is said. A request body of more than 10 MiB, 500,000 values or 5,000 different member
 * names is PAYLOAD_TOO_LARGE (HTTP status 413).
 *
 * A Float of an input is less than 10,000,000,000,000 in size. Amounts (money, counts, quantities) have at
 * most 6 decimals; measures (weights, ratios, places in an order) keep 15 digits and are 0 or at least 1e-12
 * in size. What arithmetic with 64-bit floats adds to a number, as in 0.30000000000000004, is rounded away:
 * at most 1e-12 of it. A number that would lose more, or that a 64-bit float cannot hold as 1e-400, is
 * ARGUMENT_VALIDATION_ERROR naming the member. The number that is stored is the one that is answered.
 *
 * Each field costs at least 100 points, and lists in the input cost by their entries: see the type `Query` for
 * what a request may cost.
 *
 * With the header `Idempotency-Key` (1 to 255 visible ASCII characters) a request is executed once per app
 * and key for 24 hours. A repeat, also one that comes while the first is executed, gets the answer of the
 * first with the header `Idempotency-Replayed: true`; the same key with another request is CONFLICT. All
 * mutations of such a request are one transaction with its key; requests to other hosts and the decoding
 * of pictures come before it. A request that was not executed (its document or variables are wrong) leaves
 * the key free; so does one that meets INTERNAL_SERVER_ERROR, SERVICE_UNAVAILABLE, TIMEOUT or
 * UNAUTHORIZED, and then nothing of it is done and `data` is null. Other errors are the stored answer. An
 * answer of more than 4 MiB cannot be kept: ARGUMENT_VALIDATION_ERROR, and nothing is done. The answers
 * kept for a merchant take at most 1 GiB, each with 512 bytes for its key, and count for 24 to 25 hours:
 * over that, a request with a new key is RATE_LIMITED with `Retry-After`, and nothing of it is done, while
 * repeats are answered and requests without a key are executed.
 *
 * With the header `X-Dry-Run: true` everything is checked and done, answered with
 * `extensions: {dryRun: true}`, and then undone: nothing changes, no event is sent, a key stays free.
 * Generated ids and times are not those of a later request. Any other value of the header is
 * ARGUMENT_VALIDATION_ERROR.
 */
export type MutationSaveVariantTypeArgs = {
  input: VariantTypeInput;
};


/**
 * Operations that change data. Each is one transaction: it happens wholly or not at all.
 *
 * Saving: without `id` a record is created; with `id` it is updated, and an id that does not exist is
 * NOT_FOUND. A member left out keeps its value, null clears it, and a list that is sent replaces the
 * stored list: entries matched by id keep their id, entries not in the list are deleted. Reading a
 * record with all its fields and sending it back changes nothing but `updatedAt`.
 *
 * References to other records must exist, belong to the merchant and not be deleted, otherwise
 * NOT_FOUND with the path and the ids. A reference the record already has may be sent again after its
 * target is deleted.
 *
 * Text with NUL characters or lone surrogates, and numbers that are Infinity or NaN, are
 * ARGUMENT_VALIDATION_ERROR naming the member, and so is a list of more than 1,000 entries where
 * nothing else is said. A request body of more than 10 MiB, 500,000 values or 5,000 different member
 * names is PAYLOAD_TOO_LARGE (HTTP status 413).
 *
 * A Float of an input is less than 10,000,000,000,000 in size. Amounts (money, counts, quantities) have at
 * most 6 decimals; measures (weights, ratios, places in an order) keep 15 digits and are 0 or at least 1e-12
 * in size. What arithmetic with 64-bit floats adds to a number, as in 0.30000000000000004, is rounded away:
 * at most 1e-12 of it. A number that would lose more, or that a 64-bit float cannot hold as 1e-400, is
 * ARGUMENT_VALIDATION_ERROR naming the member. The number that is stored is the one that is answered.
 *
 * Each field costs at least 100 points, and lists in the input cost by their entries: see the type `Query` for
 * what a request may cost.
 *
 * With the header `Idempotency-Key` (1 to 255 visible ASCII characters) a request is executed once per app
 * and key for 24 hours. A repeat, also one that comes while the first is executed, gets the answer of the
 * first with the header `Idempotency-Replayed: true`; the same key with another request is CONFLICT. All
 * mutations of such a request are one transaction with its key; requests to other hosts and the decoding
 * of pictures come before it. A request that was not executed (its document or variables are wrong) leaves
 * the key free; so does one that meets INTERNAL_SERVER_ERROR, SERVICE_UNAVAILABLE, TIMEOUT or
 * UNAUTHORIZED, and then nothing of it is done and `data` is null. Other errors are the stored answer. An
 * answer of more than 4 MiB cannot be kept: ARGUMENT_VALIDATION_ERROR, and nothing is done. The answers
 * kept for a merchant take at most 1 GiB, each with 512 bytes for its key, and count for 24 to 25 hours:
 * over that, a request with a new key is RATE_LIMITED with `Retry-After`, and nothing of it is done, while
 * repeats are answered and requests without a key are executed.
 *
 * With the header `X-Dry-Run: true` everything is checked and done, answered with
 * `extensions: {dryRun: true}`, and then undone: nothing changes, no event is sent, a key stays free.
 * Generated ids and times are not those of a later request. Any other value of the header is
 * ARGUMENT_VALIDATION_ERROR.
 */
export type MutationSaveWebhookArgs = {
  input: WebhookInput;
};


/**
 * Operations that change data. Each is one transaction: it happens wholly or not at all.
 *
 * Saving: without `id` a record is created; with `id` it is updated, and an id that does not exist is
 * NOT_FOUND. A member left out keeps its value, null clears it, and a list that is sent replaces the
 * stored list: entries matched by id keep their id, entries not in the list are deleted. Reading a
 * record with all its fields and sending it back changes nothing but `updatedAt`.
 *
 * References to other records must exist, belong to the merchant and not be deleted, otherwise
 * NOT_FOUND with the path and the ids. A reference the record already has may be sent again after its
 * target is deleted.
 *
 * Text with NUL characters or lone surrogates, and numbers that are Infinity or NaN, are
 * ARGUMENT_VALIDATION_ERROR naming the member, and so is a list of more than 1,000 entries where
 * nothing else is said. A request body of more than 10 MiB, 500,000 values or 5,000 different member
 * names is PAYLOAD_TOO_LARGE (HTTP status 413).
 *
 * A Float of an input is less than 10,000,000,000,000 in size. Amounts (money, counts, quantities) have at
 * most 6 decimals; measures (weights, ratios, places in an order) keep 15 digits and are 0 or at least 1e-12
 * in size. What arithmetic with 64-bit floats adds to a number, as in 0.30000000000000004, is rounded away:
 * at most 1e-12 of it. A number that would lose more, or that a 64-bit float cannot hold as 1e-400, is
 * ARGUMENT_VALIDATION_ERROR naming the member. The number that is stored is the one that is answered.
 *
 * Each field costs at least 100 points, and lists in the input cost by their entries: see the type `Query` for
 * what a request may cost.
 *
 * With the header `Idempotency-Key` (1 to 255 visible ASCII characters) a request is executed once per app
 * and key for 24 hours. A repeat, also one that comes while the first is executed, gets the answer of the
 * first with the header `Idempotency-Replayed: true`; the same key with another request is CONFLICT. All
 * mutations of such a request are one transaction with its key; requests to other hosts and the decoding
 * of pictures come before it. A request that was not executed (its document or variables are wrong) leaves
 * the key free; so does one that meets INTERNAL_SERVER_ERROR, SERVICE_UNAVAILABLE, TIMEOUT or
 * UNAUTHORIZED, and then nothing of it is done and `data` is null. Other errors are the stored answer. An
 * answer of more than 4 MiB cannot be kept: ARGUMENT_VALIDATION_ERROR, and nothing is done. The answers
 * kept for a merchant take at most 1 GiB, each with 512 bytes for its key, and count for 24 to 25 hours:
 * over that, a request with a new key is RATE_LIMITED with `Retry-After`, and nothing of it is done, while
 * repeats are answered and requests without a key are executed.
 *
 * With the header `X-Dry-Run: true` everything is checked and done, answered with
 * `extensions: {dryRun: true}`, and then undone: nothing changes, no event is sent, a key stays free.
 * Generated ids and times are not those of a later request. Any other value of the header is
 * ARGUMENT_VALIDATION_ERROR.
 */
export type MutationTestWebhookArgs = {
  scope: Scalars['String']['input'];
};


/**
 * Operations that change data. Each is one transaction: it happens wholly or not at all.
 *
 * Saving: without `id` a record is created; with `id` it is updated, and an id that does not exist is
 * NOT_FOUND. A member left out keeps its value, null clears it, and a list that is sent replaces the
 * stored list: entries matched by id keep their id, entries not in the list are deleted. Reading a
 * record with all its fields and sending it back changes nothing but `updatedAt`.
 *
 * References to other records must exist, belong to the merchant and not be deleted, otherwise
 * NOT_FOUND with the path and the ids. A reference the record already has may be sent again after its
 * target is deleted.
 *
 * Text with NUL characters or lone surrogates, and numbers that are Infinity or NaN, are
 * ARGUMENT_VALIDATION_ERROR naming the member, and so is a list of more than 1,000 entries where
 * nothing else is said. A request body of more than 10 MiB, 500,000 values or 5,000 different member
 * names is PAYLOAD_TOO_LARGE (HTTP status 413).
 *
 * A Float of an input is less than 10,000,000,000,000 in size. Amounts (money, counts, quantities) have at
 * most 6 decimals; measures (weights, ratios, places in an order) keep 15 digits and are 0 or at least 1e-12
 * in size. What arithmetic with 64-bit floats adds to a number, as in 0.30000000000000004, is rounded away:
 * at most 1e-12 of it. A number that would lose more, or that a 64-bit float cannot hold as 1e-400, is
 * ARGUMENT_VALIDATION_ERROR naming the member. The number that is stored is the one that is answered.
 *
 * Each field costs at least 100 points, and lists in the input cost by their entries: see the type `Query` for
 * what a request may cost.
 *
 * With the header `Idempotency-Key` (1 to 255 visible ASCII characters) a request is executed once per app
 * and key for 24 hours. A repeat, also one that comes while the first is executed, gets the answer of the
 * first with the header `Idempotency-Replayed: true`; the same key with another request is CONFLICT. All
 * mutations of such a request are one transaction with its key; requests to other hosts and the decoding
 * of pictures come before it. A request that was not executed (its document or variables are wrong) leaves
 * the key free; so does one that meets INTERNAL_SERVER_ERROR, SERVICE_UNAVAILABLE, TIMEOUT or
 * UNAUTHORIZED, and then nothing of it is done and `data` is null. Other errors are the stored answer. An
 * answer of more than 4 MiB cannot be kept: ARGUMENT_VALIDATION_ERROR, and nothing is done. The answers
 * kept for a merchant take at most 1 GiB, each with 512 bytes for its key, and count for 24 to 25 hours:
 * over that, a request with a new key is RATE_LIMITED with `Retry-After`, and nothing of it is done, while
 * repeats are answered and requests without a key are executed.
 *
 * With the header `X-Dry-Run: true` everything is checked and done, answered with
 * `extensions: {dryRun: true}`, and then undone: nothing changes, no event is sent, a key stays free.
 * Generated ids and times are not those of a later request. Any other value of the header is
 * ARGUMENT_VALIDATION_ERROR.
 */
export type MutationUpdateProductSalesChannelStatusArgs = {
  input: Array<UpdateProductSalesChannelStatusInput>;
  salesChannelId?: InputMaybe<Scalars['String']['input']>;
};

/**
 * Which part of a list to answer. Values outside the limits are ARGUMENT_VALIDATION_ERROR. A page past
 * the end is an empty list.
 */
export type PaginationInput = {
  /**
   * The `endCursor` of an earlier page of the same operation with the same sort: the page goes on after
   * it, equally fast however deep. Any other text is ARGUMENT_VALIDATION_ERROR. Operations that answer a
   * plain list give no cursor; they are paged by `page`.
   */
  after?: InputMaybe<Scalars['String']['input']>;
  /** Records per page, 1 to 200. */
  limit?: InputMaybe<Scalars['Int']['input']>;
  /** Page number, 1 or higher. Ignored when `after` is given. */
  page?: InputMaybe<Scalars['Int']['input']>;
};

/** A set of prices in one currency, beside the base prices. */
export type PriceList = {
  __typename?: 'PriceList';
  /** True when new products are to be in the list without being added. Stored and returned. */
  addProductsAutomatically?: Maybe<Scalars['Boolean']['output']>;
  /** When the price list was created. */
  createdAt?: Maybe<Scalars['Timestamp']['output']>;
  /** Currency of the prices, as an ISO 4217 code such as `EUR`. */
  currency: Scalars['String']['output'];
  /** Code the currency is shown with. */
  currencyCode?: Maybe<Scalars['String']['output']>;
  /** Symbol the currency is shown with, for example `€`. */
  currencySymbol?: Maybe<Scalars['String']['output']>;
  /** True when the price list is deleted. */
  deleted: Scalars['Boolean']['output'];
  /** Identifier, made by the service. */
  id: Scalars['ID']['output'];
  /** Name of the price list. Names may repeat. */
  name: Scalars['String']['output'];
  /** Rules by which prices are to follow from other prices. Stored and returned; the service does not compute prices from them. */
  ruleList?: Maybe<Array<PriceListRuleList>>;
  /** Where the prices come from. */
  type?: Maybe<PriceListTypeEnum>;
  /** When the price list was last changed. */
  updatedAt?: Maybe<Scalars['Timestamp']['output']>;
};

/** Rate between two currencies. */
export type PriceListCurrencyRateSettings = {
  __typename?: 'PriceListCurrencyRateSettings';
  /** Units of the list's currency for one unit of the base currency; for CUSTOM_RATE. */
  amount?: Maybe<Scalars['Float']['output']>;
  /** Where the rate comes from. */
  type: PriceListCurrencyRateTypeEnum;
};

/** Rate between two currencies, to be saved. */
export type PriceListCurrencyRateSettingsInput = {
  /** Units of the list's currency for one unit of the base currency, not negative; for CUSTOM_RATE. Keeps 15 digits. */
  amount?: InputMaybe<Scalars['Float']['input']>;
  /** Where the rate comes from. */
  type: PriceListCurrencyRateTypeEnum;
};

/** Where a currency rate comes from. */
export type PriceListCurrencyRateTypeEnum =
  /** The rate of the day. */
  | 'CURRENT_RATE'
  /** The rate given in the settings. */
  | 'CUSTOM_RATE';

/** How prices in the list's currency are written. */
export type PriceListCurrencySettings = {
  __typename?: 'PriceListCurrencySettings';
  /** Pattern results are rounded to, for example `0.99`. */
  roundingFormat?: Maybe<Scalars['String']['output']>;
};

/** How prices in the list's currency are written, to be saved. */
export type PriceListCurrencySettingsInput = {
  /** Pattern results are rounded to, for example `0.99`, at most 255 code points; stored as sent. */
  roundingFormat?: InputMaybe<Scalars['String']['input']>;
};

/** A price list to be saved. */
export type PriceListInput = {
  /** True when new products are to be in the list without being added. Stored and returned. */
  addProductsAutomatically?: InputMaybe<Scalars['Boolean']['input']>;
  /** Ignored; the service keeps the time. */
  createdAt?: InputMaybe<Scalars['Timestamp']['input']>;
  /** Currency of the prices, as an ISO 4217 code such as `EUR`; any text of at most 255 code points, stored as sent. */
  currency: Scalars['String']['input'];
  /** Code the currency is shown with, at most 255 code points. */
  currencyCode?: InputMaybe<Scalars['String']['input']>;
  /** Symbol the currency is shown with, for example `€`, at most 255 code points. */
  currencySymbol?: InputMaybe<Scalars['String']['input']>;
  /** True deletes the price list, false restores it. */
  deleted?: InputMaybe<Scalars['Boolean']['input']>;
  /** Id of the price list to update; left out to create one. */
  id?: InputMaybe<Scalars['String']['input']>;
  /** Name of the price list, 1 to 255 code points after trimming; stored in Unicode form NFC. Names may repeat. */
  name: Scalars['String']['input'];
  /** Rules by which prices are to follow from other prices. Stored and returned; the service does not compute prices from them. */
  ruleList?: InputMaybe<Array<PriceListRuleListInput>>;
  /** Where the prices come from. */
  type?: InputMaybe<PriceListTypeEnum>;
  /** Ignored; the service keeps the time. */
  updatedAt?: InputMaybe<Scalars['Timestamp']['input']>;
};

/** Rules by which prices follow from those of another price list. */
export type PriceListRuleList = {
  __typename?: 'PriceListRuleList';
  /** Price list the prices start from; null for the base prices. */
  basePriceListId?: Maybe<Scalars['String']['output']>;
  /** Rate by which prices are converted; null when the currencies are the same. */
  currencyRateSettings?: Maybe<PriceListCurrencyRateSettings>;
  /** How results are rounded. */
  currencySettings: PriceListCurrencySettings;
  /** Changes made to each price, one after the other. */
  rules: Array<PriceListRules>;
};

/** Rules by which prices follow from those of another price list, to be saved. */
export type PriceListRuleListInput = {
  /** Price list the prices start from, which must exist; left out for the base prices. */
  basePriceListId?: InputMaybe<Scalars['String']['input']>;
  /** Rate by which prices are converted; left out when the currencies are the same. */
  currencyRateSettings?: InputMaybe<PriceListCurrencyRateSettingsInput>;
  /** How results are rounded. */
  currencySettings: PriceListCurrencySettingsInput;
  /** Changes made to each price, one after the other, at most 1,000. */
  rules: Array<PriceListRulesInput>;
};

/** One change made to a price. */
export type PriceListRules = {
  __typename?: 'PriceListRules';
  /** By how much: a sum in the list's currency or a percentage, as `amountType` says. */
  amount: Scalars['Float']['output'];
  /** Unit of `amount`. */
  amountType: PriceListRulesAmountTypeEnum;
  /** Whether the price goes up or down. */
  operationType: PriceListRulesOperationTypeEnum;
};

/** Unit of a price rule's amount. */
export type PriceListRulesAmountTypeEnum =
  /** A sum of money. */
  | 'AMOUNT'
  /** A percentage of the price. */
  | 'RATIO';

/** One change made to a price, to be saved. */
export type PriceListRulesInput = {
  /** By how much: a sum in the list's currency or a percentage, as `amountType` says. Keeps 15 digits. */
  amount: Scalars['Float']['input'];
  /** Unit of `amount`. */
  amountType: PriceListRulesAmountTypeEnum;
  /** Whether the price goes up or down. */
  operationType: PriceListRulesOperationTypeEnum;
};

/** Direction of a price rule. */
export type PriceListRulesOperationTypeEnum =
  /** The price goes down. */
  | 'DECREASE'
  /** The price goes up. */
  | 'INCREASE';

/** Where the prices of a list come from. */
export type PriceListTypeEnum =
  /** Rules applied to other prices. */
  | 'DYNAMIC'
  /** Other prices converted at a currency rate. */
  | 'DYNAMIC_RATE'
  /** Rows saved for single variants. */
  | 'MANUAL';

/** Something the merchant sells, in one or more variants. */
export type Product = {
  __typename?: 'Product';
  /** Values of attributes that hold for the whole product. */
  attributes?: Maybe<Array<ProductAttributeValue>>;
  /** Quantity that unit prices refer to. */
  baseUnit?: Maybe<ProductBaseUnitModel>;
  /** The brand that `brandId` names, also when it has been deleted since. */
  brand?: Maybe<SimpleProductBrand>;
  /** Id of the product's brand. */
  brandId?: Maybe<Scalars['String']['output']>;
  /** The categories that `categoryIds` names, also those deleted since. */
  categories?: Maybe<Array<SimpleCategory>>;
  /** Ids of the categories the product is in. */
  categoryIds?: Maybe<Array<Scalars['String']['output']>>;
  /** When the product was created. */
  createdAt?: Maybe<Scalars['Timestamp']['output']>;
  /** True when the product is deleted. */
  deleted: Scalars['Boolean']['output'];
  /** Text about the product. */
  description?: Maybe<Scalars['String']['output']>;
  /** Price lists whose rules apply to the product. */
  dynamicPriceListIds?: Maybe<Array<Scalars['String']['output']>>;
  /** Google product category id. */
  googleTaxonomyId?: Maybe<Scalars['String']['output']>;
  /** Id of the variant type by which lists may group the variants. */
  groupVariantsByVariantTypeId?: Maybe<Scalars['String']['output']>;
  /** Sales channels in which the product is hidden. */
  hiddenSalesChannelIds?: Maybe<Array<Scalars['String']['output']>>;
  /** Identifier, made by the service. */
  id: Scalars['ID']['output'];
  /** Most pieces of the product one cart may hold; null for no limit. */
  maxQuantityPerCart?: Maybe<Scalars['Float']['output']>;
  /** Metadata of the product's page. */
  metaData?: Maybe<HtmlMetaData>;
  /** Name of the product. Names may repeat. */
  name: Scalars['String']['output'];
  /** Id of the set of options shoppers can add. Stored and returned. */
  productOptionSetId?: Maybe<Scalars['String']['output']>;
  /** Variant types the product uses, with the values it uses of each. */
  productVariantTypes?: Maybe<Array<ProductVariantType>>;
  /** Id of the volume discount. Stored and returned. */
  productVolumeDiscountId?: Maybe<Scalars['String']['output']>;
  /** When the product goes on sale. */
  releaseDate?: Maybe<Scalars['Timestamp']['output']>;
  /** Sales channels the product is in. */
  salesChannelIds?: Maybe<Array<Scalars['String']['output']>>;
  /** Settings per sales channel. Kept apart from `salesChannelIds` and `hiddenSalesChannelIds`: each holds what was saved in it. */
  salesChannels?: Maybe<Array<ProductSalesChannel>>;
  /** Text about the product in a few words. */
  shortDescription?: Maybe<Scalars['String']['output']>;
  /** Id of the subscription plan. Stored and returned. */
  subscriptionPlanId?: Maybe<Scalars['String']['output']>;
  /** Ids of the product's tags. */
  tagIds?: Maybe<Array<Scalars['String']['output']>>;
  /** The tags that `tagIds` names, also those deleted since. */
  tags?: Maybe<Array<SimpleProductTag>>;
  /** Sum of the stock counts of all variants over all stock locations. Computed. */
  totalStock?: Maybe<Scalars['Float']['output']>;
  /** Translations. */
  translations?: Maybe<Array<ProductTranslation>>;
  /** Kind of the product. */
  type: ProductTypeEnum;
  /** When the product was last changed. */
  updatedAt?: Maybe<Scalars['Timestamp']['output']>;
  /** The forms the product is sold in, in the order they were saved in. Deleted ones are left out. */
  variants: Array<Variant>;
  /** Id of the vendor the product is bought from. Stored and returned. */
  vendorId?: Maybe<Scalars['String']['output']>;
  /** Number that goes up with each save; `ProductInput.version` compares with it. */
  version: Scalars['Int']['output'];
  /** Weight in kilograms. */
  weight?: Maybe<Scalars['Float']['output']>;
};

/** A property the merchant describes products and variants with, for example a material or a care instruction. */
export type ProductAttribute = {
  __typename?: 'ProductAttribute';
  /** When the attribute was created. */
  createdAt?: Maybe<Scalars['Timestamp']['output']>;
  /** True when the attribute is deleted. */
  deleted: Scalars['Boolean']['output'];
  /** Text about the attribute. */
  description?: Maybe<Scalars['String']['output']>;
  /** Identifier, made by the service. */
  id: Scalars['ID']['output'];
  /** Name of the attribute, unique among the merchant's attributes that are not deleted. */
  name: Scalars['String']['output'];
  /** Options to choose from, in the order they were saved in; for the types that offer a choice. */
  options?: Maybe<Array<ProductAttributeOption>>;
  /** Columns and rows of the table; for the type TABLE. */
  tableTemplate?: Maybe<ProductAttributeTableTemplate>;
  /** Translations. */
  translations?: Maybe<Array<ProductAttributeTranslation>>;
  /** What kind of values the attribute takes. */
  type: ProductAttributeTypeEnum;
  /** When the attribute was last changed. */
  updatedAt?: Maybe<Scalars['Timestamp']['output']>;
};

/**
 * Conditions on the attributes for which a product, or one of its variants, has a value. All members
 * given together have to hold; a member that is null counts as left out.
 */
export type ProductAttributeFilterInput = {
  /** Has a value for the attribute with this id. */
  eq?: InputMaybe<Scalars['String']['input']>;
  /** Has a value for at least one of these attributes, at most 1,000. An empty list matches nothing. */
  in?: InputMaybe<Array<Scalars['String']['input']>>;
  /** Has a value for none of these attributes, at most 1,000. */
  nin?: InputMaybe<Array<Scalars['String']['input']>>;
};

/** An attribute to be saved, with all its options. */
export type ProductAttributeInput = {
  /** Ignored; the service keeps the time. */
  createdAt?: InputMaybe<Scalars['Timestamp']['input']>;
  /** True deletes the attribute, false restores it. */
  deleted?: InputMaybe<Scalars['Boolean']['input']>;
  /** Text about the attribute, at most 65,536 code points. */
  description?: InputMaybe<Scalars['String']['input']>;
  /** Id of the attribute to update; left out to create one. */
  id?: InputMaybe<Scalars['String']['input']>;
  /**
   * Name of the attribute, 1 to 255 code points after trimming; stored in Unicode form NFC. Unique among
   * the merchant's attributes that are not deleted; upper and lower case differ.
   */
  name: Scalars['String']['input'];
  /** Options to choose from in their order, at most 1,000. Names may repeat. */
  options?: InputMaybe<Array<ProductAttributeOptionInput>>;
  /** Columns and rows of the table; for the type TABLE. */
  tableTemplate?: InputMaybe<ProductAttributeTableTemplateInput>;
  /** Translations, one per locale. */
  translations?: InputMaybe<Array<ProductAttributeTranslationInput>>;
  /** What kind of values the attribute takes. */
  type: ProductAttributeTypeEnum;
  /** Ignored; the service keeps the time. */
  updatedAt?: InputMaybe<Scalars['Timestamp']['input']>;
};

/** A value an attribute offers to choose. */
export type ProductAttributeOption = {
  __typename?: 'ProductAttributeOption';
  /** Color the option is shown in, for example `#1a2b3c`. */
  colorCode?: Maybe<Scalars['String']['output']>;
  /** When the option was created. */
  createdAt?: Maybe<Scalars['Timestamp']['output']>;
  /** True when the option is deleted. */
  deleted: Scalars['Boolean']['output'];
  /** Identifier, made by the service. */
  id: Scalars['ID']['output'];
  /** Name of the option. */
  name: Scalars['String']['output'];
  /** Id of the small picture the option is shown with. */
  thumbnailImageId?: Maybe<Scalars['String']['output']>;
  /** When the option was last changed. */
  updatedAt?: Maybe<Scalars['Timestamp']['output']>;
};

/** An option of an attribute, to be saved. */
export type ProductAttributeOptionInput = {
  /** Color the option is shown in, at most 7 code points, for example `#1a2b3c`. */
  colorCode?: InputMaybe<Scalars['String']['input']>;
  /** Ignored; the service keeps the time. */
  createdAt?: InputMaybe<Scalars['Timestamp']['input']>;
  /** True deletes the option, as leaving it out of the list does. False, or left out, keeps it in the list, or brings it back. */
  deleted?: InputMaybe<Scalars['Boolean']['input']>;
  /**
   * Id of an option the attribute has, or had before it was deleted, and no other entry names; left out
   * for a new one, whose id the service makes.
   */
  id?: InputMaybe<Scalars['String']['input']>;
  /** Name of the option, 1 to 255 code points after trimming; stored in Unicode form NFC. */
  name: Scalars['String']['input'];
  /** Id of the small picture the option is shown with, at most 255 code points; stored as sent. */
  thumbnailImageId?: InputMaybe<Scalars['String']['input']>;
  /** Ignored; the service keeps the time. */
  updatedAt?: InputMaybe<Scalars['Timestamp']['input']>;
};

/** An option's name in another language. */
export type ProductAttributeOptionTranslation = {
  __typename?: 'ProductAttributeOptionTranslation';
  /** Id of the option. */
  id: Scalars['String']['output'];
  /** Translated name of the option. */
  name?: Maybe<Scalars['String']['output']>;
};

/** An option's name in another language, to be saved. */
export type ProductAttributeOptionTranslationInput = {
  /** Id of an option the attribute has, otherwise NOT_FOUND. New options are translated by a second save, once their ids are known. */
  id: Scalars['String']['input'];
  /** Translated name of the option, at most 255 code points. */
  name?: InputMaybe<Scalars['String']['input']>;
};

/** Heading of a column or row of a table. */
export type ProductAttributeTableCellData = {
  __typename?: 'ProductAttributeTableCellData';
  /** Key of the column or row, chosen by the client. */
  id: Scalars['String']['output'];
  /** Heading of the column or row. */
  name: Scalars['String']['output'];
};

/** Heading of a column or row of a table, to be saved. */
export type ProductAttributeTableCellDataInput = {
  /** Key of the column or row, chosen by the client, at most 255 code points; stored as sent. */
  id: Scalars['String']['input'];
  /** Heading of the column or row, at most 255 code points. */
  name: Scalars['String']['input'];
};

/** Shape of the table an attribute of the type TABLE holds. */
export type ProductAttributeTableTemplate = {
  __typename?: 'ProductAttributeTableTemplate';
  /** Columns, from left to right. */
  columns: Array<ProductAttributeTableCellData>;
  /** Rows, from top to bottom. */
  rows: Array<ProductAttributeTableCellData>;
};

/** Shape of a table, to be saved; replaces the stored one whole. */
export type ProductAttributeTableTemplateInput = {
  /** Columns, from left to right, at most 1,000. */
  columns: Array<ProductAttributeTableCellDataInput>;
  /** Rows, from top to bottom, at most 1,000. */
  rows: Array<ProductAttributeTableCellDataInput>;
};

/** An attribute in another language. */
export type ProductAttributeTranslation = {
  __typename?: 'ProductAttributeTranslation';
  /** Translated text about the attribute. */
  description?: Maybe<Scalars['String']['output']>;
  /** Language of the translation, for example `de`. */
  locale: Scalars['String']['output'];
  /** Translated name. */
  name?: Maybe<Scalars['String']['output']>;
  /** Translated names of options. */
  options?: Maybe<Array<ProductAttributeOptionTranslation>>;
};

/** An attribute in another language, to be saved. */
export type ProductAttributeTranslationInput = {
  /** Translated text about the attribute, at most 65,536 code points. */
  description?: InputMaybe<Scalars['String']['input']>;
  /** Language of the translation, for example `de`. */
  locale: Scalars['String']['input'];
  /** Translated name, at most 255 code points. */
  name?: InputMaybe<Scalars['String']['input']>;
  /** Translated names of options. */
  options?: InputMaybe<Array<ProductAttributeOptionTranslationInput>>;
};

/** What kind of values an attribute takes. */
export type ProductAttributeTypeEnum =
  /** True or false. */
  | 'BOOLEAN'
  /** One of the options. */
  | 'CHOICE'
  /** Any number of the options, shown as colors or small pictures. */
  | 'COLOR_THUMBNAIL_MULTIPLE_CHOICE'
  /** A day. */
  | 'DATE'
  /** A day with a time. */
  | 'DATETIME'
  /** Text with HTML markup. */
  | 'HTML'
  /** One or more images. */
  | 'IMAGE'
  /** Any number of the options. */
  | 'MULTIPLE_CHOICE'
  /** A number. */
  | 'NUMERIC'
  /** Another product, by id. */
  | 'PRODUCT'
  /** A table in the shape of the attribute's template. */
  | 'TABLE'
  /** Plain text. */
  | 'TEXT';

/** A value of an attribute on a product or variant. */
export type ProductAttributeValue = {
  __typename?: 'ProductAttributeValue';
  /** Ids of images; for attributes of the type IMAGE. */
  imageIds?: Maybe<Array<Scalars['String']['output']>>;
  /** Id of the attribute. */
  productAttributeId?: Maybe<Scalars['String']['output']>;
  /** Id of the chosen option; for attributes that offer a choice. */
  productAttributeOptionId?: Maybe<Scalars['String']['output']>;
  /** The value as text; for attributes without a choice. */
  value?: Maybe<Scalars['String']['output']>;
};

/** A value of an attribute, to be saved on a product or variant. */
export type ProductAttributeValueInput = {
  /** Ids of images; for attributes of the type IMAGE. Stored as sent. */
  imageIds?: InputMaybe<Array<Scalars['String']['input']>>;
  /** Id of the attribute, which must exist. */
  productAttributeId?: InputMaybe<Scalars['String']['input']>;
  /** Id of an option of the attribute, which must exist. */
  productAttributeOptionId?: InputMaybe<Scalars['String']['input']>;
  /** The value as text, at most 65,536 code points; for attributes without a choice. */
  value?: InputMaybe<Scalars['String']['input']>;
};

/** Quantity that unit prices of a product refer to, for example 1 LITER. */
export type ProductBaseUnitModel = {
  __typename?: 'ProductBaseUnitModel';
  /** How many units the price is given for. */
  baseAmount?: Maybe<Scalars['Float']['output']>;
  /** The unit. */
  type: ProductUnitTypeEnum;
  /** Id of the merchant's own unit; for the type CUSTOM. Stored and returned. */
  unitId?: Maybe<Scalars['String']['output']>;
};

/** Quantity that unit prices refer to, to be saved. */
export type ProductBaseUnitModelInput = {
  /** How many units the price is given for, not negative. Keeps 15 digits. */
  baseAmount: Scalars['Float']['input'];
  /** The unit. */
  type: ProductUnitTypeEnum;
  /** Id of the merchant's own unit; for the type CUSTOM. Stored as sent. */
  unitId?: InputMaybe<Scalars['String']['input']>;
};

/** A maker's or trade name under which products are sold. */
export type ProductBrand = {
  __typename?: 'ProductBrand';
  /** When the brand was created. */
  createdAt?: Maybe<Scalars['Timestamp']['output']>;
  /** True when the brand is deleted. */
  deleted: Scalars['Boolean']['output'];
  /** Text about the brand. */
  description?: Maybe<Scalars['String']['output']>;
  /** Identifier, made by the service. */
  id: Scalars['ID']['output'];
  /** Id of the brand's image. */
  imageId?: Maybe<Scalars['String']['output']>;
  /** Metadata of the brand's page. */
  metaData?: Maybe<HtmlMetaData>;
  /** Name of the brand, unique among the merchant's brands that are not deleted. */
  name: Scalars['String']['output'];
  /** Order of the products on the brand's page. */
  orderType?: Maybe<CategoryProductsOrderTypeEnum>;
  /** Sales channels the brand is in. */
  salesChannelIds?: Maybe<Array<Scalars['String']['output']>>;
  /** Translations. */
  translations?: Maybe<Array<ProductBrandTranslation>>;
  /** When the brand was last changed. */
  updatedAt?: Maybe<Scalars['Timestamp']['output']>;
};

/** A brand to be saved. */
export type ProductBrandInput = {
  /** Ignored; the service keeps the time. */
  createdAt?: InputMaybe<Scalars['Timestamp']['input']>;
  /** True deletes the brand, false restores it. */
  deleted?: InputMaybe<Scalars['Boolean']['input']>;
  /** Text about the brand, at most 65,536 code points. */
  description?: InputMaybe<Scalars['String']['input']>;
  /** Id of the brand to update; left out to create one. */
  id?: InputMaybe<Scalars['String']['input']>;
  /** Id of the brand's image, as the upload answers it; stored as sent. */
  imageId?: InputMaybe<Scalars['String']['input']>;
  /** Metadata of the brand's page. Left out when creating, it is made with a slug from the name. */
  metaData?: InputMaybe<HtmlMetaDataInput>;
  /**
   * Name of the brand, 1 to 255 code points after trimming; stored in Unicode form NFC. Unique among the
   * merchant's brands that are not deleted; upper and lower case differ.
   */
  name: Scalars['String']['input'];
  /** Order of the products on the brand's page. */
  orderType?: InputMaybe<CategoryProductsOrderTypeEnum>;
  /** Sales channels the brand is in; each must exist. */
  salesChannelIds?: InputMaybe<Array<Scalars['String']['input']>>;
  /** Translations, one per locale. */
  translations?: InputMaybe<Array<ProductBrandTranslationInput>>;
  /** Ignored; the service keeps the time. */
  updatedAt?: InputMaybe<Scalars['Timestamp']['input']>;
};

/** A brand in another language. */
export type ProductBrandTranslation = {
  __typename?: 'ProductBrandTranslation';
  /** Translated text about the brand. */
  description?: Maybe<Scalars['String']['output']>;
  /** Language of the translation, for example `de`. */
  locale: Scalars['String']['output'];
  /** Translated name. */
  name?: Maybe<Scalars['String']['output']>;
};

/** A brand in another language, to be saved. */
export type ProductBrandTranslationInput = {
  /** Translated text about the brand, at most 65,536 code points. */
  description?: InputMaybe<Scalars['String']['input']>;
  /** Language of the translation, for example `de`. */
  locale: Scalars['String']['input'];
  /** Translated name, at most 255 code points. */
  name?: InputMaybe<Scalars['String']['input']>;
};

/** An image or video of a variant. */
export type ProductImage = {
  __typename?: 'ProductImage';
  /** Name of the file the image came from. */
  fileName?: Maybe<Scalars['String']['output']>;
  /** Id of the uploaded image. */
  imageId?: Maybe<Scalars['String']['output']>;
  /** True for the variant's main image. A variant with images has exactly one. */
  isMain: Scalars['Boolean']['output'];
  /** True for a video. */
  isVideo?: Maybe<Scalars['Boolean']['output']>;
  /** Place among the variant's images, the lowest first. */
  order: Scalars['Float']['output'];
};

/** An image of a variant, to be saved. */
export type ProductImageInput = {
  /** Name of the file the image came from. */
  fileName?: InputMaybe<Scalars['String']['input']>;
  /** Id of the image, as the upload answers it; stored as sent. */
  imageId: Scalars['String']['input'];
  /** True for the variant's main image. */
  isMain: Scalars['Boolean']['input'];
  /** True for a video. */
  isVideo?: InputMaybe<Scalars['Boolean']['input']>;
  /** Place among the variant's images, the lowest first. Keeps 15 digits. */
  order: Scalars['Float']['input'];
};

/**
 * A product to be saved. Names, skus and barcodes may repeat. References to price lists, brands and other
 * records of the service have to exist; ids of things the service does not keep are stored as sent.
 */
export type ProductInput = {
  /** Values of attributes that hold for the whole product. */
  attributes?: InputMaybe<Array<ProductAttributeValueInput>>;
  /** Quantity that unit prices refer to. */
  baseUnit?: InputMaybe<ProductBaseUnitModelInput>;
  /** Id of the product's brand, which must exist. */
  brandId?: InputMaybe<Scalars['String']['input']>;
  /** Ids of the categories the product is in, which must exist. */
  categoryIds?: InputMaybe<Array<Scalars['String']['input']>>;
  /** Ignored; the service keeps the time. */
  createdAt?: InputMaybe<Scalars['Timestamp']['input']>;
  /** True deletes the product, false restores it. */
  deleted?: InputMaybe<Scalars['Boolean']['input']>;
  /** Text about the product, at most 65,536 code points. */
  description?: InputMaybe<Scalars['String']['input']>;
  /** Price lists whose rules apply to the product, which must exist. */
  dynamicPriceListIds?: InputMaybe<Array<Scalars['String']['input']>>;
  /** Google product category id; stored as sent. */
  googleTaxonomyId?: InputMaybe<Scalars['String']['input']>;
  /** Id of the variant type by which lists may group the variants, which must exist. */
  groupVariantsByVariantTypeId?: InputMaybe<Scalars['String']['input']>;
  /** Sales channels in which the product is hidden, which must exist. */
  hiddenSalesChannelIds?: InputMaybe<Array<Scalars['String']['input']>>;
  /** Id of the product to update; left out to create one. */
  id?: InputMaybe<Scalars['String']['input']>;
  /** Most pieces of the product one cart may hold, not negative; null for no limit. At most 6 decimals. */
  maxQuantityPerCart?: InputMaybe<Scalars['Float']['input']>;
  /** Metadata of the product's page. Left out when creating, it is made with a slug from the name. */
  metaData?: InputMaybe<HtmlMetaDataInput>;
  /** Name of the product, 1 to 255 code points after trimming; stored in Unicode form NFC. */
  name: Scalars['String']['input'];
  /** Id of the set of options shoppers can add; stored as sent. */
  productOptionSetId?: InputMaybe<Scalars['String']['input']>;
  /** Variant types the product uses, each once. */
  productVariantTypes?: InputMaybe<Array<ProductVariantTypeInput>>;
  /** Id of the volume discount; stored as sent. */
  productVolumeDiscountId?: InputMaybe<Scalars['String']['input']>;
  /** When the product goes on sale. */
  releaseDate?: InputMaybe<Scalars['Timestamp']['input']>;
  /** Sales channels the product is in, which must exist. */
  salesChannelIds?: InputMaybe<Array<Scalars['String']['input']>>;
  /** Settings per sales channel, one entry per channel. */
  salesChannels?: InputMaybe<Array<ProductSalesChannelInput>>;
  /** Text about the product in a few words, at most 65,536 code points. */
  shortDescription?: InputMaybe<Scalars['String']['input']>;
  /** Id of the subscription plan; stored as sent. */
  subscriptionPlanId?: InputMaybe<Scalars['String']['input']>;
  /** Ids of the product's tags, which must exist. */
  tagIds?: InputMaybe<Array<Scalars['String']['input']>>;
  /** Translations, one per locale. */
  translations?: InputMaybe<Array<ProductTranslationInput>>;
  /** Kind of the product. */
  type: ProductTypeEnum;
  /** Ignored; the service keeps the time. */
  updatedAt?: InputMaybe<Scalars['Timestamp']['input']>;
  /** All variants of the product, at most 1,000. Stored variants that are not in the list are deleted. */
  variants: Array<VariantInput>;
  /** Id of the vendor the product is bought from; stored as sent. */
  vendorId?: InputMaybe<Scalars['String']['input']>;
  /** The `version` the caller read. When given and not the stored one, somebody else saved in between, and the answer is CONFLICT. Ignored when creating. */
  version?: InputMaybe<Scalars['Int']['input']>;
  /** Weight in kilograms, not negative. Keeps 15 digits. */
  weight?: InputMaybe<Scalars['Float']['input']>;
};

/** A page of products. */
export type ProductPaginationResponse = {
  __typename?: 'ProductPaginationResponse';
  /** Number of all products that match, on every page together. */
  count: Scalars['Int']['output'];
  /** The products of this page. */
  data: Array<Product>;
  /** What `pagination.after` takes to go on after this page; null on an empty page. */
  endCursor?: Maybe<Scalars['String']['output']>;
  /** True when more products follow. */
  hasNext: Scalars['Boolean']['output'];
  /** Most products a page holds, as asked for. */
  limit: Scalars['Int']['output'];
  /** Number of this page. */
  page: Scalars['Int']['output'];
};

/** A price of a variant, exact to the digit as it was saved. */
export type ProductPrice = {
  __typename?: 'ProductPrice';
  /** Price the merchant pays. */
  buyPrice?: Maybe<Scalars['Float']['output']>;
  /** Currency of the row. The price list's, or the merchant's for the base price, unless the row names one. */
  currency?: Maybe<Scalars['String']['output']>;
  /** Code the currency is shown with, chosen like `currency`. */
  currencyCode?: Maybe<Scalars['String']['output']>;
  /** Symbol the currency is shown with, chosen like `currency`. */
  currencySymbol?: Maybe<Scalars['String']['output']>;
  /** Price shoppers pay instead of `sellPrice`. */
  discountPrice?: Maybe<Scalars['Float']['output']>;
  /** Price list the row belongs to; null for the base price. */
  priceListId?: Maybe<Scalars['String']['output']>;
  /** Price shoppers pay when there is no discount. */
  sellPrice: Scalars['Float']['output'];
};

/** A price row to be saved, kept as a decimal number. Negative amounts are ARGUMENT_VALIDATION_ERROR. */
export type ProductPriceInput = {
  /** Price the merchant pays, not negative. At most 6 decimals. */
  buyPrice?: InputMaybe<Scalars['Float']['input']>;
  /** Currency of the row, when it is not the price list's or, for the base price, the merchant's. */
  currency?: InputMaybe<Scalars['String']['input']>;
  /** Price shoppers pay instead of `sellPrice`, not negative. At most 6 decimals. */
  discountPrice?: InputMaybe<Scalars['Float']['input']>;
  /** Price list the row belongs to, which must exist; left out or null for the base price. */
  priceListId?: InputMaybe<Scalars['String']['input']>;
  /** Price shoppers pay when there is no discount, not negative. At most 6 decimals. */
  sellPrice: Scalars['Float']['input'];
};

/** A product's settings in a sales channel. */
export type ProductSalesChannel = {
  __typename?: 'ProductSalesChannel';
  /** Id of the sales channel. */
  id: Scalars['ID']['output'];
  /** Most pieces one cart may hold in this channel; null for no limit. */
  maxQuantityPerCart?: Maybe<Scalars['Float']['output']>;
  /** Fewest pieces a cart has to hold in this channel. */
  minQuantityPerCart?: Maybe<Scalars['Float']['output']>;
  /** Id of the volume discount in this channel. Stored and returned. */
  productVolumeDiscountId?: Maybe<Scalars['String']['output']>;
  /** Quantities shoppers choose from in this channel. */
  quantitySettings?: Maybe<Array<Scalars['Float']['output']>>;
  /** Whether the product is shown there. */
  status: SalesChannelStatusEnum;
};

/** A product's settings in a sales channel, to be saved. */
export type ProductSalesChannelInput = {
  /** Id of the sales channel, which must exist. */
  id: Scalars['String']['input'];
  /** Most pieces one cart may hold in this channel, not negative; left out for no limit. At most 6 decimals. */
  maxQuantityPerCart?: InputMaybe<Scalars['Float']['input']>;
  /** Fewest pieces a cart has to hold in this channel, not negative. At most 6 decimals. */
  minQuantityPerCart?: InputMaybe<Scalars['Float']['input']>;
  /** Id of the volume discount in this channel; stored as sent. */
  productVolumeDiscountId?: InputMaybe<Scalars['String']['input']>;
  /** Quantities shoppers choose from in this channel, none negative. At most 6 decimals. */
  quantitySettings?: InputMaybe<Array<Scalars['Float']['input']>>;
  /** Whether the product is shown there. */
  status: SalesChannelStatusEnum;
};

/** How the products a search finds divide by one property. */
export type ProductSearchFacet = {
  __typename?: 'ProductSearchFacet';
  /** The property. */
  field: ProductSearchFacetFieldEnum;
  /** Its values among the found products, the most frequent first, at most 1,000. Deleted ones are left out. */
  values: Array<ProductSearchFacetValue>;
};

/** Properties by which found products are divided. */
export type ProductSearchFacetFieldEnum =
  /** Brands. */
  | 'BRAND'
  /** Categories. */
  | 'CATEGORY'
  /** Tags. */
  | 'TAG'
  /** Kinds of products. */
  | 'TYPE'
  /** Variant values. */
  | 'VARIANT_VALUE';

/** A value of a facet. */
export type ProductSearchFacetValue = {
  __typename?: 'ProductSearchFacetValue';
  /** Number of found products with the value. */
  count: Scalars['Float']['output'];
  /** Id of the brand, category, tag or variant value; for TYPE the member of ProductTypeEnum. */
  id: Scalars['String']['output'];
  /** Name of the value. */
  name: Scalars['String']['output'];
};

/** A page of products found by a search. */
export type ProductSearchResponse = {
  __typename?: 'ProductSearchResponse';
  /** Number of products on this page. */
  count: Scalars['Float']['output'];
  /** How the found products divide. Over all matches, not this page; computed only when selected. */
  facets: Array<ProductSearchFacet>;
  /** True when more products follow. */
  hasNext: Scalars['Boolean']['output'];
  /** Most products a page holds, as asked for. */
  limit: Scalars['Float']['output'];
  /** Number of this page. */
  page: Scalars['Float']['output'];
  /** The products of this page, the most relevant first; an exact sku or barcode comes before everything. */
  results: Array<Product>;
  /** Number of all products found, exact. */
  totalCount: Scalars['Float']['output'];
};

/** How many pieces of a variant a stock location holds. */
export type ProductStockLocation = {
  __typename?: 'ProductStockLocation';
  /** When the count was first saved. */
  createdAt?: Maybe<Scalars['Timestamp']['output']>;
  /** True when the row is deleted. */
  deleted: Scalars['Boolean']['output'];
  /** Identifier, made by the service. */
  id: Scalars['ID']['output'];
  /** Id of the product. */
  productId: Scalars['String']['output'];
  /** Number of pieces, a decimal number; below zero where more was sold than was there. */
  stockCount: Scalars['Float']['output'];
  /** Id of the stock location. */
  stockLocationId: Scalars['String']['output'];
  /** When the count was last saved. */
  updatedAt?: Maybe<Scalars['Timestamp']['output']>;
  /** Id of the variant. */
  variantId: Scalars['String']['output'];
};

/** The stock count of a variant at a location, to be set. The row is found by variant and location. */
export type ProductStockLocationInput = {
  /**
   * Id of the row, as read. It may be left out, for the row is found by variant and stock location; when it
   * is given and is not that row's id, the answer is NOT_FOUND.
   */
  id?: InputMaybe<Scalars['String']['input']>;
  /** Id of the product. */
  productId: Scalars['String']['input'];
  /**
   * The new number of pieces, a decimal number from -1,000,000,000,000 to 1,000,000,000,000. It replaces the
   * stored one and is not added to it. At most 6 decimals.
   */
  stockCount: Scalars['Float']['input'];
  /** Id of the stock location. */
  stockLocationId: Scalars['String']['input'];
  /** Id of a variant of the product. */
  variantId: Scalars['String']['input'];
};

/** A page of stock counts. */
export type ProductStockLocationPaginationResponse = {
  __typename?: 'ProductStockLocationPaginationResponse';
  /** Number of all rows that match, on every page together. */
  count: Scalars['Int']['output'];
  /** The rows of this page. */
  data: Array<ProductStockLocation>;
  /** What `pagination.after` takes to go on after this page; null on an empty page. */
  endCursor?: Maybe<Scalars['String']['output']>;
  /** True when more rows follow. */
  hasNext: Scalars['Boolean']['output'];
  /** Most rows a page holds, as asked for. */
  limit: Scalars['Int']['output'];
  /** Number of this page. */
  page: Scalars['Int']['output'];
};

/** A free label by which products are grouped and found. */
export type ProductTag = {
  __typename?: 'ProductTag';
  /** When the tag was created. */
  createdAt?: Maybe<Scalars['Timestamp']['output']>;
  /** True when the tag is deleted. */
  deleted: Scalars['Boolean']['output'];
  /** Identifier, made by the service. */
  id: Scalars['ID']['output'];
  /** Text of the tag, unique among the merchant's tags that are not deleted. */
  name: Scalars['String']['output'];
  /** Translations of the name. */
  translations?: Maybe<Array<ProductTagTranslation>>;
  /** When the tag was last changed. */
  updatedAt?: Maybe<Scalars['Timestamp']['output']>;
};

/** A tag to be saved. */
export type ProductTagInput = {
  /** Ignored; the service keeps the time. */
  createdAt?: InputMaybe<Scalars['Timestamp']['input']>;
  /** True deletes the tag, false restores it. */
  deleted?: InputMaybe<Scalars['Boolean']['input']>;
  /** Id of the tag to update; left out to create one. */
  id?: InputMaybe<Scalars['String']['input']>;
  /**
   * Text of the tag, 1 to 255 code points after trimming; stored in Unicode form NFC. Unique among the
   * merchant's tags that are not deleted; upper and lower case differ.
   */
  name: Scalars['String']['input'];
  /** Translations of the name, one per locale. */
  translations?: InputMaybe<Array<ProductTagTranslationInput>>;
  /** Ignored; the service keeps the time. */
  updatedAt?: InputMaybe<Scalars['Timestamp']['input']>;
};

/** A tag in another language. */
export type ProductTagTranslation = {
  __typename?: 'ProductTagTranslation';
  /** Text about the tag in this language. Stored and returned; a tag has no untranslated description. */
  description?: Maybe<Scalars['String']['output']>;
  /** Language of the translation, for example `de`. */
  locale: Scalars['String']['output'];
  /** Translated name. */
  name?: Maybe<Scalars['String']['output']>;
};

/** A tag in another language, to be saved. */
export type ProductTagTranslationInput = {
  /** Text about the tag in this language, at most 65,536 code points. */
  description?: InputMaybe<Scalars['String']['input']>;
  /** Language of the translation, for example `de`. */
  locale: Scalars['String']['input'];
  /** Translated name, at most 255 code points. */
  name?: InputMaybe<Scalars['String']['input']>;
};

/** A product in another language. */
export type ProductTranslation = {
  __typename?: 'ProductTranslation';
  /** Translated text about the product. */
  description?: Maybe<Scalars['String']['output']>;
  /** Language of the translation, for example `de`. */
  locale: Scalars['String']['output'];
  /** Translated name. */
  name?: Maybe<Scalars['String']['output']>;
};

/** A product in another language, to be saved. */
export type ProductTranslationInput = {
  /** Translated text about the product, at most 65,536 code points. */
  description?: InputMaybe<Scalars['String']['input']>;
  /** Language of the translation, for example `de`. */
  locale: Scalars['String']['input'];
  /** Translated name, at most 255 code points. */
  name?: InputMaybe<Scalars['String']['input']>;
};

/** Kinds of products. */
export type ProductTypeEnum =
  /** Several products sold as one. */
  | 'BUNDLE'
  /** Something that is downloaded. */
  | 'DIGITAL'
  /** A membership. */
  | 'MEMBERSHIP'
  /** Something that is shipped. */
  | 'PHYSICAL'
  /** Something delivered again and again. */
  | 'SUBSCRIPTION';

/** Units in which the contents of a product are measured. */
export type ProductUnitTypeEnum =
  /** A hundredth of a liter. */
  | 'CENTILITER'
  /** A hundredth of a meter. */
  | 'CENTIMETER'
  /** A meter cubed. */
  | 'CUBIC_METERS'
  /** A unit of the merchant's own. */
  | 'CUSTOM'
  /** A thousandth of a kilogram. */
  | 'GRAM'
  /** 1,000 grams. */
  | 'KILOGRAM'
  /** 1,000 milliliters. */
  | 'LITER'
  /** 100 centimeters. */
  | 'METER'
  /** A thousandth of a gram. */
  | 'MILLIGRAM'
  /** A thousandth of a liter. */
  | 'MILLILITER'
  /** A thousandth of a meter. */
  | 'MILLIMETER'
  /** A meter squared. */
  | 'SQUARE_METERS';

/**
 * A property by which the variants of a product differ, for example a size or a color, with its values.
 * On a product it also tells how the product uses it.
 */
export type ProductVariantType = {
  __typename?: 'ProductVariantType';
  /** When the variant type was created. */
  createdAt?: Maybe<Scalars['Timestamp']['output']>;
  /** True when the variant type is deleted. */
  deleted: Scalars['Boolean']['output'];
  /** Identifier, made by the service. */
  id: Scalars['ID']['output'];
  /** Name of the variant type, unique among the merchant's variant types that are not deleted. */
  name: Scalars['String']['output'];
  /** On a product: place among the product's variant types, the lowest first. Elsewhere null. */
  order?: Maybe<Scalars['Float']['output']>;
  /** How shoppers pick a value. */
  selectionType: VariantSelectionTypeEnum;
  /** Translations of the name and of the values' names. */
  translations?: Maybe<Array<VariantTypeTranslation>>;
  /** When the variant type was last changed. */
  updatedAt?: Maybe<Scalars['Timestamp']['output']>;
  /** All values of the variant type, for example S, M and L, in the order they were saved in. */
  values: Array<VariantValue>;
  /** The same as `id`. */
  variantTypeId: Scalars['String']['output'];
  /** On a product: ids of the values the product uses. Elsewhere: ids of all values. */
  variantValueIds?: Maybe<Array<Scalars['String']['output']>>;
};

/** A product's use of a variant type, to be saved. */
export type ProductVariantTypeInput = {
  /** Place among the product's variant types, the lowest first. Keeps 15 digits. */
  order: Scalars['Float']['input'];
  /** Id of the variant type, which must exist. */
  variantTypeId: Scalars['String']['input'];
  /** Ids of the values the product uses, which must belong to the variant type. */
  variantValueIds: Array<Scalars['String']['input']>;
};

/**
 * Operations that read. They see the data of the access token's merchant only: the id of another
 * merchant answers exactly like an id that does not exist.
 *
 * An answer has at most 16 MiB. A larger one is ARGUMENT_VALIDATION_ERROR, which says how many bytes it
 * would have: lower `pagination.limit`, or select fewer fields. A page of 200 products with the longest
 * texts is larger. The answer of a mutation has at most 500,000 values, and so has that of a document with
 * several operations or with `__typename` at its root. A mutation whose answer would be larger changes nothing.
 *
 * A query whose statement takes too long in the database is stopped and answered with TIMEOUT: ask for
 * less.
 *
 * A request costs points, computed from its document and variables before anything is executed: `@cost` and
 * `@listSize` say how. A request of more than 100,000 points is ARGUMENT_VALIDATION_ERROR naming the dearest
 * field, with `field`, `fieldCost`, `requestedQueryCost` and `maximumQueryCost` in `extensions`. All fields of
 * 200 products are a fifth of it, a search with facets is a quarter.
 *
 * The requests of one app share a bucket of points that fills at a steady rate, by default 50,000,000 points a
 * second up to 500,000,000. A request that costs more than the bucket holds is RATE_LIMITED with HTTP status 429,
 * and the headers `Retry-After`, `RateLimit` and `RateLimit-Policy` say when to send it again.
 *
 * With the header `X-Request-Cost: true` an answer has `extensions.cost`: `requestedQueryCost`, what was computed
 * and taken from the bucket; `actualQueryCost`, the same with the sizes of the lists that were answered, or null
 * where nothing was; and `throttleStatus` with `maximumAvailable`, `currentlyAvailable` and `restoreRate` of the
 * bucket, or null where there is none.
 */
export type Query = {
  __typename?: 'Query';
  /**
   * The app the access token belongs to, as it is authorized for the merchant. Needs a valid token and no
   * scope.
   */
  getAuthorizedApp?: Maybe<AuthorizedApp>;
  /**
   * What became of a bulk request. Null when the merchant has none with this id. Needs the scope
   * `read_products`.
   */
  getBulkOperation?: Maybe<BulkOperation>;
  /**
   * The merchant of the access token: contact, address and personal information. Needs a valid token and
   * no scope.
   */
  getMerchant?: Maybe<MerchantResponse>;
  /**
   * Lists categories, newest first, ties by id. Conditions given together all have to hold.
   * A bad page or limit is ARGUMENT_VALIDATION_ERROR. Needs the scope `read_products`.
   */
  listCategory: Array<Category>;
  /**
   * Lists customers. Conditions given together all have to hold. Bad pages and limits and an unknown sort
   * field are ARGUMENT_VALIDATION_ERROR. Needs the scope `read_customers`.
   */
  listCustomer: CustomerPaginationResponse;
  /**
   * Lists price lists, newest first, ties by id. Conditions given together all have to hold. The prices
   * themselves stand on the variants. A bad page or limit is ARGUMENT_VALIDATION_ERROR. Needs the scope
   * `read_products`.
   */
  listPriceList: Array<PriceList>;
  /**
   * Lists products. Conditions given together all have to hold. Those on variants (sku, barcodeList,
   * variantStockLocationId, variantTypeId) hold when any variant of the product matches; their `ne` and
   * `nin` hold when none does. Bad pages and limits and an unknown sort field are
   * ARGUMENT_VALIDATION_ERROR. Needs the scope `read_products`.
   */
  listProduct: ProductPaginationResponse;
  /**
   * Lists product attributes with their options, newest first, ties by id. Conditions given together all
   * have to hold. A bad page or limit is ARGUMENT_VALIDATION_ERROR. Needs the scope `read_products`.
   */
  listProductAttribute: Array<ProductAttribute>;
  /**
   * Lists product brands, newest first, ties by id. Conditions given together all have to hold.
   * A bad page or limit is ARGUMENT_VALIDATION_ERROR. Needs the scope `read_products`.
   */
  listProductBrand: Array<ProductBrand>;
  /**
   * Lists stock counts. Conditions given together all have to hold. Counts stay in the list when their
   * product, variant or stock location is deleted. Bad pages and limits and an unknown sort field are
   * ARGUMENT_VALIDATION_ERROR. Needs the scope `read_inventories`.
   */
  listProductStockLocation: ProductStockLocationPaginationResponse;
  /**
   * Lists product tags, newest first, ties by id. Conditions given together all have to hold.
   * A bad page or limit is ARGUMENT_VALIDATION_ERROR. Needs the scope `read_products`.
   */
  listProductTag: Array<ProductTag>;
  /**
   * Lists sales channels, newest first, ties by id. Conditions given together all have to hold.
   * A bad page or limit is ARGUMENT_VALIDATION_ERROR. Needs the scope `read_products`.
   */
  listSalesChannel: Array<SalesChannel>;
  /**
   * Lists stock locations, newest first, ties by id. Conditions given together all have to hold.
   * A bad page or limit is ARGUMENT_VALIDATION_ERROR. Needs the scope `read_inventories`.
   */
  listStockLocation: Array<StockLocation>;
  /**
   * Lists variant types with their values, newest first, ties by id. Conditions given together all have to
   * hold. A bad page or limit is ARGUMENT_VALIDATION_ERROR. Needs the scope `read_products`.
   */
  listVariantType: Array<ProductVariantType>;
  /** Lists the webhooks of the app, newest first, paused ones too. Needs a valid token and no scope. */
  listWebhook: Array<Webhook>;
  /**
   * Lists deliveries of the app's webhooks, in the order in which they were recorded, the latest first.
   * Those that were delivered are kept for 30 days, others for 90. Conditions given together all have to
   * hold. Needs a valid token, and shows only deliveries whose resource the token may read: `read_customers`
   * for `store/customer/*`, `read_products` for `store/product/*`, `read_inventories` for `store/stock/*`. A
   * scope named by `eq` or `in` that the token may not read is UNAUTHORIZED. A bad page or limit is
   * ARGUMENT_VALIDATION_ERROR.
   */
  listWebhookDelivery: WebhookDeliveryPaginationResponse;
  /**
   * The caller: the authorized app with its name and e-mail address, and the scopes of the access token, as
   * they were at most a second ago. Needs a valid token and no scope.
   */
  me?: Maybe<MeResponse>;
  /**
   * Searches products. All members of the input that are given have to hold; none finds all products. The
   * most relevant come first, an exact sku or barcode before everything; a word of the name counts more than
   * one of a brand or tag name, and that more than one of the description. Products that are alike in this come in
   * the reverse order of their ids, which is the newest first; without `query` all come in the order of
   * `-createdAt`. Deleted products are not found. A change of a product is found within a second: a search waits for the last
   * 500 changes of the merchant's, after larger ones it may be behind. `listProduct` never is. A bad page or limit is ARGUMENT_VALIDATION_ERROR. Needs the
   * scope `read_products`.
   */
  searchProducts: ProductSearchResponse;
};


/**
 * Operations that read. They see the data of the access token's merchant only: the id of another
 * merchant answers exactly like an id that does not exist.
 *
 * An answer has at most 16 MiB. A larger one is ARGUMENT_VALIDATION_ERROR, which says how many bytes it
 * would have: lower `pagination.limit`, or select fewer fields. A page of 200 products with the longest
 * texts is larger. The answer of a mutation has at most 500,000 values, and so has that of a document with
 * several operations or with `__typename` at its root. A mutation whose answer would be larger changes nothing.
 *
 * A query whose statement takes too long in the database is stopped and answered with TIMEOUT: ask for
 * less.
 *
 * A request costs points, computed from its document and variables before anything is executed: `@cost` and
 * `@listSize` say how. A request of more than 100,000 points is ARGUMENT_VALIDATION_ERROR naming the dearest
 * field, with `field`, `fieldCost`, `requestedQueryCost` and `maximumQueryCost` in `extensions`. All fields of
 * 200 products are a fifth of it, a search with facets is a quarter.
 *
 * The requests of one app share a bucket of points that fills at a steady rate, by default 50,000,000 points a
 * second up to 500,000,000. A request that costs more than the bucket holds is RATE_LIMITED with HTTP status 429,
 * and the headers `Retry-After`, `RateLimit` and `RateLimit-Policy` say when to send it again.
 *
 * With the header `X-Request-Cost: true` an answer has `extensions.cost`: `requestedQueryCost`, what was computed
 * and taken from the bucket; `actualQueryCost`, the same with the sizes of the lists that were answered, or null
 * where nothing was; and `throttleStatus` with `maximumAvailable`, `currentlyAvailable` and `restoreRate` of the
 * bucket, or null where there is none.
 */
export type QueryGetBulkOperationArgs = {
  id: Scalars['ID']['input'];
};


/**
 * Operations that read. They see the data of the access token's merchant only: the id of another
 * merchant answers exactly like an id that does not exist.
 *
 * An answer has at most 16 MiB. A larger one is ARGUMENT_VALIDATION_ERROR, which says how many bytes it
 * would have: lower `pagination.limit`, or select fewer fields. A page of 200 products with the longest
 * texts is larger. The answer of a mutation has at most 500,000 values, and so has that of a document with
 * several operations or with `__typename` at its root. A mutation whose answer would be larger changes nothing.
 *
 * A query whose statement takes too long in the database is stopped and answered with TIMEOUT: ask for
 * less.
 *
 * A request costs points, computed from its document and variables before anything is executed: `@cost` and
 * `@listSize` say how. A request of more than 100,000 points is ARGUMENT_VALIDATION_ERROR naming the dearest
 * field, with `field`, `fieldCost`, `requestedQueryCost` and `maximumQueryCost` in `extensions`. All fields of
 * 200 products are a fifth of it, a search with facets is a quarter.
 *
 * The requests of one app share a bucket of points that fills at a steady rate, by default 50,000,000 points a
 * second up to 500,000,000. A request that costs more than the bucket holds is RATE_LIMITED with HTTP status 429,
 * and the headers `Retry-After`, `RateLimit` and `RateLimit-Policy` say when to send it again.
 *
 * With the header `X-Request-Cost: true` an answer has `extensions.cost`: `requestedQueryCost`, what was computed
 * and taken from the bucket; `actualQueryCost`, the same with the sizes of the lists that were answered, or null
 * where nothing was; and `throttleStatus` with `maximumAvailable`, `currentlyAvailable` and `restoreRate` of the
 * bucket, or null where there is none.
 */
export type QueryListCategoryArgs = {
  categoryPath?: InputMaybe<CategoryPathFilterInput>;
  id?: InputMaybe<StringFilterInput>;
  includeDeleted?: InputMaybe<Scalars['Boolean']['input']>;
  name?: InputMaybe<StringFilterInput>;
  pagination?: InputMaybe<PaginationInput>;
  search?: InputMaybe<Scalars['String']['input']>;
  updatedAt?: InputMaybe<DateFilterInput>;
};


/**
 * Operations that read. They see the data of the access token's merchant only: the id of another
 * merchant answers exactly like an id that does not exist.
 *
 * An answer has at most 16 MiB. A larger one is ARGUMENT_VALIDATION_ERROR, which says how many bytes it
 * would have: lower `pagination.limit`, or select fewer fields. A page of 200 products with the longest
 * texts is larger. The answer of a mutation has at most 500,000 values, and so has that of a document with
 * several operations or with `__typename` at its root. A mutation whose answer would be larger changes nothing.
 *
 * A query whose statement takes too long in the database is stopped and answered with TIMEOUT: ask for
 * less.
 *
 * A request costs points, computed from its document and variables before anything is executed: `@cost` and
 * `@listSize` say how. A request of more than 100,000 points is ARGUMENT_VALIDATION_ERROR naming the dearest
 * field, with `field`, `fieldCost`, `requestedQueryCost` and `maximumQueryCost` in `extensions`. All fields of
 * 200 products are a fifth of it, a search with facets is a quarter.
 *
 * The requests of one app share a bucket of points that fills at a steady rate, by default 50,000,000 points a
 * second up to 500,000,000. A request that costs more than the bucket holds is RATE_LIMITED with HTTP status 429,
 * and the headers `Retry-After`, `RateLimit` and `RateLimit-Policy` say when to send it again.
 *
 * With the header `X-Request-Cost: true` an answer has `extensions.cost`: `requestedQueryCost`, what was computed
 * and taken from the bucket; `actualQueryCost`, the same with the sizes of the lists that were answered, or null
 * where nothing was; and `throttleStatus` with `maximumAvailable`, `currentlyAvailable` and `restoreRate` of the
 * bucket, or null where there is none.
 */
export type QueryListCustomerArgs = {
  email?: InputMaybe<StringFilterInput>;
  id?: InputMaybe<StringFilterInput>;
  includeDeleted?: InputMaybe<Scalars['Boolean']['input']>;
  merchantId?: InputMaybe<StringFilterInput>;
  pagination?: InputMaybe<PaginationInput>;
  phone?: InputMaybe<StringFilterInput>;
  search?: InputMaybe<Scalars['String']['input']>;
  sort?: InputMaybe<Scalars['String']['input']>;
  updatedAt?: InputMaybe<DateFilterInput>;
};


/**
 * Operations that read. They see the data of the access token's merchant only: the id of another
 * merchant answers exactly like an id that does not exist.
 *
 * An answer has at most 16 MiB. A larger one is ARGUMENT_VALIDATION_ERROR, which says how many bytes it
 * would have: lower `pagination.limit`, or select fewer fields. A page of 200 products with the longest
 * texts is larger. The answer of a mutation has at most 500,000 values, and so has that of a document with
 * several operations or with `__typename` at its root. A mutation whose answer would be larger changes nothing.
 *
 * A query whose statement takes too long in the database is stopped and answered with TIMEOUT: ask for
 * less.
 *
 * A request costs points, computed from its document and variables before anything is executed: `@cost` and
 * `@listSize` say how. A request of more than 100,000 points is ARGUMENT_VALIDATION_ERROR naming the dearest
 * field, with `field`, `fieldCost`, `requestedQueryCost` and `maximumQueryCost` in `extensions`. All fields of
 * 200 products are a fifth of it, a search with facets is a quarter.
 *
 * The requests of one app share a bucket of points that fills at a steady rate, by default 50,000,000 points a
 * second up to 500,000,000. A request that costs more than the bucket holds is RATE_LIMITED with HTTP status 429,
 * and the headers `Retry-After`, `RateLimit` and `RateLimit-Policy` say when to send it again.
 *
 * With the header `X-Request-Cost: true` an answer has `extensions.cost`: `requestedQueryCost`, what was computed
 * and taken from the bucket; `actualQueryCost`, the same with the sizes of the lists that were answered, or null
 * where nothing was; and `throttleStatus` with `maximumAvailable`, `currentlyAvailable` and `restoreRate` of the
 * bucket, or null where there is none.
 */
export type QueryListPriceListArgs = {
  id?: InputMaybe<StringFilterInput>;
  includeDeleted?: InputMaybe<Scalars['Boolean']['input']>;
  name?: InputMaybe<StringFilterInput>;
  pagination?: InputMaybe<PaginationInput>;
  updatedAt?: InputMaybe<DateFilterInput>;
};


/**
 * Operations that read. They see the data of the access token's merchant only: the id of another
 * merchant answers exactly like an id that does not exist.
 *
 * An answer has at most 16 MiB. A larger one is ARGUMENT_VALIDATION_ERROR, which says how many bytes it
 * would have: lower `pagination.limit`, or select fewer fields. A page of 200 products with the longest
 * texts is larger. The answer of a mutation has at most 500,000 values, and so has that of a document with
 * several operations or with `__typename` at its root. A mutation whose answer would be larger changes nothing.
 *
 * A query whose statement takes too long in the database is stopped and answered with TIMEOUT: ask for
 * less.
 *
 * A request costs points, computed from its document and variables before anything is executed: `@cost` and
 * `@listSize` say how. A request of more than 100,000 points is ARGUMENT_VALIDATION_ERROR naming the dearest
 * field, with `field`, `fieldCost`, `requestedQueryCost` and `maximumQueryCost` in `extensions`. All fields of
 * 200 products are a fifth of it, a search with facets is a quarter.
 *
 * The requests of one app share a bucket of points that fills at a steady rate, by default 50,000,000 points a
 * second up to 500,000,000. A request that costs more than the bucket holds is RATE_LIMITED with HTTP status 429,
 * and the headers `Retry-After`, `RateLimit` and `RateLimit-Policy` say when to send it again.
 *
 * With the header `X-Request-Cost: true` an answer has `extensions.cost`: `requestedQueryCost`, what was computed
 * and taken from the bucket; `actualQueryCost`, the same with the sizes of the lists that were answered, or null
 * where nothing was; and `throttleStatus` with `maximumAvailable`, `currentlyAvailable` and `restoreRate` of the
 * bucket, or null where there is none.
 */
export type QueryListProductArgs = {
  attributeId?: InputMaybe<ProductAttributeFilterInput>;
  barcodeList?: InputMaybe<StringFilterInput>;
  brandId?: InputMaybe<StringFilterInput>;
  bundleProductsProductId?: InputMaybe<StringFilterInput>;
  categoryIds?: InputMaybe<CategoryFilterInput>;
  id?: InputMaybe<StringFilterInput>;
  includeDeleted?: InputMaybe<Scalars['Boolean']['input']>;
  name?: InputMaybe<StringFilterInput>;
  pagination?: InputMaybe<PaginationInput>;
  salesChannelIds?: InputMaybe<StringFilterInput>;
  search?: InputMaybe<Scalars['String']['input']>;
  sku?: InputMaybe<StringFilterInput>;
  sort?: InputMaybe<Scalars['String']['input']>;
  tagIds?: InputMaybe<StringFilterInput>;
  updatedAt?: InputMaybe<DateFilterInput>;
  variantStockLocationId?: InputMaybe<StringFilterInput>;
  variantTypeId?: InputMaybe<StringFilterInput>;
  vendorId?: InputMaybe<StringFilterInput>;
};


/**
 * Operations that read. They see the data of the access token's merchant only: the id of another
 * merchant answers exactly like an id that does not exist.
 *
 * An answer has at most 16 MiB. A larger one is ARGUMENT_VALIDATION_ERROR, which says how many bytes it
 * would have: lower `pagination.limit`, or select fewer fields. A page of 200 products with the longest
 * texts is larger. The answer of a mutation has at most 500,000 values, and so has that of a document with
 * several operations or with `__typename` at its root. A mutation whose answer would be larger changes nothing.
 *
 * A query whose statement takes too long in the database is stopped and answered with TIMEOUT: ask for
 * less.
 *
 * A request costs points, computed from its document and variables before anything is executed: `@cost` and
 * `@listSize` say how. A request of more than 100,000 points is ARGUMENT_VALIDATION_ERROR naming the dearest
 * field, with `field`, `fieldCost`, `requestedQueryCost` and `maximumQueryCost` in `extensions`. All fields of
 * 200 products are a fifth of it, a search with facets is a quarter.
 *
 * The requests of one app share a bucket of points that fills at a steady rate, by default 50,000,000 points a
 * second up to 500,000,000. A request that costs more than the bucket holds is RATE_LIMITED with HTTP status 429,
 * and the headers `Retry-After`, `RateLimit` and `RateLimit-Policy` say when to send it again.
 *
 * With the header `X-Request-Cost: true` an answer has `extensions.cost`: `requestedQueryCost`, what was computed
 * and taken from the bucket; `actualQueryCost`, the same with the sizes of the lists that were answered, or null
 * where nothing was; and `throttleStatus` with `maximumAvailable`, `currentlyAvailable` and `restoreRate` of the
 * bucket, or null where there is none.
 */
export type QueryListProductAttributeArgs = {
  id?: InputMaybe<StringFilterInput>;
  includeDeleted?: InputMaybe<Scalars['Boolean']['input']>;
  name?: InputMaybe<StringFilterInput>;
  pagination?: InputMaybe<PaginationInput>;
  updatedAt?: InputMaybe<DateFilterInput>;
};


/**
 * Operations that read. They see the data of the access token's merchant only: the id of another
 * merchant answers exactly like an id that does not exist.
 *
 * An answer has at most 16 MiB. A larger one is ARGUMENT_VALIDATION_ERROR, which says how many bytes it
 * would have: lower `pagination.limit`, or select fewer fields. A page of 200 products with the longest
 * texts is larger. The answer of a mutation has at most 500,000 values, and so has that of a document with
 * several operations or with `__typename` at its root. A mutation whose answer would be larger changes nothing.
 *
 * A query whose statement takes too long in the database is stopped and answered with TIMEOUT: ask for
 * less.
 *
 * A request costs points, computed from its document and variables before anything is executed: `@cost` and
 * `@listSize` say how. A request of more than 100,000 points is ARGUMENT_VALIDATION_ERROR naming the dearest
 * field, with `field`, `fieldCost`, `requestedQueryCost` and `maximumQueryCost` in `extensions`. All fields of
 * 200 products are a fifth of it, a search with facets is a quarter.
 *
 * The requests of one app share a bucket of points that fills at a steady rate, by default 50,000,000 points a
 * second up to 500,000,000. A request that costs more than the bucket holds is RATE_LIMITED with HTTP status 429,
 * and the headers `Retry-After`, `RateLimit` and `RateLimit-Policy` say when to send it again.
 *
 * With the header `X-Request-Cost: true` an answer has `extensions.cost`: `requestedQueryCost`, what was computed
 * and taken from the bucket; `actualQueryCost`, the same with the sizes of the lists that were answered, or null
 * where nothing was; and `throttleStatus` with `maximumAvailable`, `currentlyAvailable` and `restoreRate` of the
 * bucket, or null where there is none.
 */
export type QueryListProductBrandArgs = {
  id?: InputMaybe<StringFilterInput>;
  includeDeleted?: InputMaybe<Scalars['Boolean']['input']>;
  name?: InputMaybe<StringFilterInput>;
  pagination?: InputMaybe<PaginationInput>;
  search?: InputMaybe<Scalars['String']['input']>;
  updatedAt?: InputMaybe<DateFilterInput>;
};


/**
 * Operations that read. They see the data of the access token's merchant only: the id of another
 * merchant answers exactly like an id that does not exist.
 *
 * An answer has at most 16 MiB. A larger one is ARGUMENT_VALIDATION_ERROR, which says how many bytes it
 * would have: lower `pagination.limit`, or select fewer fields. A page of 200 products with the longest
 * texts is larger. The answer of a mutation has at most 500,000 values, and so has that of a document with
 * several operations or with `__typename` at its root. A mutation whose answer would be larger changes nothing.
 *
 * A query whose statement takes too long in the database is stopped and answered with TIMEOUT: ask for
 * less.
 *
 * A request costs points, computed from its document and variables before anything is executed: `@cost` and
 * `@listSize` say how. A request of more than 100,000 points is ARGUMENT_VALIDATION_ERROR naming the dearest
 * field, with `field`, `fieldCost`, `requestedQueryCost` and `maximumQueryCost` in `extensions`. All fields of
 * 200 products are a fifth of it, a search with facets is a quarter.
 *
 * The requests of one app share a bucket of points that fills at a steady rate, by default 50,000,000 points a
 * second up to 500,000,000. A request that costs more than the bucket holds is RATE_LIMITED with HTTP status 429,
 * and the headers `Retry-After`, `RateLimit` and `RateLimit-Policy` say when to send it again.
 *
 * With the header `X-Request-Cost: true` an answer has `extensions.cost`: `requestedQueryCost`, what was computed
 * and taken from the bucket; `actualQueryCost`, the same with the sizes of the lists that were answered, or null
 * where nothing was; and `throttleStatus` with `maximumAvailable`, `currentlyAvailable` and `restoreRate` of the
 * bucket, or null where there is none.
 */
export type QueryListProductStockLocationArgs = {
  id?: InputMaybe<StringFilterInput>;
  pagination?: InputMaybe<PaginationInput>;
  productId?: InputMaybe<StringFilterInput>;
  sort?: InputMaybe<Scalars['String']['input']>;
  stockLocationId?: InputMaybe<StringFilterInput>;
  updatedAt?: InputMaybe<DateFilterInput>;
  variantId?: InputMaybe<StringFilterInput>;
};


/**
 * Operations that read. They see the data of the access token's merchant only: the id of another
 * merchant answers exactly like an id that does not exist.
 *
 * An answer has at most 16 MiB. A larger one is ARGUMENT_VALIDATION_ERROR, which says how many bytes it
 * would have: lower `pagination.limit`, or select fewer fields. A page of 200 products with the longest
 * texts is larger. The answer of a mutation has at most 500,000 values, and so has that of a document with
 * several operations or with `__typename` at its root. A mutation whose answer would be larger changes nothing.
 *
 * A query whose statement takes too long in the database is stopped and answered with TIMEOUT: ask for
 * less.
 *
 * A request costs points, computed from its document and variables before anything is executed: `@cost` and
 * `@listSize` say how. A request of more than 100,000 points is ARGUMENT_VALIDATION_ERROR naming the dearest
 * field, with `field`, `fieldCost`, `requestedQueryCost` and `maximumQueryCost` in `extensions`. All fields of
 * 200 products are a fifth of it, a search with facets is a quarter.
 *
 * The requests of one app share a bucket of points that fills at a steady rate, by default 50,000,000 points a
 * second up to 500,000,000. A request that costs more than the bucket holds is RATE_LIMITED with HTTP status 429,
 * and the headers `Retry-After`, `RateLimit` and `RateLimit-Policy` say when to send it again.
 *
 * With the header `X-Request-Cost: true` an answer has `extensions.cost`: `requestedQueryCost`, what was computed
 * and taken from the bucket; `actualQueryCost`, the same with the sizes of the lists that were answered, or null
 * where nothing was; and `throttleStatus` with `maximumAvailable`, `currentlyAvailable` and `restoreRate` of the
 * bucket, or null where there is none.
 */
export type QueryListProductTagArgs = {
  id?: InputMaybe<StringFilterInput>;
  includeDeleted?: InputMaybe<Scalars['Boolean']['input']>;
  name?: InputMaybe<StringFilterInput>;
  pagination?: InputMaybe<PaginationInput>;
  search?: InputMaybe<Scalars['String']['input']>;
  updatedAt?: InputMaybe<DateFilterInput>;
};


/**
 * Operations that read. They see the data of the access token's merchant only: the id of another
 * merchant answers exactly like an id that does not exist.
 *
 * An answer has at most 16 MiB. A larger one is ARGUMENT_VALIDATION_ERROR, which says how many bytes it
 * would have: lower `pagination.limit`, or select fewer fields. A page of 200 products with the longest
 * texts is larger. The answer of a mutation has at most 500,000 values, and so has that of a document with
 * several operations or with `__typename` at its root. A mutation whose answer would be larger changes nothing.
 *
 * A query whose statement takes too long in the database is stopped and answered with TIMEOUT: ask for
 * less.
 *
 * A request costs points, computed from its document and variables before anything is executed: `@cost` and
 * `@listSize` say how. A request of more than 100,000 points is ARGUMENT_VALIDATION_ERROR naming the dearest
 * field, with `field`, `fieldCost`, `requestedQueryCost` and `maximumQueryCost` in `extensions`. All fields of
 * 200 products are a fifth of it, a search with facets is a quarter.
 *
 * The requests of one app share a bucket of points that fills at a steady rate, by default 50,000,000 points a
 * second up to 500,000,000. A request that costs more than the bucket holds is RATE_LIMITED with HTTP status 429,
 * and the headers `Retry-After`, `RateLimit` and `RateLimit-Policy` say when to send it again.
 *
 * With the header `X-Request-Cost: true` an answer has `extensions.cost`: `requestedQueryCost`, what was computed
 * and taken from the bucket; `actualQueryCost`, the same with the sizes of the lists that were answered, or null
 * where nothing was; and `throttleStatus` with `maximumAvailable`, `currentlyAvailable` and `restoreRate` of the
 * bucket, or null where there is none.
 */
export type QueryListSalesChannelArgs = {
  id?: InputMaybe<StringFilterInput>;
  includeDeleted?: InputMaybe<Scalars['Boolean']['input']>;
  name?: InputMaybe<StringFilterInput>;
  pagination?: InputMaybe<PaginationInput>;
  updatedAt?: InputMaybe<DateFilterInput>;
};


/**
 * Operations that read. They see the data of the access token's merchant only: the id of another
 * merchant answers exactly like an id that does not exist.
 *
 * An answer has at most 16 MiB. A larger one is ARGUMENT_VALIDATION_ERROR, which says how many bytes it
 * would have: lower `pagination.limit`, or select fewer fields. A page of 200 products with the longest
 * texts is larger. The answer of a mutation has at most 500,000 values, and so has that of a document with
 * several operations or with `__typename` at its root. A mutation whose answer would be larger changes nothing.
 *
 * A query whose statement takes too long in the database is stopped and answered with TIMEOUT: ask for
 * less.
 *
 * A request costs points, computed from its document and variables before anything is executed: `@cost` and
 * `@listSize` say how. A request of more than 100,000 points is ARGUMENT_VALIDATION_ERROR naming the dearest
 * field, with `field`, `fieldCost`, `requestedQueryCost` and `maximumQueryCost` in `extensions`. All fields of
 * 200 products are a fifth of it, a search with facets is a quarter.
 *
 * The requests of one app share a bucket of points that fills at a steady rate, by default 50,000,000 points a
 * second up to 500,000,000. A request that costs more than the bucket holds is RATE_LIMITED with HTTP status 429,
 * and the headers `Retry-After`, `RateLimit` and `RateLimit-Policy` say when to send it again.
 *
 * With the header `X-Request-Cost: true` an answer has `extensions.cost`: `requestedQueryCost`, what was computed
 * and taken from the bucket; `actualQueryCost`, the same with the sizes of the lists that were answered, or null
 * where nothing was; and `throttleStatus` with `maximumAvailable`, `currentlyAvailable` and `restoreRate` of the
 * bucket, or null where there is none.
 */
export type QueryListStockLocationArgs = {
  id?: InputMaybe<StringFilterInput>;
  includeDeleted?: InputMaybe<Scalars['Boolean']['input']>;
  name?: InputMaybe<StringFilterInput>;
  pagination?: InputMaybe<PaginationInput>;
  updatedAt?: InputMaybe<DateFilterInput>;
};


/**
 * Operations that read. They see the data of the access token's merchant only: the id of another
 * merchant answers exactly like an id that does not exist.
 *
 * An answer has at most 16 MiB. A larger one is ARGUMENT_VALIDATION_ERROR, which says how many bytes it
 * would have: lower `pagination.limit`, or select fewer fields. A page of 200 products with the longest
 * texts is larger. The answer of a mutation has at most 500,000 values, and so has that of a document with
 * several operations or with `__typename` at its root. A mutation whose answer would be larger changes nothing.
 *
 * A query whose statement takes too long in the database is stopped and answered with TIMEOUT: ask for
 * less.
 *
 * A request costs points, computed from its document and variables before anything is executed: `@cost` and
 * `@listSize` say how. A request of more than 100,000 points is ARGUMENT_VALIDATION_ERROR naming the dearest
 * field, with `field`, `fieldCost`, `requestedQueryCost` and `maximumQueryCost` in `extensions`. All fields of
 * 200 products are a fifth of it, a search with facets is a quarter.
 *
 * The requests of one app share a bucket of points that fills at a steady rate, by default 50,000,000 points a
 * second up to 500,000,000. A request that costs more than the bucket holds is RATE_LIMITED with HTTP status 429,
 * and the headers `Retry-After`, `RateLimit` and `RateLimit-Policy` say when to send it again.
 *
 * With the header `X-Request-Cost: true` an answer has `extensions.cost`: `requestedQueryCost`, what was computed
 * and taken from the bucket; `actualQueryCost`, the same with the sizes of the lists that were answered, or null
 * where nothing was; and `throttleStatus` with `maximumAvailable`, `currentlyAvailable` and `restoreRate` of the
 * bucket, or null where there is none.
 */
export type QueryListVariantTypeArgs = {
  id?: InputMaybe<StringFilterInput>;
  includeDeleted?: InputMaybe<Scalars['Boolean']['input']>;
  name?: InputMaybe<StringFilterInput>;
  pagination?: InputMaybe<PaginationInput>;
  updatedAt?: InputMaybe<DateFilterInput>;
};


/**
 * Operations that read. They see the data of the access token's merchant only: the id of another
 * merchant answers exactly like an id that does not exist.
 *
 * An answer has at most 16 MiB. A larger one is ARGUMENT_VALIDATION_ERROR, which says how many bytes it
 * would have: lower `pagination.limit`, or select fewer fields. A page of 200 products with the longest
 * texts is larger. The answer of a mutation has at most 500,000 values, and so has that of a document with
 * several operations or with `__typename` at its root. A mutation whose answer would be larger changes nothing.
 *
 * A query whose statement takes too long in the database is stopped and answered with TIMEOUT: ask for
 * less.
 *
 * A request costs points, computed from its document and variables before anything is executed: `@cost` and
 * `@listSize` say how. A request of more than 100,000 points is ARGUMENT_VALIDATION_ERROR naming the dearest
 * field, with `field`, `fieldCost`, `requestedQueryCost` and `maximumQueryCost` in `extensions`. All fields of
 * 200 products are a fifth of it, a search with facets is a quarter.
 *
 * The requests of one app share a bucket of points that fills at a steady rate, by default 50,000,000 points a
 * second up to 500,000,000. A request that costs more than the bucket holds is RATE_LIMITED with HTTP status 429,
 * and the headers `Retry-After`, `RateLimit` and `RateLimit-Policy` say when to send it again.
 *
 * With the header `X-Request-Cost: true` an answer has `extensions.cost`: `requestedQueryCost`, what was computed
 * and taken from the bucket; `actualQueryCost`, the same with the sizes of the lists that were answered, or null
 * where nothing was; and `throttleStatus` with `maximumAvailable`, `currentlyAvailable` and `restoreRate` of the
 * bucket, or null where there is none.
 */
export type QueryListWebhookDeliveryArgs = {
  createdAt?: InputMaybe<DateFilterInput>;
  pagination?: InputMaybe<PaginationInput>;
  scope?: InputMaybe<StringFilterInput>;
  status?: InputMaybe<WebhookDeliveryStatusEnum>;
};


/**
 * Operations that read. They see the data of the access token's merchant only: the id of another
 * merchant answers exactly like an id that does not exist.
 *
 * An answer has at most 16 MiB. A larger one is ARGUMENT_VALIDATION_ERROR, which says how many bytes it
 * would have: lower `pagination.limit`, or select fewer fields. A page of 200 products with the longest
 * texts is larger. The answer of a mutation has at most 500,000 values, and so has that of a document with
 * several operations or with `__typename` at its root. A mutation whose answer would be larger changes nothing.
 *
 * A query whose statement takes too long in the database is stopped and answered with TIMEOUT: ask for
 * less.
 *
 * A request costs points, computed from its document and variables before anything is executed: `@cost` and
 * `@listSize` say how. A request of more than 100,000 points is ARGUMENT_VALIDATION_ERROR naming the dearest
 * field, with `field`, `fieldCost`, `requestedQueryCost` and `maximumQueryCost` in `extensions`. All fields of
 * 200 products are a fifth of it, a search with facets is a quarter.
 *
 * The requests of one app share a bucket of points that fills at a steady rate, by default 50,000,000 points a
 * second up to 500,000,000. A request that costs more than the bucket holds is RATE_LIMITED with HTTP status 429,
 * and the headers `Retry-After`, `RateLimit` and `RateLimit-Policy` say when to send it again.
 *
 * With the header `X-Request-Cost: true` an answer has `extensions.cost`: `requestedQueryCost`, what was computed
 * and taken from the bucket; `actualQueryCost`, the same with the sizes of the lists that were answered, or null
 * where nothing was; and `throttleStatus` with `maximumAvailable`, `currentlyAvailable` and `restoreRate` of the
 * bucket, or null where there is none.
 */
export type QuerySearchProductsArgs = {
  input: SearchInput;
};

/** A way by which the merchant sells, for example a storefront or a till. */
export type SalesChannel = {
  __typename?: 'SalesChannel';
  /** When the sales channel was created. */
  createdAt?: Maybe<Scalars['Timestamp']['output']>;
  /** True when the sales channel is deleted. */
  deleted: Scalars['Boolean']['output'];
  /** Identifier, made by the service. */
  id: Scalars['ID']['output'];
  /** Name of the sales channel. Names may repeat. */
  name: Scalars['String']['output'];
  /** Payment gateways the channel offers. */
  paymentGateways?: Maybe<Array<SalesChannelPaymentGateway>>;
  /** Price list whose prices hold in the channel; null for the base prices. */
  priceListId?: Maybe<Scalars['String']['output']>;
  /** Stock locations the channel sells from. */
  stockLocations?: Maybe<Array<SalesChannelStockLocation>>;
  /** Kind of the sales channel. */
  type: SalesChannelTypeEnum;
  /** When the sales channel was last changed. */
  updatedAt?: Maybe<Scalars['Timestamp']['output']>;
};

/** A sales channel to be saved. */
export type SalesChannelInput = {
  /** Ignored; the service keeps the time. */
  createdAt?: InputMaybe<Scalars['Timestamp']['input']>;
  /** True deletes the sales channel, false restores it. */
  deleted?: InputMaybe<Scalars['Boolean']['input']>;
  /** Id of the sales channel to update; left out to create one. */
  id?: InputMaybe<Scalars['String']['input']>;
  /** Name of the sales channel, 1 to 255 code points after trimming; stored in Unicode form NFC. Names may repeat. */
  name: Scalars['String']['input'];
  /** Payment gateways the channel offers; each may stand here once. */
  paymentGateways?: InputMaybe<Array<SalesChannelPaymentGatewayInput>>;
  /** Price list whose prices hold in the channel, which must exist; null for the base prices. */
  priceListId?: InputMaybe<Scalars['String']['input']>;
  /** Stock locations the channel sells from; each must exist and may stand here once. */
  stockLocations?: InputMaybe<Array<SalesChannelStockLocationInput>>;
  /** Kind of the sales channel. */
  type: SalesChannelTypeEnum;
  /** Ignored; the service keeps the time. */
  updatedAt?: InputMaybe<Scalars['Timestamp']['input']>;
};

/** A payment gateway a sales channel offers. */
export type SalesChannelPaymentGateway = {
  __typename?: 'SalesChannelPaymentGateway';
  /** Id of the payment gateway. */
  id: Scalars['String']['output'];
  /** Place in the order in which gateways are offered, the lowest first. */
  order: Scalars['Float']['output'];
};

/** A payment gateway of a sales channel, to be saved. */
export type SalesChannelPaymentGatewayInput = {
  /** Id of the payment gateway, at most 255 code points; stored as sent, for the service keeps no gateways. */
  id: Scalars['String']['input'];
  /** Place in the order in which gateways are offered, the lowest first. Keeps 15 digits. */
  order: Scalars['Float']['input'];
};

/** Whether a record is shown in a sales channel. */
export type SalesChannelStatusEnum =
  /** In the channel, reachable by its address, but not shown in its lists. */
  | 'HIDDEN'
  /** Not offered in the channel. */
  | 'PASSIVE'
  /** In the channel and shown. */
  | 'VISIBLE';

/** A stock location a sales channel sells from. */
export type SalesChannelStockLocation = {
  __typename?: 'SalesChannelStockLocation';
  /** Id of the stock location. */
  id: Scalars['String']['output'];
  /** Place in the order in which stock is taken, the lowest first. */
  order: Scalars['Float']['output'];
};

/** A stock location of a sales channel, to be saved. */
export type SalesChannelStockLocationInput = {
  /** Id of the stock location, which must exist. */
  id: Scalars['String']['input'];
  /** Place in the order in which stock is taken, the lowest first. Keeps 15 digits. */
  order: Scalars['Float']['input'];
};

/** Kinds of sales channels. */
export type SalesChannelTypeEnum =
  /** The merchant's administration, where staff enter orders. */
  | 'ADMIN'
  /** An app that sells on its own. */
  | 'APP'
  /** A storefront for business customers. */
  | 'B2B_STOREFRONT'
  /** Facebook. */
  | 'FACEBOOK'
  /** Google. */
  | 'GOOGLE'
  /** A till in a shop. */
  | 'POS'
  /** A web storefront. */
  | 'STOREFRONT'
  /** A storefront as a mobile app. */
  | 'STOREFRONT_APP';

/** Stock counts to be set. */
export type SaveStockLocationsInput = {
  /** One entry per variant and stock location, at most 1,000. Another for the same ones is an error. */
  productStockLocationInputs: Array<ProductStockLocationInput>;
};

/** Prices of variants in one price list, to be saved. */
export type SaveVariantPricesInput = {
  /** Id of the price list; left out or null for the base price. */
  priceListId?: InputMaybe<Scalars['String']['input']>;
  /** The rows, at most 3,000. An empty list is fine. */
  variantPriceInputs: Array<VariantPriceInput>;
};

/** What to search for. All members given together have to hold; none finds all products. */
export type SearchInput = {
  /** Only products with a variant that has one of these barcodes, at most 1,000. An empty list matches nothing. */
  barcodeList?: InputMaybe<Array<Scalars['String']['input']>>;
  /**
   * Page of the result by number; without it the first 50. A search gives no cursor: `after` is
   * ARGUMENT_VALIDATION_ERROR.
   */
  pagination?: InputMaybe<PaginationInput>;
  /** Only products with these ids, at most 1,000. An empty list matches nothing. */
  productIdList?: InputMaybe<Array<Scalars['String']['input']>>;
  /**
   * Words looked for in name, description, brand and tag names, skus and barcodes, at most 500 characters.
   * All words have to be found, each in any of these. A word is found where one begins with it; accents and
   * case do not matter, and punctuation divides words. A word of letters that no product has is taken for a
   * misspelling: of three to five letters it may have one letter wrong, missing, too many or swapped with
   * its neighbour, and longer ones two. An empty text counts as left out.
   */
  query?: InputMaybe<Scalars['String']['input']>;
  /** Only products with a variant that has one of these skus, at most 1,000. An empty list matches nothing. */
  skuList?: InputMaybe<Array<Scalars['String']['input']>>;
};

/** A product's category, with its name and place alone. */
export type SimpleCategory = {
  __typename?: 'SimpleCategory';
  /** When the category was created. */
  createdAt?: Maybe<Scalars['Timestamp']['output']>;
  /** True when the category is deleted. */
  deleted: Scalars['Boolean']['output'];
  /** Identifier of the category. */
  id: Scalars['ID']['output'];
  /** Name of the category. */
  name: Scalars['String']['output'];
  /** Id of the category above; null for a root. */
  parentId?: Maybe<Scalars['String']['output']>;
  /** When the category was last changed. */
  updatedAt?: Maybe<Scalars['Timestamp']['output']>;
};

/** A product's brand, with its name alone. */
export type SimpleProductBrand = {
  __typename?: 'SimpleProductBrand';
  /** When the brand was created. */
  createdAt?: Maybe<Scalars['Timestamp']['output']>;
  /** True when the brand is deleted. */
  deleted: Scalars['Boolean']['output'];
  /** Identifier of the brand. */
  id: Scalars['ID']['output'];
  /** Name of the brand. */
  name: Scalars['String']['output'];
  /** When the brand was last changed. */
  updatedAt?: Maybe<Scalars['Timestamp']['output']>;
};

/** A product's tag, with its text alone. */
export type SimpleProductTag = {
  __typename?: 'SimpleProductTag';
  /** When the tag was created. */
  createdAt?: Maybe<Scalars['Timestamp']['output']>;
  /** True when the tag is deleted. */
  deleted: Scalars['Boolean']['output'];
  /** Identifier of the tag. */
  id: Scalars['ID']['output'];
  /** Text of the tag. */
  name: Scalars['String']['output'];
  /** When the tag was last changed. */
  updatedAt?: Maybe<Scalars['Timestamp']['output']>;
};

/** A place stock is kept at, for example a warehouse or a shop. */
export type StockLocation = {
  __typename?: 'StockLocation';
  /** Where the stock location is. */
  address?: Maybe<StockLocationAddress>;
  /** When the stock location was created. */
  createdAt?: Maybe<Scalars['Timestamp']['output']>;
  /** True when the stock location is deleted. */
  deleted: Scalars['Boolean']['output'];
  /** How long a delivery from here takes. */
  deliveryTime?: Maybe<StockLocationDeliveryTimeEnum>;
  /** Text about the stock location. */
  description?: Maybe<Scalars['String']['output']>;
  /** Identifier, made by the service. */
  id: Scalars['ID']['output'];
  /** True when those addresses are to be told. Stored and returned; the service sends no mail. */
  isRemindOutOfStockEnabled?: Maybe<Scalars['Boolean']['output']>;
  /** Name of the stock location. Names may repeat. */
  name: Scalars['String']['output'];
  /** E-mail addresses told when stock runs out. */
  outOfStockMailList?: Maybe<Array<Scalars['String']['output']>>;
  /** Translations. */
  translations?: Maybe<Array<StockLocationTranslation>>;
  /** Whether the place can be visited. */
  type?: Maybe<StockLocationTypeEnum>;
  /** When the stock location was last changed. */
  updatedAt?: Maybe<Scalars['Timestamp']['output']>;
};

/** Where a stock location is. */
export type StockLocationAddress = {
  __typename?: 'StockLocationAddress';
  /** Street, house number and whatever else finds the place. */
  address?: Maybe<Scalars['String']['output']>;
  /** City. */
  city?: Maybe<StockLocationAddressCity>;
  /** Country. */
  country?: Maybe<StockLocationAddressCountry>;
  /** District of the city. */
  district?: Maybe<StockLocationAddressDistrict>;
  /** Phone number of the place. */
  phone?: Maybe<Scalars['String']['output']>;
  /** Postal code. */
  postalCode?: Maybe<Scalars['String']['output']>;
  /** State or province. */
  state?: Maybe<StockLocationAddressState>;
};

/** City of a stock location. */
export type StockLocationAddressCity = {
  __typename?: 'StockLocationAddressCity';
  /** Code of the city. */
  code?: Maybe<Scalars['String']['output']>;
  /** Id in the client's own list of cities. */
  id?: Maybe<Scalars['String']['output']>;
  /** Name of the city. */
  name?: Maybe<Scalars['String']['output']>;
};

/** City of a stock location, to be saved. */
export type StockLocationAddressCityInput = {
  /** Code of the city. */
  code?: InputMaybe<Scalars['String']['input']>;
  /** Id in the client's own list of cities. */
  id?: InputMaybe<Scalars['String']['input']>;
  /** Name of the city. */
  name?: InputMaybe<Scalars['String']['input']>;
};

/** Country of a stock location. */
export type StockLocationAddressCountry = {
  __typename?: 'StockLocationAddressCountry';
  /** ISO 3166 code, three letters. */
  code?: Maybe<Scalars['String']['output']>;
  /** Id in the client's own list of countries. */
  id?: Maybe<Scalars['String']['output']>;
  /** ISO 3166 code, two letters. */
  iso2?: Maybe<Scalars['String']['output']>;
  /** ISO 3166 code, three letters. */
  iso3?: Maybe<Scalars['String']['output']>;
  /** Name of the country. */
  name?: Maybe<Scalars['String']['output']>;
};

/** Country of a stock location, to be saved. */
export type StockLocationAddressCountryInput = {
  /** ISO 3166 code, three letters. */
  code?: InputMaybe<Scalars['String']['input']>;
  /** Id in the client's own list of countries. */
  id?: InputMaybe<Scalars['String']['input']>;
  /** ISO 3166 code, two letters. */
  iso2?: InputMaybe<Scalars['String']['input']>;
  /** ISO 3166 code, three letters. */
  iso3?: InputMaybe<Scalars['String']['input']>;
  /** Name of the country. */
  name?: InputMaybe<Scalars['String']['input']>;
};

/** District of a stock location. */
export type StockLocationAddressDistrict = {
  __typename?: 'StockLocationAddressDistrict';
  /** Code of the district. */
  code?: Maybe<Scalars['String']['output']>;
  /** Id in the client's own list of districts. */
  id?: Maybe<Scalars['String']['output']>;
  /** Name of the district. */
  name?: Maybe<Scalars['String']['output']>;
};

/** District of a stock location, to be saved. */
export type StockLocationAddressDistrictInput = {
  /** Code of the district. */
  code?: InputMaybe<Scalars['String']['input']>;
  /** Id in the client's own list of districts. */
  id?: InputMaybe<Scalars['String']['input']>;
  /** Name of the district. */
  name?: InputMaybe<Scalars['String']['input']>;
};

/**
 * Where a stock location is, to be saved. Cities, countries, districts and states are stored as sent.
 * Where nothing else is said, a text has at most 255 code points.
 */
export type StockLocationAddressInput = {
  /** Street, house number and whatever else finds the place, at most 65,536 code points. */
  address?: InputMaybe<Scalars['String']['input']>;
  /** City. */
  city?: InputMaybe<StockLocationAddressCityInput>;
  /** Country. */
  country?: InputMaybe<StockLocationAddressCountryInput>;
  /** District of the city. */
  district?: InputMaybe<StockLocationAddressDistrictInput>;
  /** Phone number of the place. */
  phone?: InputMaybe<Scalars['String']['input']>;
  /** Postal code. */
  postalCode?: InputMaybe<Scalars['String']['input']>;
  /** State or province. */
  state?: InputMaybe<StockLocationAddressStateInput>;
};

/** State or province of a stock location. */
export type StockLocationAddressState = {
  __typename?: 'StockLocationAddressState';
  /** Code of the state. */
  code?: Maybe<Scalars['String']['output']>;
  /** Id in the client's own list of states. */
  id?: Maybe<Scalars['String']['output']>;
  /** Name of the state. */
  name?: Maybe<Scalars['String']['output']>;
};

/** State or province of a stock location, to be saved. */
export type StockLocationAddressStateInput = {
  /** Code of the state. */
  code?: InputMaybe<Scalars['String']['input']>;
  /** Id in the client's own list of states. */
  id?: InputMaybe<Scalars['String']['input']>;
  /** Name of the state. */
  name?: InputMaybe<Scalars['String']['input']>;
};

/** How long a delivery from a stock location takes. */
export type StockLocationDeliveryTimeEnum =
  /** Two to four days. */
  | 'TWO_IN_FOUR_DAYS'
  /** At most four hours. */
  | 'WITHIN_FOUR_HOURS'
  /** At most one hour. */
  | 'WITHIN_ONE_HOUR'
  /** Five days or more. */
  | 'WITHIN_PLUS_FIVE_DAYS'
  /** At most 24 hours. */
  | 'WITHIN_TWENTY_FOUR_HOURS'
  /** At most two hours. */
  | 'WITHIN_TWO_HOURS';

/** A stock location to be saved. */
export type StockLocationInput = {
  /** Where the stock location is; replaces the stored address whole. */
  address?: InputMaybe<StockLocationAddressInput>;
  /** Ignored; the service keeps the time. */
  createdAt?: InputMaybe<Scalars['Timestamp']['input']>;
  /** True deletes the stock location, false restores it. */
  deleted?: InputMaybe<Scalars['Boolean']['input']>;
  /** How long a delivery from here takes. */
  deliveryTime?: InputMaybe<StockLocationDeliveryTimeEnum>;
  /** Text about the stock location, at most 65,536 code points. */
  description?: InputMaybe<Scalars['String']['input']>;
  /** Id of the stock location to update; left out to create one. */
  id?: InputMaybe<Scalars['String']['input']>;
  /** True when those addresses are to be told. Stored and returned; the service sends no mail. */
  isRemindOutOfStockEnabled?: InputMaybe<Scalars['Boolean']['input']>;
  /** Name of the stock location, 1 to 255 code points after trimming; stored in Unicode form NFC. Names may repeat. */
  name: Scalars['String']['input'];
  /** E-mail addresses told when stock runs out, at most 1,000 of at most 255 code points each. */
  outOfStockMailList?: InputMaybe<Array<Scalars['String']['input']>>;
  /** Translations, one per locale. */
  translations?: InputMaybe<Array<StockLocationTranslationInput>>;
  /** Whether the place can be visited. */
  type?: InputMaybe<StockLocationTypeEnum>;
  /** Ignored; the service keeps the time. */
  updatedAt?: InputMaybe<Scalars['Timestamp']['input']>;
};

/** A stock location in another language. */
export type StockLocationTranslation = {
  __typename?: 'StockLocationTranslation';
  /** Translated text about the stock location. */
  description?: Maybe<Scalars['String']['output']>;
  /** Language of the translation, for example `de`. */
  locale: Scalars['String']['output'];
};

/** A stock location in another language, to be saved. */
export type StockLocationTranslationInput = {
  /** Translated text about the stock location, at most 65,536 code points. */
  description?: InputMaybe<Scalars['String']['input']>;
  /** Language of the translation, for example `de`. */
  locale: Scalars['String']['input'];
};

/** Kinds of stock locations. */
export type StockLocationTypeEnum =
  /** A place that exists, for example a warehouse. */
  | 'PHYSICAL'
  /** A count kept without a place of its own, for example a supplier's stock. */
  | 'VIRTUAL';

/**
 * Conditions on a text or id. All members given together have to hold; a member that is null counts as
 * left out. No text that lists are filtered by is longer than 255 code points, so a longer text in a
 * condition is ARGUMENT_VALIDATION_ERROR naming the member.
 */
export type StringFilterInput = {
  /** Equal to this text; upper and lower case differ. */
  eq?: InputMaybe<Scalars['String']['input']>;
  /** Equal to one of these, at most 1,000. An empty list matches nothing. */
  in?: InputMaybe<Array<Scalars['String']['input']>>;
  /** Contains this text; case and accents do not matter, and `%`, `_` and `\` are ordinary characters. */
  like?: InputMaybe<Scalars['String']['input']>;
  /** Not equal to this text. Records without a value match; on a list, those where no entry is equal. */
  ne?: InputMaybe<Scalars['String']['input']>;
  /** Equal to none of these, at most 1,000. Records without a value match; on a list, those where no entry is equal. */
  nin?: InputMaybe<Array<Scalars['String']['input']>>;
};

/** Whether a product is to be active in a sales channel. */
export type UpdateProductSalesChannelStatusInput = {
  /** True puts the channel into `salesChannelIds` and takes it out of `hiddenSalesChannelIds`, false the other way round. */
  active: Scalars['Boolean']['input'];
  /** Id of the product. */
  productId: Scalars['String']['input'];
};

/** A form in which a product is sold, for example one size in one color. */
export type Variant = {
  __typename?: 'Variant';
  /** Values of attributes that hold for the variant alone. */
  attributes?: Maybe<Array<ProductAttributeValue>>;
  /** Barcodes of the variant. They may repeat from variant to variant. */
  barcodeList?: Maybe<Array<Scalars['String']['output']>>;
  /** Contents of a bundle; for products of the type BUNDLE. */
  bundleSettings?: Maybe<BundleSettingsModel>;
  /** When the variant was created. */
  createdAt?: Maybe<Scalars['Timestamp']['output']>;
  /** True when the variant is deleted. */
  deleted: Scalars['Boolean']['output'];
  /** Id of the file a digital product consists of. Stored and returned. */
  fileId?: Maybe<Scalars['String']['output']>;
  /** Harmonized System code, for customs. */
  hsCode?: Maybe<Scalars['String']['output']>;
  /** Identifier, made by the service. */
  id: Scalars['ID']['output'];
  /** Images, in their order. */
  images?: Maybe<Array<ProductImage>>;
  /** True when the variant can be sold. */
  isActive: Scalars['Boolean']['output'];
  /** Prices: exactly one base price, without `priceListId`, and at most one per price list. */
  prices: Array<ProductPrice>;
  /** True when the variant is sold also without stock. */
  sellIfOutOfStock?: Maybe<Scalars['Boolean']['output']>;
  /** The merchant's own number for the variant. May repeat. */
  sku?: Maybe<Scalars['String']['output']>;
  /** Stock counts per stock location. */
  stocks?: Maybe<Array<ProductStockLocation>>;
  /** Id of the subscription plan. Stored and returned. */
  subscriptionPlanId?: Maybe<Scalars['String']['output']>;
  /** Quantity one piece contains. */
  unit?: Maybe<VariantUnitModel>;
  /** When the variant was last changed. */
  updatedAt?: Maybe<Scalars['Timestamp']['output']>;
  /** The variant's value for each variant type of the product. */
  variantValueIds?: Maybe<Array<VariantValueRelation>>;
  /** Weight in kilograms. */
  weight?: Maybe<Scalars['Float']['output']>;
};

/** A variant of a product, to be saved. */
export type VariantInput = {
  /** Values of attributes that hold for the variant alone. */
  attributes?: InputMaybe<Array<ProductAttributeValueInput>>;
  /** Barcodes of the variant. */
  barcodeList?: InputMaybe<Array<Scalars['String']['input']>>;
  /** Contents of a bundle; for products of the type BUNDLE. */
  bundleSettings?: InputMaybe<BundleSettingsModelInput>;
  /** Ignored; the service keeps the time. */
  createdAt?: InputMaybe<Scalars['Timestamp']['input']>;
  /** True deletes the variant, as leaving it out of the list does; false restores it. */
  deleted?: InputMaybe<Scalars['Boolean']['input']>;
  /** Id of the file a digital product consists of; stored as sent. */
  fileId?: InputMaybe<Scalars['String']['input']>;
  /** Harmonized System code, for customs; stored as sent. */
  hsCode?: InputMaybe<Scalars['String']['input']>;
  /** Id of a variant the product has; left out for a new one, whose id the service makes. */
  id?: InputMaybe<Scalars['String']['input']>;
  /**
   * Images of the variant, each once. At most one is the main image: two are ARGUMENT_VALIDATION_ERROR, and
   * where none is, the first in order becomes it.
   */
  images?: InputMaybe<Array<ProductImageInput>>;
  /** Whether the variant can be sold. Left out means true, when updating too. */
  isActive?: Scalars['Boolean']['input'];
  /**
   * Price rows, at most one per price list. A variant has exactly one row without `priceListId`, the base
   * price: two are ARGUMENT_VALIDATION_ERROR, and so is none on a new variant. A row replaces the stored row
   * of its price list; stored rows of price lists that are not mentioned stay.
   */
  prices: Array<ProductPriceInput>;
  /** True when the variant is sold also without stock. */
  sellIfOutOfStock?: InputMaybe<Scalars['Boolean']['input']>;
  /** The merchant's own number for the variant. */
  sku?: InputMaybe<Scalars['String']['input']>;
  /** Id of the subscription plan; stored as sent. */
  subscriptionPlanId?: InputMaybe<Scalars['String']['input']>;
  /** Quantity one piece contains. */
  unit?: InputMaybe<VariantUnitModelInput>;
  /** Ignored; the service keeps the time. */
  updatedAt?: InputMaybe<Scalars['Timestamp']['input']>;
  /** The variant's value for each variant type of the product. */
  variantValueIds?: InputMaybe<Array<VariantValueRelationInput>>;
  /** Weight in kilograms, not negative. Keeps 15 digits. */
  weight?: InputMaybe<Scalars['Float']['input']>;
};

/** The price of a variant, to be saved. */
export type VariantPriceInput = {
  /** True deletes the variant's row of the price list. The base price cannot be deleted: ARGUMENT_VALIDATION_ERROR. */
  deleted?: InputMaybe<Scalars['Boolean']['input']>;
  /** The new row. It replaces the stored row whole: members left out are cleared. */
  price: ProductPriceInput;
  /** Id of the product. */
  productId: Scalars['String']['input'];
  /** Id of a variant of the product. */
  variantId: Scalars['String']['input'];
};

/** How shoppers pick a value of a variant type. */
export type VariantSelectionTypeEnum =
  /** From a list of names. */
  | 'choice'
  /** From a row of colors or small pictures. */
  | 'color';

/** A variant type to be saved, with all its values. */
export type VariantTypeInput = {
  /** Ignored; the service keeps the time. */
  createdAt?: InputMaybe<Scalars['Timestamp']['input']>;
  /** True deletes the variant type, false restores it. */
  deleted?: InputMaybe<Scalars['Boolean']['input']>;
  /** Id of the variant type to update; left out to create one. */
  id?: InputMaybe<Scalars['String']['input']>;
  /**
   * Name of the variant type, 1 to 100 code points after trimming; stored in Unicode form NFC. Unique among
   * the merchant's variant types that are not deleted; upper and lower case differ.
   */
  name: Scalars['String']['input'];
  /** How shoppers pick a value. */
  selectionType: VariantSelectionTypeEnum;
  /** Translations, one per locale. */
  translations?: InputMaybe<Array<VariantTypeTranslationInput>>;
  /** Ignored; the service keeps the time. */
  updatedAt?: InputMaybe<Scalars['Timestamp']['input']>;
  /** All values of the variant type in their order, 1 to 1,000, no two with the same name. Entries with `deleted: true` do not count. */
  values: Array<VariantValueInput>;
};

/** A variant type in another language. */
export type VariantTypeTranslation = {
  __typename?: 'VariantTypeTranslation';
  /** Language of the translation, for example `de`. */
  locale: Scalars['String']['output'];
  /** Translated name of the variant type. */
  name?: Maybe<Scalars['String']['output']>;
  /** Translated names of values. */
  values?: Maybe<Array<VariantValueTranslation>>;
};

/** A variant type in another language, to be saved. */
export type VariantTypeTranslationInput = {
  /** Language of the translation, for example `de`. */
  locale: Scalars['String']['input'];
  /** Translated name of the variant type, at most 100 code points. */
  name?: InputMaybe<Scalars['String']['input']>;
  /** Translated names of values. */
  values?: InputMaybe<Array<VariantValueTranslationInput>>;
};

/** Quantity one piece of a variant contains, for example 750 MILLILITER. */
export type VariantUnitModel = {
  __typename?: 'VariantUnitModel';
  /** How many units one piece contains. */
  amount?: Maybe<Scalars['Float']['output']>;
  /** The unit. */
  type: ProductUnitTypeEnum;
};

/** Quantity one piece of a variant contains, to be saved. */
export type VariantUnitModelInput = {
  /** How many units one piece contains, not negative. Keeps 15 digits. */
  amount?: InputMaybe<Scalars['Float']['input']>;
  /** The unit. */
  type: ProductUnitTypeEnum;
};

/** A value of a variant type, for example M of a size. */
export type VariantValue = {
  __typename?: 'VariantValue';
  /** Color the value is shown in, for example `#1a2b3c`. */
  colorCode?: Maybe<Scalars['String']['output']>;
  /** When the value was created. */
  createdAt?: Maybe<Scalars['Timestamp']['output']>;
  /** True when the value is deleted. */
  deleted: Scalars['Boolean']['output'];
  /** Identifier, made by the service. */
  id: Scalars['ID']['output'];
  /** Name of the value, unique within the variant type. */
  name: Scalars['String']['output'];
  /** Id of the small picture the value is shown with. */
  thumbnailImageId?: Maybe<Scalars['String']['output']>;
  /** When the value was last changed. */
  updatedAt?: Maybe<Scalars['Timestamp']['output']>;
};

/** A value of a variant type, to be saved. */
export type VariantValueInput = {
  /** Color the value is shown in, at most 7 code points, for example `#1a2b3c`. */
  colorCode?: InputMaybe<Scalars['String']['input']>;
  /** Ignored; the service keeps the time. */
  createdAt?: InputMaybe<Scalars['Timestamp']['input']>;
  /** True deletes the value, as leaving it out of the list does. False, or left out, keeps it in the list, or brings it back. */
  deleted?: InputMaybe<Scalars['Boolean']['input']>;
  /**
   * Id of a value the variant type has, or had before it was deleted, and no other entry names; left out
   * for a new one, whose id the service makes.
   */
  id?: InputMaybe<Scalars['String']['input']>;
  /** Name of the value, 1 to 100 code points after trimming; stored in Unicode form NFC. */
  name: Scalars['String']['input'];
  /** Id of the small picture the value is shown with, at most 255 code points; stored as sent. */
  thumbnailImageId?: InputMaybe<Scalars['String']['input']>;
  /** Ignored; the service keeps the time. */
  updatedAt?: InputMaybe<Scalars['Timestamp']['input']>;
};

/** A variant's value for a variant type. */
export type VariantValueRelation = {
  __typename?: 'VariantValueRelation';
  /** Id of the variant type. */
  variantTypeId: Scalars['String']['output'];
  /** Id of the value, which belongs to that variant type. */
  variantValueId: Scalars['String']['output'];
};

/** A variant's value for a variant type, to be saved. */
export type VariantValueRelationInput = {
  /** Id of the variant type, which must exist. */
  variantTypeId: Scalars['String']['input'];
  /** Id of the value, which must belong to that variant type. */
  variantValueId: Scalars['String']['input'];
};

/** A variant value's name in another language. */
export type VariantValueTranslation = {
  __typename?: 'VariantValueTranslation';
  /** Id of the value. */
  id: Scalars['String']['output'];
  /** Translated name of the value. */
  name?: Maybe<Scalars['String']['output']>;
};

/** A variant value's name in another language, to be saved. */
export type VariantValueTranslationInput = {
  /** Id of a value the variant type has, otherwise NOT_FOUND. New values are translated by a second save, once their ids are known. */
  id: Scalars['String']['input'];
  /** Translated name of the value, at most 100 code points. */
  name?: InputMaybe<Scalars['String']['input']>;
};

/** A registration for push notifications: when an event of the scope occurs, the service posts it to the endpoint. */
export type Webhook = {
  __typename?: 'Webhook';
  /** When the webhook was registered. */
  createdAt?: Maybe<Scalars['Timestamp']['output']>;
  /** True when the webhook is deleted. */
  deleted: Scalars['Boolean']['output'];
  /** Address to which webhooks are pushed. */
  endpoint: Scalars['String']['output'];
  /** Identifier, made by the service. Saving the scope again keeps it. */
  id: Scalars['ID']['output'];
  /** When the webhook was paused; null while it is active. */
  pausedAt?: Maybe<Scalars['Timestamp']['output']>;
  /** Kind of event, for example `store/customer/created`. */
  scope: Scalars['String']['output'];
  /** Whether webhooks are pushed at present. */
  status: WebhookStatusEnum;
  /** When the webhook was last changed. */
  updatedAt?: Maybe<Scalars['Timestamp']['output']>;
};

/** A push of one event to one endpoint, with its attempts. */
export type WebhookDelivery = {
  __typename?: 'WebhookDelivery';
  /**
   * The HTTP requests made so far, the first one first: at most three each time the delivery is queued, and of
   * one that is queued again and again the latest 30.
   */
  attempts: Array<WebhookDeliveryAttempt>;
  /** When the event happened. */
  createdAt: Scalars['Timestamp']['output'];
  /** Address the event is pushed to. */
  endpoint: Scalars['String']['output'];
  /** Identifier, the same as the `id` in the body and as the header `webhook-id`. */
  id: Scalars['ID']['output'];
  /**
   * The record as JSON text as it was at the change: the `data` of the body. Of a record of more than 1 MiB the
   * longest texts are left out.
   */
  payload: Scalars['String']['output'];
  /** Kind of event. */
  scope: Scalars['String']['output'];
  /** How far the delivery is. */
  status: WebhookDeliveryStatusEnum;
  /**
   * Paths of the members that were left out of `payload`, as `translations.0.description`, or `*` where only
   * the record's id was kept; null when it is whole.
   */
  truncated?: Maybe<Array<Scalars['String']['output']>>;
};

/** One HTTP request of a delivery. */
export type WebhookDeliveryAttempt = {
  __typename?: 'WebhookDeliveryAttempt';
  /** When the request was begun. */
  at: Scalars['Timestamp']['output'];
  /** Time until the answer or the failure, in milliseconds; null while the request is under way. */
  durationMs?: Maybe<Scalars['Int']['output']>;
  /** What went wrong, in words; null on success. */
  error?: Maybe<Scalars['String']['output']>;
  /** Status of the answer; null when there was none. Only 200 is a success. */
  statusCode?: Maybe<Scalars['Int']['output']>;
};

/** A page of deliveries. */
export type WebhookDeliveryPaginationResponse = {
  __typename?: 'WebhookDeliveryPaginationResponse';
  /** Number of all deliveries that match, on every page together. */
  count: Scalars['Int']['output'];
  /** The deliveries of this page. */
  data: Array<WebhookDelivery>;
  /** What `pagination.after` takes to go on after this page; null on an empty page. */
  endCursor?: Maybe<Scalars['String']['output']>;
  /** True when more deliveries follow. */
  hasNext: Scalars['Boolean']['output'];
  /** Most deliveries a page holds, as asked for. */
  limit: Scalars['Int']['output'];
  /** Number of this page. */
  page: Scalars['Int']['output'];
};

/** States of a delivery. */
export type WebhookDeliveryStatusEnum =
  /** The receiver answered 200. */
  | 'DELIVERED'
  /**
   * Given up after three requests, or without another one: the webhook was deleted, the app has lost the scope
   * to read the record, or more than 256 MiB of payloads waited for the merchant's paused webhooks.
   */
  | 'FAILED'
  /** Not delivered yet; requests are still to be made, or the webhook is paused. */
  | 'PENDING';

/** Webhooks to be registered: one per scope, all with one endpoint. */
export type WebhookInput = {
  /**
   * Absolute `https` address to which webhooks are pushed, at most 2,048 code points. One in a private,
   * loopback, link-local or otherwise special range is ARGUMENT_VALIDATION_ERROR.
   */
  endpoint: Scalars['String']['input'];
  /**
   * Only events of these sales channels are pushed; empty or null, those of all. Left out, a webhook that
   * exists keeps its own, and a new one takes those of all. Customer events belong to no channel.
   */
  salesChannelIds?: InputMaybe<Array<Scalars['String']['input']>>;
  /**
   * Kinds of events, from 1 to 100, each counted once: `store/customer/created`, `store/customer/updated`,
   * `store/product/created`, `store/product/updated`, `store/product/deleted`, `store/stock/created`,
   * `store/stock/updated`. Anything else is INVALID_SCOPE.
   */
  scopes: Array<Scalars['String']['input']>;
};

/** States of a webhook. */
export type WebhookStatusEnum =
  /** Events are pushed. */
  | 'ACTIVE'
  /** Pushing has stopped after 20 deliveries in a row were given up. Deliveries wait, at most 256 MiB of a merchant; saving the webhook again resumes it. */
  | 'PAUSED';

/** What a receiver answered to a sample. */
export type WebhookTestAnswer = {
  __typename?: 'WebhookTestAnswer';
  /** Time until the answer or the failure, in milliseconds. */
  durationMs: Scalars['Int']['output'];
  /** What went wrong, in words; null when an answer came. */
  error?: Maybe<Scalars['String']['output']>;
  /** Status of the answer; null when there was none. */
  statusCode?: Maybe<Scalars['Int']['output']>;
};

/** What a receiver answered to three samples. A good receiver takes the first and refuses the other two. */
export type WebhookTestResult = {
  __typename?: 'WebhookTestResult';
  /** Address the samples were sent to. */
  endpoint: Scalars['String']['output'];
  /** Answer to the sample whose signature is forged. */
  forgedSignature: WebhookTestAnswer;
  /** Answer to the sample that is signed correctly. */
  signed: WebhookTestAnswer;
  /** Answer to the sample whose timestamp is stale. */
  staleTimestamp: WebhookTestAnswer;
};



export type ResolverTypeWrapper<T> = Promise<T> | T;


export type ResolverWithResolve<TResult, TParent, TContext, TArgs> = {
  resolve: ResolverFn<TResult, TParent, TContext, TArgs>;
};
export type Resolver<TResult, TParent = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>, TArgs = Record<PropertyKey, never>> = ResolverFn<TResult, TParent, TContext, TArgs> | ResolverWithResolve<TResult, TParent, TContext, TArgs>;

export type ResolverFn<TResult, TParent, TContext, TArgs> = (
  parent: TParent,
  args: TArgs,
  context: TContext,
  info: GraphQLResolveInfo
) => Promise<TResult> | TResult;

export type SubscriptionSubscribeFn<TResult, TParent, TContext, TArgs> = (
  parent: TParent,
  args: TArgs,
  context: TContext,
  info: GraphQLResolveInfo
) => AsyncIterable<TResult> | Promise<AsyncIterable<TResult>>;

export type SubscriptionResolveFn<TResult, TParent, TContext, TArgs> = (
  parent: TParent,
  args: TArgs,
  context: TContext,
  info: GraphQLResolveInfo
) => TResult | Promise<TResult>;

export interface SubscriptionSubscriberObject<TResult, TKey extends string, TParent, TContext, TArgs> {
  subscribe: SubscriptionSubscribeFn<{ [key in TKey]: TResult }, TParent, TContext, TArgs>;
  resolve?: SubscriptionResolveFn<TResult, { [key in TKey]: TResult }, TContext, TArgs>;
}

export interface SubscriptionResolverObject<TResult, TParent, TContext, TArgs> {
  subscribe: SubscriptionSubscribeFn<any, TParent, TContext, TArgs>;
  resolve: SubscriptionResolveFn<TResult, any, TContext, TArgs>;
}

export type SubscriptionObject<TResult, TKey extends string, TParent, TContext, TArgs> =
  | SubscriptionSubscriberObject<TResult, TKey, TParent, TContext, TArgs>
  | SubscriptionResolverObject<TResult, TParent, TContext, TArgs>;

export type SubscriptionResolver<TResult, TKey extends string, TParent = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>, TArgs = Record<PropertyKey, never>> =
  | ((...args: any[]) => SubscriptionObject<TResult, TKey, TParent, TContext, TArgs>)
  | SubscriptionObject<TResult, TKey, TParent, TContext, TArgs>;

export type TypeResolveFn<TTypes, TParent = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>> = (
  parent: TParent,
  context: TContext,
  info: GraphQLResolveInfo
) => Maybe<TTypes> | Promise<Maybe<TTypes>>;

export type IsTypeOfResolverFn<T = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>> = (obj: T, context: TContext, info: GraphQLResolveInfo) => boolean | Promise<boolean>;

export type NextResolverFn<T> = () => Promise<T>;

export type DirectiveResolverFn<TResult = Record<PropertyKey, never>, TParent = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>, TArgs = Record<PropertyKey, never>> = (
  next: NextResolverFn<TResult>,
  parent: TParent,
  args: TArgs,
  context: TContext,
  info: GraphQLResolveInfo
) => TResult | Promise<TResult>;





/** Mapping between all available schema types and the resolvers types */
export type ResolversTypes = {
  AppScopeEnum: AppScopeEnum;
  AuthorizedApp: ResolverTypeWrapper<AuthorizedApp>;
  Boolean: ResolverTypeWrapper<Scalars['Boolean']['output']>;
  BulkOperation: ResolverTypeWrapper<BulkOperation>;
  BulkOperationError: ResolverTypeWrapper<BulkOperationError>;
  BulkOperationStatusEnum: BulkOperationStatusEnum;
  BulkUpdateProductBrandInput: BulkUpdateProductBrandInput;
  BulkUpdateProductCategoryInput: BulkUpdateProductCategoryInput;
  BulkUpdateProductHTMLMetaDataInput: BulkUpdateProductHtmlMetaDataInput;
  BulkUpdateProductImageInput: BulkUpdateProductImageInput;
  BulkUpdateProductPriceInput: BulkUpdateProductPriceInput;
  BulkUpdateProductStockInput: BulkUpdateProductStockInput;
  BulkUpdateProductTagInput: BulkUpdateProductTagInput;
  BulkUpdateProductVariantInput: BulkUpdateProductVariantInput;
  BulkUpdateProductVariantTypeImportInput: BulkUpdateProductVariantTypeImportInput;
  BulkUpdateProductVariantValueImportInput: BulkUpdateProductVariantValueImportInput;
  BulkUpdateProductVariationValueRelationInput: BulkUpdateProductVariationValueRelationInput;
  BulkUpdateProductsInput: BulkUpdateProductsInput;
  BundleProductModel: ResolverTypeWrapper<BundleProductModel>;
  BundleProductModelInput: BundleProductModelInput;
  BundleSettingsModel: ResolverTypeWrapper<BundleSettingsModel>;
  BundleSettingsModelInput: BundleSettingsModelInput;
  Category: ResolverTypeWrapper<Category>;
  CategoryCondition: ResolverTypeWrapper<CategoryCondition>;
  CategoryConditionInput: CategoryConditionInput;
  CategoryConditionMethodEnum: CategoryConditionMethodEnum;
  CategoryConditionTypeEnum: CategoryConditionTypeEnum;
  CategoryFilterInput: CategoryFilterInput;
  CategoryInput: CategoryInput;
  CategoryPathFilterInput: CategoryPathFilterInput;
  CategoryPathItem: ResolverTypeWrapper<CategoryPathItem>;
  CategoryProductsOrderTypeEnum: CategoryProductsOrderTypeEnum;
  CategorySalesChannel: ResolverTypeWrapper<CategorySalesChannel>;
  CategorySalesChannelInput: CategorySalesChannelInput;
  CategoryTranslation: ResolverTypeWrapper<CategoryTranslation>;
  CategoryTranslationInput: CategoryTranslationInput;
  Customer: ResolverTypeWrapper<Customer>;
  CustomerAccountStatusEnum: CustomerAccountStatusEnum;
  CustomerAddress: ResolverTypeWrapper<CustomerAddress>;
  CustomerAddressCity: ResolverTypeWrapper<CustomerAddressCity>;
  CustomerAddressCityInput: CustomerAddressCityInput;
  CustomerAddressCountry: ResolverTypeWrapper<CustomerAddressCountry>;
  CustomerAddressCountryInput: CustomerAddressCountryInput;
  CustomerAddressDistrict: ResolverTypeWrapper<CustomerAddressDistrict>;
  CustomerAddressDistrictInput: CustomerAddressDistrictInput;
  CustomerAddressInput: CustomerAddressInput;
  CustomerAddressRegion: ResolverTypeWrapper<CustomerAddressRegion>;
  CustomerAddressRegionInput: CustomerAddressRegionInput;
  CustomerAddressState: ResolverTypeWrapper<CustomerAddressState>;
  CustomerAddressStateInput: CustomerAddressStateInput;
  CustomerAttributeValue: ResolverTypeWrapper<CustomerAttributeValue>;
  CustomerAttributeValueInput: CustomerAttributeValueInput;
  CustomerB2BStatusEnum: CustomerB2BStatusEnum;
  CustomerEmailSubscriptionStatusesEnum: CustomerEmailSubscriptionStatusesEnum;
  CustomerGenderTypeEnum: CustomerGenderTypeEnum;
  CustomerInput: CustomerInput;
  CustomerPaginationResponse: ResolverTypeWrapper<CustomerPaginationResponse>;
  CustomerPriceListRule: ResolverTypeWrapper<CustomerPriceListRule>;
  CustomerPriceListRuleFilter: ResolverTypeWrapper<CustomerPriceListRuleFilter>;
  CustomerPriceListRuleFilterInput: CustomerPriceListRuleFilterInput;
  CustomerPriceListRuleFilterTypeEnum: CustomerPriceListRuleFilterTypeEnum;
  CustomerPriceListRuleInput: CustomerPriceListRuleInput;
  CustomerPriceListRuleValueTypeEnum: CustomerPriceListRuleValueTypeEnum;
  CustomerRegistrationSourceEnum: CustomerRegistrationSourceEnum;
  DateFilterInput: DateFilterInput;
  Float: ResolverTypeWrapper<Scalars['Float']['output']>;
  HTMLMetaData: ResolverTypeWrapper<HtmlMetaData>;
  HTMLMetaDataInput: HtmlMetaDataInput;
  HTMLMetaDataOverride: ResolverTypeWrapper<HtmlMetaDataOverride>;
  HTMLMetaDataOverrideInput: HtmlMetaDataOverrideInput;
  HTMLMetaDataTargetTypeEnum: HtmlMetaDataTargetTypeEnum;
  HTMLMetaDataTranslation: ResolverTypeWrapper<HtmlMetaDataTranslation>;
  HTMLMetaDataTranslationInput: HtmlMetaDataTranslationInput;
  ID: ResolverTypeWrapper<Scalars['ID']['output']>;
  Int: ResolverTypeWrapper<Scalars['Int']['output']>;
  MeResponse: ResolverTypeWrapper<MeResponse>;
  MerchantAddress: ResolverTypeWrapper<MerchantAddress>;
  MerchantAddressCity: ResolverTypeWrapper<MerchantAddressCity>;
  MerchantAddressCountry: ResolverTypeWrapper<MerchantAddressCountry>;
  MerchantAddressDistrict: ResolverTypeWrapper<MerchantAddressDistrict>;
  MerchantAddressState: ResolverTypeWrapper<MerchantAddressState>;
  MerchantRegionEnum: MerchantRegionEnum;
  MerchantResponse: ResolverTypeWrapper<MerchantResponse>;
  MerchantSettingsAddressTypeEnum: MerchantSettingsAddressTypeEnum;
  Mutation: ResolverTypeWrapper<Record<PropertyKey, never>>;
  PaginationInput: PaginationInput;
  PriceList: ResolverTypeWrapper<PriceList>;
  PriceListCurrencyRateSettings: ResolverTypeWrapper<PriceListCurrencyRateSettings>;
  PriceListCurrencyRateSettingsInput: PriceListCurrencyRateSettingsInput;
  PriceListCurrencyRateTypeEnum: PriceListCurrencyRateTypeEnum;
  PriceListCurrencySettings: ResolverTypeWrapper<PriceListCurrencySettings>;
  PriceListCurrencySettingsInput: PriceListCurrencySettingsInput;
  PriceListInput: PriceListInput;
  PriceListRuleList: ResolverTypeWrapper<PriceListRuleList>;
  PriceListRuleListInput: PriceListRuleListInput;
  PriceListRules: ResolverTypeWrapper<PriceListRules>;
  PriceListRulesAmountTypeEnum: PriceListRulesAmountTypeEnum;
  PriceListRulesInput: PriceListRulesInput;
  PriceListRulesOperationTypeEnum: PriceListRulesOperationTypeEnum;
  PriceListTypeEnum: PriceListTypeEnum;
  Product: ResolverTypeWrapper<Product>;
  ProductAttribute: ResolverTypeWrapper<ProductAttribute>;
  ProductAttributeFilterInput: ProductAttributeFilterInput;
  ProductAttributeInput: ProductAttributeInput;
  ProductAttributeOption: ResolverTypeWrapper<ProductAttributeOption>;
  ProductAttributeOptionInput: ProductAttributeOptionInput;
  ProductAttributeOptionTranslation: ResolverTypeWrapper<ProductAttributeOptionTranslation>;
  ProductAttributeOptionTranslationInput: ProductAttributeOptionTranslationInput;
  ProductAttributeTableCellData: ResolverTypeWrapper<ProductAttributeTableCellData>;
  ProductAttributeTableCellDataInput: ProductAttributeTableCellDataInput;
  ProductAttributeTableTemplate: ResolverTypeWrapper<ProductAttributeTableTemplate>;
  ProductAttributeTableTemplateInput: ProductAttributeTableTemplateInput;
  ProductAttributeTranslation: ResolverTypeWrapper<ProductAttributeTranslation>;
  ProductAttributeTranslationInput: ProductAttributeTranslationInput;
  ProductAttributeTypeEnum: ProductAttributeTypeEnum;
  ProductAttributeValue: ResolverTypeWrapper<ProductAttributeValue>;
  ProductAttributeValueInput: ProductAttributeValueInput;
  ProductBaseUnitModel: ResolverTypeWrapper<ProductBaseUnitModel>;
  ProductBaseUnitModelInput: ProductBaseUnitModelInput;
  ProductBrand: ResolverTypeWrapper<ProductBrand>;
  ProductBrandInput: ProductBrandInput;
  ProductBrandTranslation: ResolverTypeWrapper<ProductBrandTranslation>;
  ProductBrandTranslationInput: ProductBrandTranslationInput;
  ProductImage: ResolverTypeWrapper<ProductImage>;
  ProductImageInput: ProductImageInput;
  ProductInput: ProductInput;
  ProductPaginationResponse: ResolverTypeWrapper<ProductPaginationResponse>;
  ProductPrice: ResolverTypeWrapper<ProductPrice>;
  ProductPriceInput: ProductPriceInput;
  ProductSalesChannel: ResolverTypeWrapper<ProductSalesChannel>;
  ProductSalesChannelInput: ProductSalesChannelInput;
  ProductSearchFacet: ResolverTypeWrapper<ProductSearchFacet>;
  ProductSearchFacetFieldEnum: ProductSearchFacetFieldEnum;
  ProductSearchFacetValue: ResolverTypeWrapper<ProductSearchFacetValue>;
  ProductSearchResponse: ResolverTypeWrapper<ProductSearchResponse>;
  ProductStockLocation: ResolverTypeWrapper<ProductStockLocation>;
  ProductStockLocationInput: ProductStockLocationInput;
  ProductStockLocationPaginationResponse: ResolverTypeWrapper<ProductStockLocationPaginationResponse>;
  ProductTag: ResolverTypeWrapper<ProductTag>;
  ProductTagInput: ProductTagInput;
  ProductTagTranslation: ResolverTypeWrapper<ProductTagTranslation>;
  ProductTagTranslationInput: ProductTagTranslationInput;
  ProductTranslation: ResolverTypeWrapper<ProductTranslation>;
  ProductTranslationInput: ProductTranslationInput;
  ProductTypeEnum: ProductTypeEnum;
  ProductUnitTypeEnum: ProductUnitTypeEnum;
  ProductVariantType: ResolverTypeWrapper<ProductVariantType>;
  ProductVariantTypeInput: ProductVariantTypeInput;
  Query: ResolverTypeWrapper<Record<PropertyKey, never>>;
  SalesChannel: ResolverTypeWrapper<SalesChannel>;
  SalesChannelInput: SalesChannelInput;
  SalesChannelPaymentGateway: ResolverTypeWrapper<SalesChannelPaymentGateway>;
  SalesChannelPaymentGatewayInput: SalesChannelPaymentGatewayInput;
  SalesChannelStatusEnum: SalesChannelStatusEnum;
  SalesChannelStockLocation: ResolverTypeWrapper<SalesChannelStockLocation>;
  SalesChannelStockLocationInput: SalesChannelStockLocationInput;
  SalesChannelTypeEnum: SalesChannelTypeEnum;
  SaveStockLocationsInput: SaveStockLocationsInput;
  SaveVariantPricesInput: SaveVariantPricesInput;
  SearchInput: SearchInput;
  SimpleCategory: ResolverTypeWrapper<SimpleCategory>;
  SimpleProductBrand: ResolverTypeWrapper<SimpleProductBrand>;
  SimpleProductTag: ResolverTypeWrapper<SimpleProductTag>;
  StockLocation: ResolverTypeWrapper<StockLocation>;
  StockLocationAddress: ResolverTypeWrapper<StockLocationAddress>;
  StockLocationAddressCity: ResolverTypeWrapper<StockLocationAddressCity>;
  StockLocationAddressCityInput: StockLocationAddressCityInput;
  StockLocationAddressCountry: ResolverTypeWrapper<StockLocationAddressCountry>;
  StockLocationAddressCountryInput: StockLocationAddressCountryInput;
  StockLocationAddressDistrict: ResolverTypeWrapper<StockLocationAddressDistrict>;
  StockLocationAddressDistrictInput: StockLocationAddressDistrictInput;
  StockLocationAddressInput: StockLocationAddressInput;
  StockLocationAddressState: ResolverTypeWrapper<StockLocationAddressState>;
  StockLocationAddressStateInput: StockLocationAddressStateInput;
  StockLocationDeliveryTimeEnum: StockLocationDeliveryTimeEnum;
  StockLocationInput: StockLocationInput;
  StockLocationTranslation: ResolverTypeWrapper<StockLocationTranslation>;
  StockLocationTranslationInput: StockLocationTranslationInput;
  StockLocationTypeEnum: StockLocationTypeEnum;
  String: ResolverTypeWrapper<Scalars['String']['output']>;
  StringFilterInput: StringFilterInput;
  Timestamp: ResolverTypeWrapper<Scalars['Timestamp']['output']>;
  UpdateProductSalesChannelStatusInput: UpdateProductSalesChannelStatusInput;
  Variant: ResolverTypeWrapper<Variant>;
  VariantInput: VariantInput;
  VariantPriceInput: VariantPriceInput;
  VariantSelectionTypeEnum: VariantSelectionTypeEnum;
  VariantTypeInput: VariantTypeInput;
  VariantTypeTranslation: ResolverTypeWrapper<VariantTypeTranslation>;
  VariantTypeTranslationInput: VariantTypeTranslationInput;
  VariantUnitModel: ResolverTypeWrapper<VariantUnitModel>;
  VariantUnitModelInput: VariantUnitModelInput;
  VariantValue: ResolverTypeWrapper<VariantValue>;
  VariantValueInput: VariantValueInput;
  VariantValueRelation: ResolverTypeWrapper<VariantValueRelation>;
  VariantValueRelationInput: VariantValueRelationInput;
  VariantValueTranslation: ResolverTypeWrapper<VariantValueTranslation>;
  VariantValueTranslationInput: VariantValueTranslationInput;
  Webhook: ResolverTypeWrapper<Webhook>;
  WebhookDelivery: ResolverTypeWrapper<WebhookDelivery>;
  WebhookDeliveryAttempt: ResolverTypeWrapper<WebhookDeliveryAttempt>;
  WebhookDeliveryPaginationResponse: ResolverTypeWrapper<WebhookDeliveryPaginationResponse>;
  WebhookDeliveryStatusEnum: WebhookDeliveryStatusEnum;
  WebhookInput: WebhookInput;
  WebhookStatusEnum: WebhookStatusEnum;
  WebhookTestAnswer: ResolverTypeWrapper<WebhookTestAnswer>;
  WebhookTestResult: ResolverTypeWrapper<WebhookTestResult>;
};

/** Mapping between all available schema types and the resolvers parents */
export type ResolversParentTypes = {
  AuthorizedApp: AuthorizedApp;
  Boolean: Scalars['Boolean']['output'];
  BulkOperation: BulkOperation;
  BulkOperationError: BulkOperationError;
  BulkUpdateProductBrandInput: BulkUpdateProductBrandInput;
  BulkUpdateProductCategoryInput: BulkUpdateProductCategoryInput;
  BulkUpdateProductHTMLMetaDataInput: BulkUpdateProductHtmlMetaDataInput;
  BulkUpdateProductImageInput: BulkUpdateProductImageInput;
  BulkUpdateProductPriceInput: BulkUpdateProductPriceInput;
  BulkUpdateProductStockInput: BulkUpdateProductStockInput;
  BulkUpdateProductTagInput: BulkUpdateProductTagInput;
  BulkUpdateProductVariantInput: BulkUpdateProductVariantInput;
  BulkUpdateProductVariantTypeImportInput: BulkUpdateProductVariantTypeImportInput;
  BulkUpdateProductVariantValueImportInput: BulkUpdateProductVariantValueImportInput;
  BulkUpdateProductVariationValueRelationInput: BulkUpdateProductVariationValueRelationInput;
  BulkUpdateProductsInput: BulkUpdateProductsInput;
  BundleProductModel: BundleProductModel;
  BundleProductModelInput: BundleProductModelInput;
  BundleSettingsModel: BundleSettingsModel;
  BundleSettingsModelInput: BundleSettingsModelInput;
  Category: Category;
  CategoryCondition: CategoryCondition;
  CategoryConditionInput: CategoryConditionInput;
  CategoryFilterInput: CategoryFilterInput;
  CategoryInput: CategoryInput;
  CategoryPathFilterInput: CategoryPathFilterInput;
  CategoryPathItem: CategoryPathItem;
  CategorySalesChannel: CategorySalesChannel;
  CategorySalesChannelInput: CategorySalesChannelInput;
  CategoryTranslation: CategoryTranslation;
  CategoryTranslationInput: CategoryTranslationInput;
  Customer: Customer;
  CustomerAddress: CustomerAddress;
  CustomerAddressCity: CustomerAddressCity;
  CustomerAddressCityInput: CustomerAddressCityInput;
  CustomerAddressCountry: CustomerAddressCountry;
  CustomerAddressCountryInput: CustomerAddressCountryInput;
  CustomerAddressDistrict: CustomerAddressDistrict;
  CustomerAddressDistrictInput: CustomerAddressDistrictInput;
  CustomerAddressInput: CustomerAddressInput;
  CustomerAddressRegion: CustomerAddressRegion;
  CustomerAddressRegionInput: CustomerAddressRegionInput;
  CustomerAddressState: CustomerAddressState;
  CustomerAddressStateInput: CustomerAddressStateInput;
  CustomerAttributeValue: CustomerAttributeValue;
  CustomerAttributeValueInput: CustomerAttributeValueInput;
  CustomerInput: CustomerInput;
  CustomerPaginationResponse: CustomerPaginationResponse;
  CustomerPriceListRule: CustomerPriceListRule;
  CustomerPriceListRuleFilter: CustomerPriceListRuleFilter;
  CustomerPriceListRuleFilterInput: CustomerPriceListRuleFilterInput;
  CustomerPriceListRuleInput: CustomerPriceListRuleInput;
  DateFilterInput: DateFilterInput;
  Float: Scalars['Float']['output'];
  HTMLMetaData: HtmlMetaData;
  HTMLMetaDataInput: HtmlMetaDataInput;
  HTMLMetaDataOverride: HtmlMetaDataOverride;
  HTMLMetaDataOverrideInput: HtmlMetaDataOverrideInput;
  HTMLMetaDataTranslation: HtmlMetaDataTranslation;
  HTMLMetaDataTranslationInput: HtmlMetaDataTranslationInput;
  ID: Scalars['ID']['output'];
  Int: Scalars['Int']['output'];
  MeResponse: MeResponse;
  MerchantAddress: MerchantAddress;
  MerchantAddressCity: MerchantAddressCity;
  MerchantAddressCountry: MerchantAddressCountry;
  MerchantAddressDistrict: MerchantAddressDistrict;
  MerchantAddressState: MerchantAddressState;
  MerchantResponse: MerchantResponse;
  Mutation: Record<PropertyKey, never>;
  PaginationInput: PaginationInput;
  PriceList: PriceList;
  PriceListCurrencyRateSettings: PriceListCurrencyRateSettings;
  PriceListCurrencyRateSettingsInput: PriceListCurrencyRateSettingsInput;
  PriceListCurrencySettings: PriceListCurrencySettings;
  PriceListCurrencySettingsInput: PriceListCurrencySettingsInput;
  PriceListInput: PriceListInput;
  PriceListRuleList: PriceListRuleList;
  PriceListRuleListInput: PriceListRuleListInput;
  PriceListRules: PriceListRules;
  PriceListRulesInput: PriceListRulesInput;
  Product: Product;
  ProductAttribute: ProductAttribute;
  ProductAttributeFilterInput: ProductAttributeFilterInput;
  ProductAttributeInput: ProductAttributeInput;
  ProductAttributeOption: ProductAttributeOption;
  ProductAttributeOptionInput: ProductAttributeOptionInput;
  ProductAttributeOptionTranslation: ProductAttributeOptionTranslation;
  ProductAttributeOptionTranslationInput: ProductAttributeOptionTranslationInput;
  ProductAttributeTableCellData: ProductAttributeTableCellData;
  ProductAttributeTableCellDataInput: ProductAttributeTableCellDataInput;
  ProductAttributeTableTemplate: ProductAttributeTableTemplate;
  ProductAttributeTableTemplateInput: ProductAttributeTableTemplateInput;
  ProductAttributeTranslation: ProductAttributeTranslation;
  ProductAttributeTranslationInput: ProductAttributeTranslationInput;
  ProductAttributeValue: ProductAttributeValue;
  ProductAttributeValueInput: ProductAttributeValueInput;
  ProductBaseUnitModel: ProductBaseUnitModel;
  ProductBaseUnitModelInput: ProductBaseUnitModelInput;
  ProductBrand: ProductBrand;
  ProductBrandInput: ProductBrandInput;
  ProductBrandTranslation: ProductBrandTranslation;
  ProductBrandTranslationInput: ProductBrandTranslationInput;
  ProductImage: ProductImage;
  ProductImageInput: ProductImageInput;
  ProductInput: ProductInput;
  ProductPaginationResponse: ProductPaginationResponse;
  ProductPrice: ProductPrice;
  ProductPriceInput: ProductPriceInput;
  ProductSalesChannel: ProductSalesChannel;
  ProductSalesChannelInput: ProductSalesChannelInput;
  ProductSearchFacet: ProductSearchFacet;
  ProductSearchFacetValue: ProductSearchFacetValue;
  ProductSearchResponse: ProductSearchResponse;
  ProductStockLocation: ProductStockLocation;
  ProductStockLocationInput: ProductStockLocationInput;
  ProductStockLocationPaginationResponse: ProductStockLocationPaginationResponse;
  ProductTag: ProductTag;
  ProductTagInput: ProductTagInput;
  ProductTagTranslation: ProductTagTranslation;
  ProductTagTranslationInput: ProductTagTranslationInput;
  ProductTranslation: ProductTranslation;
  ProductTranslationInput: ProductTranslationInput;
  ProductVariantType: ProductVariantType;
  ProductVariantTypeInput: ProductVariantTypeInput;
  Query: Record<PropertyKey, never>;
  SalesChannel: SalesChannel;
  SalesChannelInput: SalesChannelInput;
  SalesChannelPaymentGateway: SalesChannelPaymentGateway;
  SalesChannelPaymentGatewayInput: SalesChannelPaymentGatewayInput;
  SalesChannelStockLocation: SalesChannelStockLocation;
  SalesChannelStockLocationInput: SalesChannelStockLocationInput;
  SaveStockLocationsInput: SaveStockLocationsInput;
  SaveVariantPricesInput: SaveVariantPricesInput;
  SearchInput: SearchInput;
  SimpleCategory: SimpleCategory;
  SimpleProductBrand: SimpleProductBrand;
  SimpleProductTag: SimpleProductTag;
  StockLocation: StockLocation;
  StockLocationAddress: StockLocationAddress;
  StockLocationAddressCity: StockLocationAddressCity;
  StockLocationAddressCityInput: StockLocationAddressCityInput;
  StockLocationAddressCountry: StockLocationAddressCountry;
  StockLocationAddressCountryInput: StockLocationAddressCountryInput;
  StockLocationAddressDistrict: StockLocationAddressDistrict;
  StockLocationAddressDistrictInput: StockLocationAddressDistrictInput;
  StockLocationAddressInput: StockLocationAddressInput;
  StockLocationAddressState: StockLocationAddressState;
  StockLocationAddressStateInput: StockLocationAddressStateInput;
  StockLocationInput: StockLocationInput;
  StockLocationTranslation: StockLocationTranslation;
  StockLocationTranslationInput: StockLocationTranslationInput;
  String: Scalars['String']['output'];
  StringFilterInput: StringFilterInput;
  Timestamp: Scalars['Timestamp']['output'];
  UpdateProductSalesChannelStatusInput: UpdateProductSalesChannelStatusInput;
  Variant: Variant;
  VariantInput: VariantInput;
  VariantPriceInput: VariantPriceInput;
  VariantTypeInput: VariantTypeInput;
  VariantTypeTranslation: VariantTypeTranslation;
  VariantTypeTranslationInput: VariantTypeTranslationInput;
  VariantUnitModel: VariantUnitModel;
  VariantUnitModelInput: VariantUnitModelInput;
  VariantValue: VariantValue;
  VariantValueInput: VariantValueInput;
  VariantValueRelation: VariantValueRelation;
  VariantValueRelationInput: VariantValueRelationInput;
  VariantValueTranslation: VariantValueTranslation;
  VariantValueTranslationInput: VariantValueTranslationInput;
  Webhook: Webhook;
  WebhookDelivery: WebhookDelivery;
  WebhookDeliveryAttempt: WebhookDeliveryAttempt;
  WebhookDeliveryPaginationResponse: WebhookDeliveryPaginationResponse;
  WebhookInput: WebhookInput;
  WebhookTestAnswer: WebhookTestAnswer;
  WebhookTestResult: WebhookTestResult;
};

export type AliasesDirectiveArgs = {
  names: Array<Scalars['String']['input']>;
};

export type AliasesDirectiveResolver<Result, Parent, ContextType = Context, Args = AliasesDirectiveArgs> = DirectiveResolverFn<Result, Parent, ContextType, Args>;

export type AuthenticatedDirectiveArgs = { };

export type AuthenticatedDirectiveResolver<Result, Parent, ContextType = Context, Args = AuthenticatedDirectiveArgs> = DirectiveResolverFn<Result, Parent, ContextType, Args>;

export type CostDirectiveArgs = {
  weight: Scalars['String']['input'];
};

export type CostDirectiveResolver<Result, Parent, ContextType = Context, Args = CostDirectiveArgs> = DirectiveResolverFn<Result, Parent, ContextType, Args>;

export type LengthDirectiveArgs = {
  max: Scalars['Int']['input'];
};

export type LengthDirectiveResolver<Result, Parent, ContextType = Context, Args = LengthDirectiveArgs> = DirectiveResolverFn<Result, Parent, ContextType, Args>;

export type ListSizeDirectiveArgs = {
  assumedSize?: Maybe<Scalars['Int']['input']>;
  max?: Maybe<Scalars['Int']['input']>;
  sizedFields?: Maybe<Array<Scalars['String']['input']>>;
  slicingArguments?: Maybe<Array<Scalars['String']['input']>>;
};

export type ListSizeDirectiveResolver<Result, Parent, ContextType = Context, Args = ListSizeDirectiveArgs> = DirectiveResolverFn<Result, Parent, ContextType, Args>;

export type RequiresScopeDirectiveArgs = {
  scope: AppScopeEnum;
};

export type RequiresScopeDirectiveResolver<Result, Parent, ContextType = Context, Args = RequiresScopeDirectiveArgs> = DirectiveResolverFn<Result, Parent, ContextType, Args>;

export type AuthorizedAppResolvers<ContextType = Context, ParentType extends ResolversParentTypes['AuthorizedApp'] = ResolversParentTypes['AuthorizedApp']> = {
  addedDate?: Resolver<ResolversTypes['Timestamp'], ParentType, ContextType>;
  createdAt?: Resolver<Maybe<ResolversTypes['Timestamp']>, ParentType, ContextType>;
  deleted?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  partnerId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  salesChannelId?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  scope?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  storeAppId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  supportsMultipleInstallation?: Resolver<Maybe<ResolversTypes['Boolean']>, ParentType, ContextType>;
  updatedAt?: Resolver<Maybe<ResolversTypes['Timestamp']>, ParentType, ContextType>;
};

export type BulkOperationResolvers<ContextType = Context, ParentType extends ResolversParentTypes['BulkOperation'] = ResolversParentTypes['BulkOperation']> = {
  created?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  createdAt?: Resolver<Maybe<ResolversTypes['Timestamp']>, ParentType, ContextType>;
  deleted?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  errors?: Resolver<Array<ResolversTypes['BulkOperationError']>, ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  imagesFailed?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  imagesPending?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  status?: Resolver<ResolversTypes['BulkOperationStatusEnum'], ParentType, ContextType>;
  total?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  updated?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  updatedAt?: Resolver<Maybe<ResolversTypes['Timestamp']>, ParentType, ContextType>;
};

export type BulkOperationErrorResolvers<ContextType = Context, ParentType extends ResolversParentTypes['BulkOperationError'] = ResolversParentTypes['BulkOperationError']> = {
  message?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  path?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type BundleProductModelResolvers<ContextType = Context, ParentType extends ResolversParentTypes['BundleProductModel'] = ResolversParentTypes['BundleProductModel']> = {
  addToBundleBasePrice?: Resolver<Maybe<ResolversTypes['Boolean']>, ParentType, ContextType>;
  discountRatio?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  filteredVariantIds?: Resolver<Array<ResolversTypes['String']>, ParentType, ContextType>;
  id?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  maxQuantity?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  minQuantity?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  order?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  productId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  quantity?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
};

export type BundleSettingsModelResolvers<ContextType = Context, ParentType extends ResolversParentTypes['BundleSettingsModel'] = ResolversParentTypes['BundleSettingsModel']> = {
  maxBundleQuantity?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  minBundleQuantity?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  products?: Resolver<Array<ResolversTypes['BundleProductModel']>, ParentType, ContextType>;
};

export type CategoryResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Category'] = ResolversParentTypes['Category']> = {
  categoryPath?: Resolver<Maybe<Array<ResolversTypes['String']>>, ParentType, ContextType>;
  categoryPathItems?: Resolver<Maybe<Array<ResolversTypes['CategoryPathItem']>>, ParentType, ContextType>;
  conditions?: Resolver<Maybe<Array<ResolversTypes['CategoryCondition']>>, ParentType, ContextType>;
  createdAt?: Resolver<Maybe<ResolversTypes['Timestamp']>, ParentType, ContextType>;
  deleted?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  description?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  imageId?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  isAutomated?: Resolver<Maybe<ResolversTypes['Boolean']>, ParentType, ContextType>;
  metaData?: Resolver<Maybe<ResolversTypes['HTMLMetaData']>, ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  orderType?: Resolver<Maybe<ResolversTypes['CategoryProductsOrderTypeEnum']>, ParentType, ContextType>;
  parentId?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  salesChannelIds?: Resolver<Maybe<Array<ResolversTypes['String']>>, ParentType, ContextType>;
  salesChannels?: Resolver<Maybe<Array<ResolversTypes['CategorySalesChannel']>>, ParentType, ContextType>;
  shouldMatchAllConditions?: Resolver<Maybe<ResolversTypes['Boolean']>, ParentType, ContextType>;
  translations?: Resolver<Maybe<Array<ResolversTypes['CategoryTranslation']>>, ParentType, ContextType>;
  updatedAt?: Resolver<Maybe<ResolversTypes['Timestamp']>, ParentType, ContextType>;
};

export type CategoryConditionResolvers<ContextType = Context, ParentType extends ResolversParentTypes['CategoryCondition'] = ResolversParentTypes['CategoryCondition']> = {
  conditionType?: Resolver<ResolversTypes['CategoryConditionTypeEnum'], ParentType, ContextType>;
  method?: Resolver<Maybe<ResolversTypes['CategoryConditionMethodEnum']>, ParentType, ContextType>;
  valueList?: Resolver<Array<ResolversTypes['String']>, ParentType, ContextType>;
};

export type CategoryPathItemResolvers<ContextType = Context, ParentType extends ResolversParentTypes['CategoryPathItem'] = ResolversParentTypes['CategoryPathItem']> = {
  createdAt?: Resolver<Maybe<ResolversTypes['Timestamp']>, ParentType, ContextType>;
  deleted?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  description?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  imageId?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  isAutomated?: Resolver<Maybe<ResolversTypes['Boolean']>, ParentType, ContextType>;
  metaData?: Resolver<Maybe<ResolversTypes['HTMLMetaData']>, ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  translations?: Resolver<Maybe<Array<ResolversTypes['CategoryTranslation']>>, ParentType, ContextType>;
  updatedAt?: Resolver<Maybe<ResolversTypes['Timestamp']>, ParentType, ContextType>;
};

export type CategorySalesChannelResolvers<ContextType = Context, ParentType extends ResolversParentTypes['CategorySalesChannel'] = ResolversParentTypes['CategorySalesChannel']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  status?: Resolver<ResolversTypes['SalesChannelStatusEnum'], ParentType, ContextType>;
};

export type CategoryTranslationResolvers<ContextType = Context, ParentType extends ResolversParentTypes['CategoryTranslation'] = ResolversParentTypes['CategoryTranslation']> = {
  description?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  locale?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  name?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type CustomerResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Customer'] = ResolversParentTypes['Customer']> = {
  accountStatus?: Resolver<Maybe<ResolversTypes['CustomerAccountStatusEnum']>, ParentType, ContextType>;
  accountStatusUpdatedAt?: Resolver<Maybe<ResolversTypes['Timestamp']>, ParentType, ContextType>;
  addresses?: Resolver<Maybe<Array<ResolversTypes['CustomerAddress']>>, ParentType, ContextType>;
  attributes?: Resolver<Maybe<Array<ResolversTypes['CustomerAttributeValue']>>, ParentType, ContextType>;
  b2bStatus?: Resolver<Maybe<ResolversTypes['CustomerB2BStatusEnum']>, ParentType, ContextType>;
  birthDate?: Resolver<Maybe<ResolversTypes['Timestamp']>, ParentType, ContextType>;
  createdAt?: Resolver<Maybe<ResolversTypes['Timestamp']>, ParentType, ContextType>;
  customerGroupIds?: Resolver<Maybe<Array<ResolversTypes['String']>>, ParentType, ContextType>;
  customerSegmentIds?: Resolver<Maybe<Array<ResolversTypes['String']>>, ParentType, ContextType>;
  customerSequence?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  deleted?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  email?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  emailVerifiedDate?: Resolver<Maybe<ResolversTypes['Timestamp']>, ParentType, ContextType>;
  firstName?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  firstOrderDate?: Resolver<Maybe<ResolversTypes['Timestamp']>, ParentType, ContextType>;
  fullName?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  gender?: Resolver<Maybe<ResolversTypes['CustomerGenderTypeEnum']>, ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  ip?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  isEmailVerified?: Resolver<Maybe<ResolversTypes['Boolean']>, ParentType, ContextType>;
  isPhoneVerified?: Resolver<Maybe<ResolversTypes['Boolean']>, ParentType, ContextType>;
  lastName?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  lastOrderDate?: Resolver<Maybe<ResolversTypes['Timestamp']>, ParentType, ContextType>;
  lastPriceListId?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  lastStorefrontRoutingId?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  note?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  orderCount?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  passwordUpdateDate?: Resolver<Maybe<ResolversTypes['Timestamp']>, ParentType, ContextType>;
  phone?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  phoneSubscriptionStatus?: Resolver<Maybe<ResolversTypes['CustomerEmailSubscriptionStatusesEnum']>, ParentType, ContextType>;
  phoneSubscriptionStatusUpdatedAt?: Resolver<Maybe<ResolversTypes['Timestamp']>, ParentType, ContextType>;
  phoneVerifiedDate?: Resolver<Maybe<ResolversTypes['Timestamp']>, ParentType, ContextType>;
  preferredLanguage?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  priceListId?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  priceListRules?: Resolver<Maybe<Array<ResolversTypes['CustomerPriceListRule']>>, ParentType, ContextType>;
  registrationSource?: Resolver<Maybe<ResolversTypes['CustomerRegistrationSourceEnum']>, ParentType, ContextType>;
  smsSubscriptionStatus?: Resolver<Maybe<ResolversTypes['CustomerEmailSubscriptionStatusesEnum']>, ParentType, ContextType>;
  smsSubscriptionStatusUpdatedAt?: Resolver<Maybe<ResolversTypes['Timestamp']>, ParentType, ContextType>;
  subscriptionStatus?: Resolver<Maybe<ResolversTypes['CustomerEmailSubscriptionStatusesEnum']>, ParentType, ContextType>;
  subscriptionStatusUpdatedAt?: Resolver<Maybe<ResolversTypes['Timestamp']>, ParentType, ContextType>;
  tagIds?: Resolver<Maybe<Array<ResolversTypes['String']>>, ParentType, ContextType>;
  totalOrderPrice?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  updatedAt?: Resolver<Maybe<ResolversTypes['Timestamp']>, ParentType, ContextType>;
  userAgent?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type CustomerAddressResolvers<ContextType = Context, ParentType extends ResolversParentTypes['CustomerAddress'] = ResolversParentTypes['CustomerAddress']> = {
  addressLine1?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  addressLine2?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  attributes?: Resolver<Maybe<Array<ResolversTypes['CustomerAttributeValue']>>, ParentType, ContextType>;
  city?: Resolver<ResolversTypes['CustomerAddressCity'], ParentType, ContextType>;
  company?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  country?: Resolver<ResolversTypes['CustomerAddressCountry'], ParentType, ContextType>;
  createdAt?: Resolver<Maybe<ResolversTypes['Timestamp']>, ParentType, ContextType>;
  deleted?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  district?: Resolver<Maybe<ResolversTypes['CustomerAddressDistrict']>, ParentType, ContextType>;
  firstName?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  identityNumber?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  isDefault?: Resolver<Maybe<ResolversTypes['Boolean']>, ParentType, ContextType>;
  lastName?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  phone?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  postalCode?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  region?: Resolver<Maybe<ResolversTypes['CustomerAddressRegion']>, ParentType, ContextType>;
  state?: Resolver<Maybe<ResolversTypes['CustomerAddressState']>, ParentType, ContextType>;
  taxNumber?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  taxOffice?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  title?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  updatedAt?: Resolver<Maybe<ResolversTypes['Timestamp']>, ParentType, ContextType>;
};

export type CustomerAddressCityResolvers<ContextType = Context, ParentType extends ResolversParentTypes['CustomerAddressCity'] = ResolversParentTypes['CustomerAddressCity']> = {
  code?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  id?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type CustomerAddressCountryResolvers<ContextType = Context, ParentType extends ResolversParentTypes['CustomerAddressCountry'] = ResolversParentTypes['CustomerAddressCountry']> = {
  code?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  id?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  iso2?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  iso3?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type CustomerAddressDistrictResolvers<ContextType = Context, ParentType extends ResolversParentTypes['CustomerAddressDistrict'] = ResolversParentTypes['CustomerAddressDistrict']> = {
  code?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  id?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  name?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type CustomerAddressRegionResolvers<ContextType = Context, ParentType extends ResolversParentTypes['CustomerAddressRegion'] = ResolversParentTypes['CustomerAddressRegion']> = {
  createdAt?: Resolver<Maybe<ResolversTypes['Timestamp']>, ParentType, ContextType>;
  deleted?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  updatedAt?: Resolver<Maybe<ResolversTypes['Timestamp']>, ParentType, ContextType>;
};

export type CustomerAddressStateResolvers<ContextType = Context, ParentType extends ResolversParentTypes['CustomerAddressState'] = ResolversParentTypes['CustomerAddressState']> = {
  code?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  id?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  name?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type CustomerAttributeValueResolvers<ContextType = Context, ParentType extends ResolversParentTypes['CustomerAttributeValue'] = ResolversParentTypes['CustomerAttributeValue']> = {
  customerAttributeId?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  customerAttributeOptionId?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  value?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type CustomerPaginationResponseResolvers<ContextType = Context, ParentType extends ResolversParentTypes['CustomerPaginationResponse'] = ResolversParentTypes['CustomerPaginationResponse']> = {
  count?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  data?: Resolver<Array<ResolversTypes['Customer']>, ParentType, ContextType>;
  endCursor?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  hasNext?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  limit?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  page?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type CustomerPriceListRuleResolvers<ContextType = Context, ParentType extends ResolversParentTypes['CustomerPriceListRule'] = ResolversParentTypes['CustomerPriceListRule']> = {
  discountRate?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  filters?: Resolver<Maybe<Array<ResolversTypes['CustomerPriceListRuleFilter']>>, ParentType, ContextType>;
  priceListId?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  shouldMatchAllFilters?: Resolver<Maybe<ResolversTypes['Boolean']>, ParentType, ContextType>;
  value?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  valueType?: Resolver<ResolversTypes['CustomerPriceListRuleValueTypeEnum'], ParentType, ContextType>;
};

export type CustomerPriceListRuleFilterResolvers<ContextType = Context, ParentType extends ResolversParentTypes['CustomerPriceListRuleFilter'] = ResolversParentTypes['CustomerPriceListRuleFilter']> = {
  type?: Resolver<ResolversTypes['CustomerPriceListRuleFilterTypeEnum'], ParentType, ContextType>;
  valueList?: Resolver<Array<ResolversTypes['String']>, ParentType, ContextType>;
};

export type HtmlMetaDataResolvers<ContextType = Context, ParentType extends ResolversParentTypes['HTMLMetaData'] = ResolversParentTypes['HTMLMetaData']> = {
  canonicals?: Resolver<Maybe<Array<ResolversTypes['String']>>, ParentType, ContextType>;
  createdAt?: Resolver<Maybe<ResolversTypes['Timestamp']>, ParentType, ContextType>;
  deleted?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  description?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  disableIndex?: Resolver<Maybe<ResolversTypes['Boolean']>, ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  metadataOverrides?: Resolver<Maybe<Array<ResolversTypes['HTMLMetaDataOverride']>>, ParentType, ContextType>;
  pageTitle?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  redirectTo?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  slug?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  targetId?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  targetType?: Resolver<Maybe<ResolversTypes['HTMLMetaDataTargetTypeEnum']>, ParentType, ContextType>;
  translations?: Resolver<Maybe<Array<ResolversTypes['HTMLMetaDataTranslation']>>, ParentType, ContextType>;
  updatedAt?: Resolver<Maybe<ResolversTypes['Timestamp']>, ParentType, ContextType>;
};

export type HtmlMetaDataOverrideResolvers<ContextType = Context, ParentType extends ResolversParentTypes['HTMLMetaDataOverride'] = ResolversParentTypes['HTMLMetaDataOverride']> = {
  description?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  language?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  pageTitle?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  storefrontId?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  storefrontRegionId?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type HtmlMetaDataTranslationResolvers<ContextType = Context, ParentType extends ResolversParentTypes['HTMLMetaDataTranslation'] = ResolversParentTypes['HTMLMetaDataTranslation']> = {
  description?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  locale?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  pageTitle?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  slug?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type MeResponseResolvers<ContextType = Context, ParentType extends ResolversParentTypes['MeResponse'] = ResolversParentTypes['MeResponse']> = {
  addedDate?: Resolver<Maybe<ResolversTypes['Timestamp']>, ParentType, ContextType>;
  email?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  id?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  name?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  partnerId?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  salesChannelId?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  scope?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  scopes?: Resolver<Maybe<Array<ResolversTypes['AppScopeEnum']>>, ParentType, ContextType>;
  storeAppId?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  supportsMultipleInstallation?: Resolver<Maybe<ResolversTypes['Boolean']>, ParentType, ContextType>;
};

export type MerchantAddressResolvers<ContextType = Context, ParentType extends ResolversParentTypes['MerchantAddress'] = ResolversParentTypes['MerchantAddress']> = {
  addressLine1?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  addressLine2?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  city?: Resolver<Maybe<ResolversTypes['MerchantAddressCity']>, ParentType, ContextType>;
  company?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  country?: Resolver<Maybe<ResolversTypes['MerchantAddressCountry']>, ParentType, ContextType>;
  district?: Resolver<Maybe<ResolversTypes['MerchantAddressDistrict']>, ParentType, ContextType>;
  firstName?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  identityNumber?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  lastName?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  postalCode?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  state?: Resolver<Maybe<ResolversTypes['MerchantAddressState']>, ParentType, ContextType>;
  taxNumber?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  taxOffice?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  title?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  type?: Resolver<Maybe<ResolversTypes['MerchantSettingsAddressTypeEnum']>, ParentType, ContextType>;
  verified?: Resolver<Maybe<ResolversTypes['Boolean']>, ParentType, ContextType>;
  verifiedAt?: Resolver<Maybe<ResolversTypes['Timestamp']>, ParentType, ContextType>;
  vkn?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type MerchantAddressCityResolvers<ContextType = Context, ParentType extends ResolversParentTypes['MerchantAddressCity'] = ResolversParentTypes['MerchantAddressCity']> = {
  code?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  id?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  name?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type MerchantAddressCountryResolvers<ContextType = Context, ParentType extends ResolversParentTypes['MerchantAddressCountry'] = ResolversParentTypes['MerchantAddressCountry']> = {
  code?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  id?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  iso2?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  iso3?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  name?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type MerchantAddressDistrictResolvers<ContextType = Context, ParentType extends ResolversParentTypes['MerchantAddressDistrict'] = ResolversParentTypes['MerchantAddressDistrict']> = {
  code?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  id?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  name?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type MerchantAddressStateResolvers<ContextType = Context, ParentType extends ResolversParentTypes['MerchantAddressState'] = ResolversParentTypes['MerchantAddressState']> = {
  code?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  id?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  name?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type MerchantResponseResolvers<ContextType = Context, ParentType extends ResolversParentTypes['MerchantResponse'] = ResolversParentTypes['MerchantResponse']> = {
  address?: Resolver<Maybe<ResolversTypes['MerchantAddress']>, ParentType, ContextType>;
  billingAddress?: Resolver<Maybe<ResolversTypes['MerchantAddress']>, ParentType, ContextType>;
  email?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  firstName?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  id?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  lastName?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  merchantName?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  merchantSequence?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  phoneNumber?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  region?: Resolver<Maybe<ResolversTypes['MerchantRegionEnum']>, ParentType, ContextType>;
  storeName?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type MutationResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Mutation'] = ResolversParentTypes['Mutation']> = {
  bulkUpdateProducts: Resolver<ResolversTypes['String'], ParentType, ContextType, RequireFields<MutationBulkUpdateProductsArgs, 'input'>>;
  deleteCategoryList: Resolver<ResolversTypes['Boolean'], ParentType, ContextType, RequireFields<MutationDeleteCategoryListArgs, 'idList'>>;
  deleteCustomerList: Resolver<ResolversTypes['Boolean'], ParentType, ContextType, RequireFields<MutationDeleteCustomerListArgs, 'idList'>>;
  deletePriceListList: Resolver<ResolversTypes['Boolean'], ParentType, ContextType, RequireFields<MutationDeletePriceListListArgs, 'idList'>>;
  deleteProductAttributeList: Resolver<ResolversTypes['Boolean'], ParentType, ContextType, RequireFields<MutationDeleteProductAttributeListArgs, 'idList'>>;
  deleteProductBrandList: Resolver<ResolversTypes['Boolean'], ParentType, ContextType, RequireFields<MutationDeleteProductBrandListArgs, 'idList'>>;
  deleteProductList: Resolver<ResolversTypes['Boolean'], ParentType, ContextType, RequireFields<MutationDeleteProductListArgs, 'idList'>>;
  deleteProductTagList: Resolver<ResolversTypes['Boolean'], ParentType, ContextType, RequireFields<MutationDeleteProductTagListArgs, 'idList'>>;
  deleteSalesChannelList: Resolver<ResolversTypes['Boolean'], ParentType, ContextType, RequireFields<MutationDeleteSalesChannelListArgs, 'idList'>>;
  deleteStockLocationList: Resolver<ResolversTypes['Boolean'], ParentType, ContextType, RequireFields<MutationDeleteStockLocationListArgs, 'idList'>>;
  deleteVariantTypeList: Resolver<ResolversTypes['Boolean'], ParentType, ContextType, RequireFields<MutationDeleteVariantTypeListArgs, 'idList'>>;
  deleteWebhook: Resolver<ResolversTypes['Boolean'], ParentType, ContextType, RequireFields<MutationDeleteWebhookArgs, 'scopes'>>;
  redeliverWebhook: Resolver<ResolversTypes['Boolean'], ParentType, ContextType, RequireFields<MutationRedeliverWebhookArgs, 'idList'>>;
  redeliverWebhookRange: Resolver<ResolversTypes['Boolean'], ParentType, ContextType, RequireFields<MutationRedeliverWebhookRangeArgs, 'from' | 'scope' | 'to'>>;
  saveCategory: Resolver<ResolversTypes['Category'], ParentType, ContextType, RequireFields<MutationSaveCategoryArgs, 'input'>>;
  saveCustomer: Resolver<ResolversTypes['Customer'], ParentType, ContextType, RequireFields<MutationSaveCustomerArgs, 'input'>>;
  savePriceList: Resolver<ResolversTypes['PriceList'], ParentType, ContextType, RequireFields<MutationSavePriceListArgs, 'input'>>;
  saveProduct: Resolver<ResolversTypes['Product'], ParentType, ContextType, RequireFields<MutationSaveProductArgs, 'input'>>;
  saveProductAttribute: Resolver<ResolversTypes['ProductAttribute'], ParentType, ContextType, RequireFields<MutationSaveProductAttributeArgs, 'input'>>;
  saveProductBrand: Resolver<ResolversTypes['ProductBrand'], ParentType, ContextType, RequireFields<MutationSaveProductBrandArgs, 'input'>>;
  saveProductStockLocations: Resolver<ResolversTypes['Boolean'], ParentType, ContextType, RequireFields<MutationSaveProductStockLocationsArgs, 'input'>>;
  saveProductTag: Resolver<ResolversTypes['ProductTag'], ParentType, ContextType, RequireFields<MutationSaveProductTagArgs, 'input'>>;
  saveSalesChannel: Resolver<ResolversTypes['SalesChannel'], ParentType, ContextType, RequireFields<MutationSaveSalesChannelArgs, 'input'>>;
  saveStockLocation: Resolver<ResolversTypes['StockLocation'], ParentType, ContextType, RequireFields<MutationSaveStockLocationArgs, 'input'>>;
  saveVariantPrices: Resolver<ResolversTypes['Boolean'], ParentType, ContextType, RequireFields<MutationSaveVariantPricesArgs, 'input'>>;
  saveVariantType: Resolver<ResolversTypes['ProductVariantType'], ParentType, ContextType, RequireFields<MutationSaveVariantTypeArgs, 'input'>>;
  saveWebhook: Resolver<Maybe<Array<ResolversTypes['Webhook']>>, ParentType, ContextType, RequireFields<MutationSaveWebhookArgs, 'input'>>;
  testWebhook: Resolver<ResolversTypes['WebhookTestResult'], ParentType, ContextType, RequireFields<MutationTestWebhookArgs, 'scope'>>;
  updateProductSalesChannelStatus: Resolver<ResolversTypes['Boolean'], ParentType, ContextType, RequireFields<MutationUpdateProductSalesChannelStatusArgs, 'input'>>;
};

export type PriceListResolvers<ContextType = Context, ParentType extends ResolversParentTypes['PriceList'] = ResolversParentTypes['PriceList']> = {
  addProductsAutomatically?: Resolver<Maybe<ResolversTypes['Boolean']>, ParentType, ContextType>;
  createdAt?: Resolver<Maybe<ResolversTypes['Timestamp']>, ParentType, ContextType>;
  currency?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  currencyCode?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  currencySymbol?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  deleted?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  ruleList?: Resolver<Maybe<Array<ResolversTypes['PriceListRuleList']>>, ParentType, ContextType>;
  type?: Resolver<Maybe<ResolversTypes['PriceListTypeEnum']>, ParentType, ContextType>;
  updatedAt?: Resolver<Maybe<ResolversTypes['Timestamp']>, ParentType, ContextType>;
};

export type PriceListCurrencyRateSettingsResolvers<ContextType = Context, ParentType extends ResolversParentTypes['PriceListCurrencyRateSettings'] = ResolversParentTypes['PriceListCurrencyRateSettings']> = {
  amount?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  type?: Resolver<ResolversTypes['PriceListCurrencyRateTypeEnum'], ParentType, ContextType>;
};

export type PriceListCurrencySettingsResolvers<ContextType = Context, ParentType extends ResolversParentTypes['PriceListCurrencySettings'] = ResolversParentTypes['PriceListCurrencySettings']> = {
  roundingFormat?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type PriceListRuleListResolvers<ContextType = Context, ParentType extends ResolversParentTypes['PriceListRuleList'] = ResolversParentTypes['PriceListRuleList']> = {
  basePriceListId?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  currencyRateSettings?: Resolver<Maybe<ResolversTypes['PriceListCurrencyRateSettings']>, ParentType, ContextType>;
  currencySettings?: Resolver<ResolversTypes['PriceListCurrencySettings'], ParentType, ContextType>;
  rules?: Resolver<Array<ResolversTypes['PriceListRules']>, ParentType, ContextType>;
};

export type PriceListRulesResolvers<ContextType = Context, ParentType extends ResolversParentTypes['PriceListRules'] = ResolversParentTypes['PriceListRules']> = {
  amount?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  amountType?: Resolver<ResolversTypes['PriceListRulesAmountTypeEnum'], ParentType, ContextType>;
  operationType?: Resolver<ResolversTypes['PriceListRulesOperationTypeEnum'], ParentType, ContextType>;
};

export type ProductResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Product'] = ResolversParentTypes['Product']> = {
  attributes?: Resolver<Maybe<Array<ResolversTypes['ProductAttributeValue']>>, ParentType, ContextType>;
  baseUnit?: Resolver<Maybe<ResolversTypes['ProductBaseUnitModel']>, ParentType, ContextType>;
  brand?: Resolver<Maybe<ResolversTypes['SimpleProductBrand']>, ParentType, ContextType>;
  brandId?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  categories?: Resolver<Maybe<Array<ResolversTypes['SimpleCategory']>>, ParentType, ContextType>;
  categoryIds?: Resolver<Maybe<Array<ResolversTypes['String']>>, ParentType, ContextType>;
  createdAt?: Resolver<Maybe<ResolversTypes['Timestamp']>, ParentType, ContextType>;
  deleted?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  description?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  dynamicPriceListIds?: Resolver<Maybe<Array<ResolversTypes['String']>>, ParentType, ContextType>;
  googleTaxonomyId?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  groupVariantsByVariantTypeId?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  hiddenSalesChannelIds?: Resolver<Maybe<Array<ResolversTypes['String']>>, ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  maxQuantityPerCart?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  metaData?: Resolver<Maybe<ResolversTypes['HTMLMetaData']>, ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  productOptionSetId?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  productVariantTypes?: Resolver<Maybe<Array<ResolversTypes['ProductVariantType']>>, ParentType, ContextType>;
  productVolumeDiscountId?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  releaseDate?: Resolver<Maybe<ResolversTypes['Timestamp']>, ParentType, ContextType>;
  salesChannelIds?: Resolver<Maybe<Array<ResolversTypes['String']>>, ParentType, ContextType>;
  salesChannels?: Resolver<Maybe<Array<ResolversTypes['ProductSalesChannel']>>, ParentType, ContextType>;
  shortDescription?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  subscriptionPlanId?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  tagIds?: Resolver<Maybe<Array<ResolversTypes['String']>>, ParentType, ContextType>;
  tags?: Resolver<Maybe<Array<ResolversTypes['SimpleProductTag']>>, ParentType, ContextType>;
  totalStock?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  translations?: Resolver<Maybe<Array<ResolversTypes['ProductTranslation']>>, ParentType, ContextType>;
  type?: Resolver<ResolversTypes['ProductTypeEnum'], ParentType, ContextType>;
  updatedAt?: Resolver<Maybe<ResolversTypes['Timestamp']>, ParentType, ContextType>;
  variants?: Resolver<Array<ResolversTypes['Variant']>, ParentType, ContextType>;
  vendorId?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  version?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  weight?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
};

export type ProductAttributeResolvers<ContextType = Context, ParentType extends ResolversParentTypes['ProductAttribute'] = ResolversParentTypes['ProductAttribute']> = {
  createdAt?: Resolver<Maybe<ResolversTypes['Timestamp']>, ParentType, ContextType>;
  deleted?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  description?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  options?: Resolver<Maybe<Array<ResolversTypes['ProductAttributeOption']>>, ParentType, ContextType>;
  tableTemplate?: Resolver<Maybe<ResolversTypes['ProductAttributeTableTemplate']>, ParentType, ContextType>;
  translations?: Resolver<Maybe<Array<ResolversTypes['ProductAttributeTranslation']>>, ParentType, ContextType>;
  type?: Resolver<ResolversTypes['ProductAttributeTypeEnum'], ParentType, ContextType>;
  updatedAt?: Resolver<Maybe<ResolversTypes['Timestamp']>, ParentType, ContextType>;
};

export type ProductAttributeOptionResolvers<ContextType = Context, ParentType extends ResolversParentTypes['ProductAttributeOption'] = ResolversParentTypes['ProductAttributeOption']> = {
  colorCode?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  createdAt?: Resolver<Maybe<ResolversTypes['Timestamp']>, ParentType, ContextType>;
  deleted?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  thumbnailImageId?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  updatedAt?: Resolver<Maybe<ResolversTypes['Timestamp']>, ParentType, ContextType>;
};

export type ProductAttributeOptionTranslationResolvers<ContextType = Context, ParentType extends ResolversParentTypes['ProductAttributeOptionTranslation'] = ResolversParentTypes['ProductAttributeOptionTranslation']> = {
  id?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  name?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type ProductAttributeTableCellDataResolvers<ContextType = Context, ParentType extends ResolversParentTypes['ProductAttributeTableCellData'] = ResolversParentTypes['ProductAttributeTableCellData']> = {
  id?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type ProductAttributeTableTemplateResolvers<ContextType = Context, ParentType extends ResolversParentTypes['ProductAttributeTableTemplate'] = ResolversParentTypes['ProductAttributeTableTemplate']> = {
  columns?: Resolver<Array<ResolversTypes['ProductAttributeTableCellData']>, ParentType, ContextType>;
  rows?: Resolver<Array<ResolversTypes['ProductAttributeTableCellData']>, ParentType, ContextType>;
};

export type ProductAttributeTranslationResolvers<ContextType = Context, ParentType extends ResolversParentTypes['ProductAttributeTranslation'] = ResolversParentTypes['ProductAttributeTranslation']> = {
  description?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  locale?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  name?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  options?: Resolver<Maybe<Array<ResolversTypes['ProductAttributeOptionTranslation']>>, ParentType, ContextType>;
};

export type ProductAttributeValueResolvers<ContextType = Context, ParentType extends ResolversParentTypes['ProductAttributeValue'] = ResolversParentTypes['ProductAttributeValue']> = {
  imageIds?: Resolver<Maybe<Array<ResolversTypes['String']>>, ParentType, ContextType>;
  productAttributeId?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  productAttributeOptionId?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  value?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type ProductBaseUnitModelResolvers<ContextType = Context, ParentType extends ResolversParentTypes['ProductBaseUnitModel'] = ResolversParentTypes['ProductBaseUnitModel']> = {
  baseAmount?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  type?: Resolver<ResolversTypes['ProductUnitTypeEnum'], ParentType, ContextType>;
  unitId?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type ProductBrandResolvers<ContextType = Context, ParentType extends ResolversParentTypes['ProductBrand'] = ResolversParentTypes['ProductBrand']> = {
  createdAt?: Resolver<Maybe<ResolversTypes['Timestamp']>, ParentType, ContextType>;
  deleted?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  description?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  imageId?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  metaData?: Resolver<Maybe<ResolversTypes['HTMLMetaData']>, ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  orderType?: Resolver<Maybe<ResolversTypes['CategoryProductsOrderTypeEnum']>, ParentType, ContextType>;
  salesChannelIds?: Resolver<Maybe<Array<ResolversTypes['String']>>, ParentType, ContextType>;
  translations?: Resolver<Maybe<Array<ResolversTypes['ProductBrandTranslation']>>, ParentType, ContextType>;
  updatedAt?: Resolver<Maybe<ResolversTypes['Timestamp']>, ParentType, ContextType>;
};

export type ProductBrandTranslationResolvers<ContextType = Context, ParentType extends ResolversParentTypes['ProductBrandTranslation'] = ResolversParentTypes['ProductBrandTranslation']> = {
  description?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  locale?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  name?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type ProductImageResolvers<ContextType = Context, ParentType extends ResolversParentTypes['ProductImage'] = ResolversParentTypes['ProductImage']> = {
  fileName?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  imageId?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  isMain?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  isVideo?: Resolver<Maybe<ResolversTypes['Boolean']>, ParentType, ContextType>;
  order?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
};

export type ProductPaginationResponseResolvers<ContextType = Context, ParentType extends ResolversParentTypes['ProductPaginationResponse'] = ResolversParentTypes['ProductPaginationResponse']> = {
  count?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  data?: Resolver<Array<ResolversTypes['Product']>, ParentType, ContextType>;
  endCursor?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  hasNext?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  limit?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  page?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type ProductPriceResolvers<ContextType = Context, ParentType extends ResolversParentTypes['ProductPrice'] = ResolversParentTypes['ProductPrice']> = {
  buyPrice?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  currency?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  currencyCode?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  currencySymbol?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  discountPrice?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  priceListId?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  sellPrice?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
};

export type ProductSalesChannelResolvers<ContextType = Context, ParentType extends ResolversParentTypes['ProductSalesChannel'] = ResolversParentTypes['ProductSalesChannel']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  maxQuantityPerCart?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  minQuantityPerCart?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  productVolumeDiscountId?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  quantitySettings?: Resolver<Maybe<Array<ResolversTypes['Float']>>, ParentType, ContextType>;
  status?: Resolver<ResolversTypes['SalesChannelStatusEnum'], ParentType, ContextType>;
};

export type ProductSearchFacetResolvers<ContextType = Context, ParentType extends ResolversParentTypes['ProductSearchFacet'] = ResolversParentTypes['ProductSearchFacet']> = {
  field?: Resolver<ResolversTypes['ProductSearchFacetFieldEnum'], ParentType, ContextType>;
  values?: Resolver<Array<ResolversTypes['ProductSearchFacetValue']>, ParentType, ContextType>;
};

export type ProductSearchFacetValueResolvers<ContextType = Context, ParentType extends ResolversParentTypes['ProductSearchFacetValue'] = ResolversParentTypes['ProductSearchFacetValue']> = {
  count?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  id?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type ProductSearchResponseResolvers<ContextType = Context, ParentType extends ResolversParentTypes['ProductSearchResponse'] = ResolversParentTypes['ProductSearchResponse']> = {
  count?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  facets?: Resolver<Array<ResolversTypes['ProductSearchFacet']>, ParentType, ContextType>;
  hasNext?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  limit?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  page?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  results?: Resolver<Array<ResolversTypes['Product']>, ParentType, ContextType>;
  totalCount?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
};

export type ProductStockLocationResolvers<ContextType = Context, ParentType extends ResolversParentTypes['ProductStockLocation'] = ResolversParentTypes['ProductStockLocation']> = {
  createdAt?: Resolver<Maybe<ResolversTypes['Timestamp']>, ParentType, ContextType>;
  deleted?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  productId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  stockCount?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  stockLocationId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  updatedAt?: Resolver<Maybe<ResolversTypes['Timestamp']>, ParentType, ContextType>;
  variantId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type ProductStockLocationPaginationResponseResolvers<ContextType = Context, ParentType extends ResolversParentTypes['ProductStockLocationPaginationResponse'] = ResolversParentTypes['ProductStockLocationPaginationResponse']> = {
  count?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  data?: Resolver<Array<ResolversTypes['ProductStockLocation']>, ParentType, ContextType>;
  endCursor?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  hasNext?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  limit?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  page?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type ProductTagResolvers<ContextType = Context, ParentType extends ResolversParentTypes['ProductTag'] = ResolversParentTypes['ProductTag']> = {
  createdAt?: Resolver<Maybe<ResolversTypes['Timestamp']>, ParentType, ContextType>;
  deleted?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  translations?: Resolver<Maybe<Array<ResolversTypes['ProductTagTranslation']>>, ParentType, ContextType>;
  updatedAt?: Resolver<Maybe<ResolversTypes['Timestamp']>, ParentType, ContextType>;
};

export type ProductTagTranslationResolvers<ContextType = Context, ParentType extends ResolversParentTypes['ProductTagTranslation'] = ResolversParentTypes['ProductTagTranslation']> = {
  description?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  locale?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  name?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type ProductTranslationResolvers<ContextType = Context, ParentType extends ResolversParentTypes['ProductTranslation'] = ResolversParentTypes['ProductTranslation']> = {
  description?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  locale?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  name?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type ProductVariantTypeResolvers<ContextType = Context, ParentType extends ResolversParentTypes['ProductVariantType'] = ResolversParentTypes['ProductVariantType']> = {
  createdAt?: Resolver<Maybe<ResolversTypes['Timestamp']>, ParentType, ContextType>;
  deleted?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  order?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  selectionType?: Resolver<ResolversTypes['VariantSelectionTypeEnum'], ParentType, ContextType>;
  translations?: Resolver<Maybe<Array<ResolversTypes['VariantTypeTranslation']>>, ParentType, ContextType>;
  updatedAt?: Resolver<Maybe<ResolversTypes['Timestamp']>, ParentType, ContextType>;
  values?: Resolver<Array<ResolversTypes['VariantValue']>, ParentType, ContextType>;
  variantTypeId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  variantValueIds?: Resolver<Maybe<Array<ResolversTypes['String']>>, ParentType, ContextType>;
};

export type QueryResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Query'] = ResolversParentTypes['Query']> = {
  getAuthorizedApp: Resolver<Maybe<ResolversTypes['AuthorizedApp']>, ParentType, ContextType>;
  getBulkOperation: Resolver<Maybe<ResolversTypes['BulkOperation']>, ParentType, ContextType, RequireFields<QueryGetBulkOperationArgs, 'id'>>;
  getMerchant: Resolver<Maybe<ResolversTypes['MerchantResponse']>, ParentType, ContextType>;
  listCategory: Resolver<Array<ResolversTypes['Category']>, ParentType, ContextType, Partial<QueryListCategoryArgs>>;
  listCustomer: Resolver<ResolversTypes['CustomerPaginationResponse'], ParentType, ContextType, Partial<QueryListCustomerArgs>>;
  listPriceList: Resolver<Array<ResolversTypes['PriceList']>, ParentType, ContextType, Partial<QueryListPriceListArgs>>;
  listProduct: Resolver<ResolversTypes['ProductPaginationResponse'], ParentType, ContextType, Partial<QueryListProductArgs>>;
  listProductAttribute: Resolver<Array<ResolversTypes['ProductAttribute']>, ParentType, ContextType, Partial<QueryListProductAttributeArgs>>;
  listProductBrand: Resolver<Array<ResolversTypes['ProductBrand']>, ParentType, ContextType, Partial<QueryListProductBrandArgs>>;
  listProductStockLocation: Resolver<ResolversTypes['ProductStockLocationPaginationResponse'], ParentType, ContextType, Partial<QueryListProductStockLocationArgs>>;
  listProductTag: Resolver<Array<ResolversTypes['ProductTag']>, ParentType, ContextType, Partial<QueryListProductTagArgs>>;
  listSalesChannel: Resolver<Array<ResolversTypes['SalesChannel']>, ParentType, ContextType, Partial<QueryListSalesChannelArgs>>;
  listStockLocation: Resolver<Array<ResolversTypes['StockLocation']>, ParentType, ContextType, Partial<QueryListStockLocationArgs>>;
  listVariantType: Resolver<Array<ResolversTypes['ProductVariantType']>, ParentType, ContextType, Partial<QueryListVariantTypeArgs>>;
  listWebhook: Resolver<Array<ResolversTypes['Webhook']>, ParentType, ContextType>;
  listWebhookDelivery: Resolver<ResolversTypes['WebhookDeliveryPaginationResponse'], ParentType, ContextType, Partial<QueryListWebhookDeliveryArgs>>;
  me: Resolver<Maybe<ResolversTypes['MeResponse']>, ParentType, ContextType>;
  searchProducts: Resolver<ResolversTypes['ProductSearchResponse'], ParentType, ContextType, RequireFields<QuerySearchProductsArgs, 'input'>>;
};

export type SalesChannelResolvers<ContextType = Context, ParentType extends ResolversParentTypes['SalesChannel'] = ResolversParentTypes['SalesChannel']> = {
  createdAt?: Resolver<Maybe<ResolversTypes['Timestamp']>, ParentType, ContextType>;
  deleted?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  paymentGateways?: Resolver<Maybe<Array<ResolversTypes['SalesChannelPaymentGateway']>>, ParentType, ContextType>;
  priceListId?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  stockLocations?: Resolver<Maybe<Array<ResolversTypes['SalesChannelStockLocation']>>, ParentType, ContextType>;
  type?: Resolver<ResolversTypes['SalesChannelTypeEnum'], ParentType, ContextType>;
  updatedAt?: Resolver<Maybe<ResolversTypes['Timestamp']>, ParentType, ContextType>;
};

export type SalesChannelPaymentGatewayResolvers<ContextType = Context, ParentType extends ResolversParentTypes['SalesChannelPaymentGateway'] = ResolversParentTypes['SalesChannelPaymentGateway']> = {
  id?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  order?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
};

export type SalesChannelStockLocationResolvers<ContextType = Context, ParentType extends ResolversParentTypes['SalesChannelStockLocation'] = ResolversParentTypes['SalesChannelStockLocation']> = {
  id?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  order?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
};

export type SimpleCategoryResolvers<ContextType = Context, ParentType extends ResolversParentTypes['SimpleCategory'] = ResolversParentTypes['SimpleCategory']> = {
  createdAt?: Resolver<Maybe<ResolversTypes['Timestamp']>, ParentType, ContextType>;
  deleted?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  parentId?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  updatedAt?: Resolver<Maybe<ResolversTypes['Timestamp']>, ParentType, ContextType>;
};

export type SimpleProductBrandResolvers<ContextType = Context, ParentType extends ResolversParentTypes['SimpleProductBrand'] = ResolversParentTypes['SimpleProductBrand']> = {
  createdAt?: Resolver<Maybe<ResolversTypes['Timestamp']>, ParentType, ContextType>;
  deleted?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  updatedAt?: Resolver<Maybe<ResolversTypes['Timestamp']>, ParentType, ContextType>;
};

export type SimpleProductTagResolvers<ContextType = Context, ParentType extends ResolversParentTypes['SimpleProductTag'] = ResolversParentTypes['SimpleProductTag']> = {
  createdAt?: Resolver<Maybe<ResolversTypes['Timestamp']>, ParentType, ContextType>;
  deleted?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  updatedAt?: Resolver<Maybe<ResolversTypes['Timestamp']>, ParentType, ContextType>;
};

export type StockLocationResolvers<ContextType = Context, ParentType extends ResolversParentTypes['StockLocation'] = ResolversParentTypes['StockLocation']> = {
  address?: Resolver<Maybe<ResolversTypes['StockLocationAddress']>, ParentType, ContextType>;
  createdAt?: Resolver<Maybe<ResolversTypes['Timestamp']>, ParentType, ContextType>;
  deleted?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  deliveryTime?: Resolver<Maybe<ResolversTypes['StockLocationDeliveryTimeEnum']>, ParentType, ContextType>;
  description?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  isRemindOutOfStockEnabled?: Resolver<Maybe<ResolversTypes['Boolean']>, ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  outOfStockMailList?: Resolver<Maybe<Array<ResolversTypes['String']>>, ParentType, ContextType>;
  translations?: Resolver<Maybe<Array<ResolversTypes['StockLocationTranslation']>>, ParentType, ContextType>;
  type?: Resolver<Maybe<ResolversTypes['StockLocationTypeEnum']>, ParentType, ContextType>;
  updatedAt?: Resolver<Maybe<ResolversTypes['Timestamp']>, ParentType, ContextType>;
};

export type StockLocationAddressResolvers<ContextType = Context, ParentType extends ResolversParentTypes['StockLocationAddress'] = ResolversParentTypes['StockLocationAddress']> = {
  address?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  city?: Resolver<Maybe<ResolversTypes['StockLocationAddressCity']>, ParentType, ContextType>;
  country?: Resolver<Maybe<ResolversTypes['StockLocationAddressCountry']>, ParentType, ContextType>;
  district?: Resolver<Maybe<ResolversTypes['StockLocationAddressDistrict']>, ParentType, ContextType>;
  phone?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  postalCode?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  state?: Resolver<Maybe<ResolversTypes['StockLocationAddressState']>, ParentType, ContextType>;
};

export type StockLocationAddressCityResolvers<ContextType = Context, ParentType extends ResolversParentTypes['StockLocationAddressCity'] = ResolversParentTypes['StockLocationAddressCity']> = {
  code?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  id?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  name?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type StockLocationAddressCountryResolvers<ContextType = Context, ParentType extends ResolversParentTypes['StockLocationAddressCountry'] = ResolversParentTypes['StockLocationAddressCountry']> = {
  code?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  id?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  iso2?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  iso3?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  name?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type StockLocationAddressDistrictResolvers<ContextType = Context, ParentType extends ResolversParentTypes['StockLocationAddressDistrict'] = ResolversParentTypes['StockLocationAddressDistrict']> = {
  code?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  id?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  name?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type StockLocationAddressStateResolvers<ContextType = Context, ParentType extends ResolversParentTypes['StockLocationAddressState'] = ResolversParentTypes['StockLocationAddressState']> = {
  code?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  id?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  name?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type StockLocationTranslationResolvers<ContextType = Context, ParentType extends ResolversParentTypes['StockLocationTranslation'] = ResolversParentTypes['StockLocationTranslation']> = {
  description?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  locale?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export interface TimestampScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['Timestamp'], any> {
  name: 'Timestamp';
}

export type VariantResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Variant'] = ResolversParentTypes['Variant']> = {
  attributes?: Resolver<Maybe<Array<ResolversTypes['ProductAttributeValue']>>, ParentType, ContextType>;
  barcodeList?: Resolver<Maybe<Array<ResolversTypes['String']>>, ParentType, ContextType>;
  bundleSettings?: Resolver<Maybe<ResolversTypes['BundleSettingsModel']>, ParentType, ContextType>;
  createdAt?: Resolver<Maybe<ResolversTypes['Timestamp']>, ParentType, ContextType>;
  deleted?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  fileId?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  hsCode?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  images?: Resolver<Maybe<Array<ResolversTypes['ProductImage']>>, ParentType, ContextType>;
  isActive?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  prices?: Resolver<Array<ResolversTypes['ProductPrice']>, ParentType, ContextType>;
  sellIfOutOfStock?: Resolver<Maybe<ResolversTypes['Boolean']>, ParentType, ContextType>;
  sku?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  stocks?: Resolver<Maybe<Array<ResolversTypes['ProductStockLocation']>>, ParentType, ContextType>;
  subscriptionPlanId?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  unit?: Resolver<Maybe<ResolversTypes['VariantUnitModel']>, ParentType, ContextType>;
  updatedAt?: Resolver<Maybe<ResolversTypes['Timestamp']>, ParentType, ContextType>;
  variantValueIds?: Resolver<Maybe<Array<ResolversTypes['VariantValueRelation']>>, ParentType, ContextType>;
  weight?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
};

export type VariantTypeTranslationResolvers<ContextType = Context, ParentType extends ResolversParentTypes['VariantTypeTranslation'] = ResolversParentTypes['VariantTypeTranslation']> = {
  locale?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  name?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  values?: Resolver<Maybe<Array<ResolversTypes['VariantValueTranslation']>>, ParentType, ContextType>;
};

export type VariantUnitModelResolvers<ContextType = Context, ParentType extends ResolversParentTypes['VariantUnitModel'] = ResolversParentTypes['VariantUnitModel']> = {
  amount?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  type?: Resolver<ResolversTypes['ProductUnitTypeEnum'], ParentType, ContextType>;
};

export type VariantValueResolvers<ContextType = Context, ParentType extends ResolversParentTypes['VariantValue'] = ResolversParentTypes['VariantValue']> = {
  colorCode?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  createdAt?: Resolver<Maybe<ResolversTypes['Timestamp']>, ParentType, ContextType>;
  deleted?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  thumbnailImageId?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  updatedAt?: Resolver<Maybe<ResolversTypes['Timestamp']>, ParentType, ContextType>;
};

export type VariantValueRelationResolvers<ContextType = Context, ParentType extends ResolversParentTypes['VariantValueRelation'] = ResolversParentTypes['VariantValueRelation']> = {
  variantTypeId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  variantValueId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type VariantValueTranslationResolvers<ContextType = Context, ParentType extends ResolversParentTypes['VariantValueTranslation'] = ResolversParentTypes['VariantValueTranslation']> = {
  id?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  name?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type WebhookResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Webhook'] = ResolversParentTypes['Webhook']> = {
  createdAt?: Resolver<Maybe<ResolversTypes['Timestamp']>, ParentType, ContextType>;
  deleted?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  endpoint?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  pausedAt?: Resolver<Maybe<ResolversTypes['Timestamp']>, ParentType, ContextType>;
  scope?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  status?: Resolver<ResolversTypes['WebhookStatusEnum'], ParentType, ContextType>;
  updatedAt?: Resolver<Maybe<ResolversTypes['Timestamp']>, ParentType, ContextType>;
};

export type WebhookDeliveryResolvers<ContextType = Context, ParentType extends ResolversParentTypes['WebhookDelivery'] = ResolversParentTypes['WebhookDelivery']> = {
  attempts?: Resolver<Array<ResolversTypes['WebhookDeliveryAttempt']>, ParentType, ContextType>;
  createdAt?: Resolver<ResolversTypes['Timestamp'], ParentType, ContextType>;
  endpoint?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  payload?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  scope?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  status?: Resolver<ResolversTypes['WebhookDeliveryStatusEnum'], ParentType, ContextType>;
  truncated?: Resolver<Maybe<Array<ResolversTypes['String']>>, ParentType, ContextType>;
};

export type WebhookDeliveryAttemptResolvers<ContextType = Context, ParentType extends ResolversParentTypes['WebhookDeliveryAttempt'] = ResolversParentTypes['WebhookDeliveryAttempt']> = {
  at?: Resolver<ResolversTypes['Timestamp'], ParentType, ContextType>;
  durationMs?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  error?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  statusCode?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
};

export type WebhookDeliveryPaginationResponseResolvers<ContextType = Context, ParentType extends ResolversParentTypes['WebhookDeliveryPaginationResponse'] = ResolversParentTypes['WebhookDeliveryPaginationResponse']> = {
  count?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  data?: Resolver<Array<ResolversTypes['WebhookDelivery']>, ParentType, ContextType>;
  endCursor?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  hasNext?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  limit?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  page?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type WebhookTestAnswerResolvers<ContextType = Context, ParentType extends ResolversParentTypes['WebhookTestAnswer'] = ResolversParentTypes['WebhookTestAnswer']> = {
  durationMs?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  error?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  statusCode?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
};

export type WebhookTestResultResolvers<ContextType = Context, ParentType extends ResolversParentTypes['WebhookTestResult'] = ResolversParentTypes['WebhookTestResult']> = {
  endpoint?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  forgedSignature?: Resolver<ResolversTypes['WebhookTestAnswer'], ParentType, ContextType>;
  signed?: Resolver<ResolversTypes['WebhookTestAnswer'], ParentType, ContextType>;
  staleTimestamp?: Resolver<ResolversTypes['WebhookTestAnswer'], ParentType, ContextType>;
};

export type Resolvers<ContextType = Context> = {
  AuthorizedApp?: AuthorizedAppResolvers<ContextType>;
  BulkOperation?: BulkOperationResolvers<ContextType>;
  BulkOperationError?: BulkOperationErrorResolvers<ContextType>;
  BundleProductModel?: BundleProductModelResolvers<ContextType>;
  BundleSettingsModel?: BundleSettingsModelResolvers<ContextType>;
  Category?: CategoryResolvers<ContextType>;
  CategoryCondition?: CategoryConditionResolvers<ContextType>;
  CategoryPathItem?: CategoryPathItemResolvers<ContextType>;
  CategorySalesChannel?: CategorySalesChannelResolvers<ContextType>;
  CategoryTranslation?: CategoryTranslationResolvers<ContextType>;
  Customer?: CustomerResolvers<ContextType>;
  CustomerAddress?: CustomerAddressResolvers<ContextType>;
  CustomerAddressCity?: CustomerAddressCityResolvers<ContextType>;
  CustomerAddressCountry?: CustomerAddressCountryResolvers<ContextType>;
  CustomerAddressDistrict?: CustomerAddressDistrictResolvers<ContextType>;
  CustomerAddressRegion?: CustomerAddressRegionResolvers<ContextType>;
  CustomerAddressState?: CustomerAddressStateResolvers<ContextType>;
  CustomerAttributeValue?: CustomerAttributeValueResolvers<ContextType>;
  CustomerPaginationResponse?: CustomerPaginationResponseResolvers<ContextType>;
  CustomerPriceListRule?: CustomerPriceListRuleResolvers<ContextType>;
  CustomerPriceListRuleFilter?: CustomerPriceListRuleFilterResolvers<ContextType>;
  HTMLMetaData?: HtmlMetaDataResolvers<ContextType>;
  HTMLMetaDataOverride?: HtmlMetaDataOverrideResolvers<ContextType>;
  HTMLMetaDataTranslation?: HtmlMetaDataTranslationResolvers<ContextType>;
  MeResponse?: MeResponseResolvers<ContextType>;
  MerchantAddress?: MerchantAddressResolvers<ContextType>;
  MerchantAddressCity?: MerchantAddressCityResolvers<ContextType>;
  MerchantAddressCountry?: MerchantAddressCountryResolvers<ContextType>;
  MerchantAddressDistrict?: MerchantAddressDistrictResolvers<ContextType>;
  MerchantAddressState?: MerchantAddressStateResolvers<ContextType>;
  MerchantResponse?: MerchantResponseResolvers<ContextType>;
  Mutation?: MutationResolvers<ContextType>;
  PriceList?: PriceListResolvers<ContextType>;
  PriceListCurrencyRateSettings?: PriceListCurrencyRateSettingsResolvers<ContextType>;
  PriceListCurrencySettings?: PriceListCurrencySettingsResolvers<ContextType>;
  PriceListRuleList?: PriceListRuleListResolvers<ContextType>;
  PriceListRules?: PriceListRulesResolvers<ContextType>;
  Product?: ProductResolvers<ContextType>;
  ProductAttribute?: ProductAttributeResolvers<ContextType>;
  ProductAttributeOption?: ProductAttributeOptionResolvers<ContextType>;
  ProductAttributeOptionTranslation?: ProductAttributeOptionTranslationResolvers<ContextType>;
  ProductAttributeTableCellData?: ProductAttributeTableCellDataResolvers<ContextType>;
  ProductAttributeTableTemplate?: ProductAttributeTableTemplateResolvers<ContextType>;
  ProductAttributeTranslation?: ProductAttributeTranslationResolvers<ContextType>;
  ProductAttributeValue?: ProductAttributeValueResolvers<ContextType>;
  ProductBaseUnitModel?: ProductBaseUnitModelResolvers<ContextType>;
  ProductBrand?: ProductBrandResolvers<ContextType>;
  ProductBrandTranslation?: ProductBrandTranslationResolvers<ContextType>;
  ProductImage?: ProductImageResolvers<ContextType>;
  ProductPaginationResponse?: ProductPaginationResponseResolvers<ContextType>;
  ProductPrice?: ProductPriceResolvers<ContextType>;
  ProductSalesChannel?: ProductSalesChannelResolvers<ContextType>;
  ProductSearchFacet?: ProductSearchFacetResolvers<ContextType>;
  ProductSearchFacetValue?: ProductSearchFacetValueResolvers<ContextType>;
  ProductSearchResponse?: ProductSearchResponseResolvers<ContextType>;
  ProductStockLocation?: ProductStockLocationResolvers<ContextType>;
  ProductStockLocationPaginationResponse?: ProductStockLocationPaginationResponseResolvers<ContextType>;
  ProductTag?: ProductTagResolvers<ContextType>;
  ProductTagTranslation?: ProductTagTranslationResolvers<ContextType>;
  ProductTranslation?: ProductTranslationResolvers<ContextType>;
  ProductVariantType?: ProductVariantTypeResolvers<ContextType>;
  Query?: QueryResolvers<ContextType>;
  SalesChannel?: SalesChannelResolvers<ContextType>;
  SalesChannelPaymentGateway?: SalesChannelPaymentGatewayResolvers<ContextType>;
  SalesChannelStockLocation?: SalesChannelStockLocationResolvers<ContextType>;
  SimpleCategory?: SimpleCategoryResolvers<ContextType>;
  SimpleProductBrand?: SimpleProductBrandResolvers<ContextType>;
  SimpleProductTag?: SimpleProductTagResolvers<ContextType>;
  StockLocation?: StockLocationResolvers<ContextType>;
  StockLocationAddress?: StockLocationAddressResolvers<ContextType>;
  StockLocationAddressCity?: StockLocationAddressCityResolvers<ContextType>;
  StockLocationAddressCountry?: StockLocationAddressCountryResolvers<ContextType>;
  StockLocationAddressDistrict?: StockLocationAddressDistrictResolvers<ContextType>;
  StockLocationAddressState?: StockLocationAddressStateResolvers<ContextType>;
  StockLocationTranslation?: StockLocationTranslationResolvers<ContextType>;
  Timestamp?: GraphQLScalarType;
  Variant?: VariantResolvers<ContextType>;
  VariantTypeTranslation?: VariantTypeTranslationResolvers<ContextType>;
  VariantUnitModel?: VariantUnitModelResolvers<ContextType>;
  VariantValue?: VariantValueResolvers<ContextType>;
  VariantValueRelation?: VariantValueRelationResolvers<ContextType>;
  VariantValueTranslation?: VariantValueTranslationResolvers<ContextType>;
  Webhook?: WebhookResolvers<ContextType>;
  WebhookDelivery?: WebhookDeliveryResolvers<ContextType>;
  WebhookDeliveryAttempt?: WebhookDeliveryAttemptResolvers<ContextType>;
  WebhookDeliveryPaginationResponse?: WebhookDeliveryPaginationResponseResolvers<ContextType>;
  WebhookTestAnswer?: WebhookTestAnswerResolvers<ContextType>;
  WebhookTestResult?: WebhookTestResultResolvers<ContextType>;
};

export type DirectiveResolvers<ContextType = Context> = {
  aliases?: AliasesDirectiveResolver<any, any, ContextType>;
  authenticated?: AuthenticatedDirectiveResolver<any, any, ContextType>;
  cost?: CostDirectiveResolver<any, any, ContextType>;
  length?: LengthDirectiveResolver<any, any, ContextType>;
  listSize?: ListSizeDirectiveResolver<any, any, ContextType>;
  requiresScope?: RequiresScopeDirectiveResolver<any, any, ContextType>;
};
