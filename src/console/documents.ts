/** Reads the app and the merchant of the session. */
export const ME = `query Me {
  me { id name scopes }
  getMerchant { storeName merchantName }
}`;

const PRODUCT = 'id name version createdAt updatedAt deleted';
const CUSTOMER = 'id firstName lastName createdAt updatedAt deleted';

/**
 * Finds the record or delivery with an id, the product of a sku or slug, and products and customers whose names, skus
 * or e-mail addresses contain the text.
 */
export const FIND = `query Find(
  $text: String!, $delivery: Boolean! = true, $product: Boolean! = true, $bySku: Boolean! = true,
  $bySlug: Boolean! = true, $byName: Boolean! = true, $customer: Boolean! = true, $customerByName: Boolean! = true,
  $stock: Boolean! = true
) {
  delivery: listWebhookDelivery(id: { eq: $text }, pagination: { limit: 1 }) @include(if: $delivery) {
    data { id recordId scope }
  }
  product: listProduct(id: { eq: $text }, includeDeleted: true, pagination: { limit: 1 }) @include(if: $product) {
    data { ${PRODUCT} }
  }
  bySku: listProduct(sku: { eq: $text }, pagination: { limit: 10 }) @include(if: $bySku) {
    hasNext
    data { ${PRODUCT} }
  }
  bySlug: listProduct(slug: { eq: $text }, includeDeleted: true, pagination: { limit: 1 }) @include(if: $bySlug) {
    data { ${PRODUCT} }
  }
  byName: listProduct(search: $text, includeDeleted: true, pagination: { limit: 20 }) @include(if: $byName) {
    hasNext
    data { ${PRODUCT} }
  }
  customer: listCustomer(id: { eq: $text }, includeDeleted: true, pagination: { limit: 1 }) @include(if: $customer) {
    data { ${CUSTOMER} }
  }
  customerByName: listCustomer(search: $text, includeDeleted: true, pagination: { limit: 20 })
  @include(if: $customerByName) {
    hasNext
    data { ${CUSTOMER} }
  }
  stock: listProductStockLocation(id: { eq: $text }, pagination: { limit: 1 }) @include(if: $stock) {
    data { id productId variantId stockLocationId stockCount createdAt updatedAt deleted }
  }
}`;

const DELIVERY = `
  id scope authorizedAppId appName endpoint status createdAt
  attempts {
    at statusCode error durationMs nextAttemptAt responseBody
    responseHeaders { name value }
  }`;

/** Reads a page of the deliveries of a record, newest first, and the one that was found by its id, if there is one. */
export const DELIVERIES = `query Deliveries($recordId: String!, $found: [String!]!, $app: String, $page: Int) {
  found: listWebhookDelivery(id: { in: $found }, authorizedAppId: { eq: $app }, pagination: { limit: 1 }) {
    data {${DELIVERY} }
  }
  listWebhookDelivery(recordId: { eq: $recordId }, authorizedAppId: { eq: $app }, pagination: { page: $page, limit: 50 }) {
    hasNext
    data {${DELIVERY} }
  }
}`;

/** Reads the webhooks of deliveries. An app has at most one for each scope. */
export const WEBHOOKS_OF = `query WebhooksOf($apps: [String!]!, $scopes: [String!]!) {
  listWebhook(authorizedAppId: { in: $apps }, scope: { in: $scopes }, pagination: { limit: 200 }) {
    id authorizedAppId scope status
  }
}`;

/** Asks for each app why an event did not arrive. */
export const EXPLAIN = `query Explain($scope: String!, $recordId: String!, $app: String, $pagination: PaginationInput) {
  explainWebhookList(
    scope: $scope
    recordId: $recordId
    authorizedAppId: { eq: $app }
    pagination: $pagination
  ) {
    count hasNext
    data { code message causedAt deliveryId webhookId webhookStatus endpoint authorizedAppId appName }
  }
}`;

export const REDELIVER = `mutation Redeliver($idList: [String!]!) {
  redeliverWebhookDeliveryList(idList: $idList) { queuedCount unchangedCount }
}`;

export const TEST = `mutation Test($scope: String!, $authorizedAppId: String) {
  testWebhook(scope: $scope, authorizedAppId: $authorizedAppId) {
    endpoint
    signed { statusCode error durationMs }
    forgedSignature { statusCode error durationMs }
    staleTimestamp { statusCode error durationMs }
  }
}`;

export const RESUME = `mutation Resume($id: String!) {
  resumeWebhook(id: $id) { id status }
}`;

export const WEBHOOKS = `query Webhooks($page: Int) {
  listWebhook(pagination: { page: $page, limit: 200 }) {
    id authorizedAppId appName scope endpoint status pausedAt createdAt
    health {
      requestCount successRate durationP95Ms oldestPendingAt lastSuccessAt lastFailureAt
      hours { at deliveredCount failedCount }
    }
  }
}`;

export const BULK_OPERATIONS = `query BulkOperations($after: String) {
  listBulkOperation(pagination: { limit: 20, after: $after }) {
    hasNext endCursor
    data {
      id status revertsChangeSetId total created updated deleted imagesTotal imagesPending imagesFailed createdAt updatedAt
      errors { path message }
    }
  }
}`;

/** A page of the names of the apps, to choose one. */
export const APP_NAMES = `query AppNames($page: Int!) {
  listAuthorizedApp(includeDeleted: true, pagination: { page: $page, limit: 200 }) { id name revokedAt }
}`;

export const APPS = `query Apps($includeRevoked: Boolean, $page: Int) {
  listAuthorizedApp(includeDeleted: $includeRevoked, pagination: { page: $page, limit: 200 }) {
    id name email scopes addedDate lastUsedAt revokedAt
  }
}`;

/** Reads a page of the valid tokens of apps. */
export const TOKENS = `query Tokens($apps: [String!]!, $page: Int) {
  listAccessToken(authorizedAppId: { in: $apps }, pagination: { page: $page, limit: 200 }) {
    hasNext
    data { id authorizedAppId scopes createdAt expiresAt lastUsedAt }
  }
}`;

export const REVOKE_APP = `mutation RevokeApp($id: String!) {
  revokeAuthorizedApp(id: $id)
}`;

export const REVOKE_TOKENS = `mutation RevokeTokens($idList: [String!]!) {
  revokeAccessTokenList(idList: $idList)
}`;

const CHANGE_SET = 'id operation actor app { id name } databaseRole applicationName';

/** Reads a page of the changes of a record, or of all records, newest first. */
export const CHANGES = `query Changes(
  $recordId: String, $kind: ChangeKindEnum, $app: String, $path: String, $since: Timestamp, $page: Int
) {
  listChange(
    recordId: { eq: $recordId }
    kind: $kind
    authorizedAppId: { eq: $app }
    path: { like: $path }
    createdAt: { gte: $since }
    pagination: { page: $page, limit: 20 }
  ) {
    hasNext
    data {
      id createdAt number kind recordType recordId truncated
      members { path before after }
      changeSet { ${CHANGE_SET} }
    }
  }
}`;

/**
 * Takes the changes of a change set back, or with the header of a dry run tells what that would change: with the values of
 * the members, which can be more than an answer may have, or without the records.
 */
export const REVERT = `mutation Revert($changeSetId: ID!, $withRecords: Boolean!) {
  revertChanges(input: { changeSetId: $changeSetId }) {
    changeSetId recordCount bulkOperationId
    records @include(if: $withRecords) { recordType recordId members { path before after } }
  }
}`;

/** The variants of a product, to choose one. */
export const VARIANTS = `query Variants($productId: String!) {
  listProduct(id: { eq: $productId }, includeDeleted: true, pagination: { limit: 1 }) {
    data { id variants { id sku } }
  }
}`;

/** Reads the counts of a variant at its stock locations. */
export const COUNTS = `query Counts($variantId: String!, $page: Int) {
  listProductStockLocation(variantId: { eq: $variantId }, pagination: { page: $page, limit: 20 }) {
    hasNext
    data { id stockLocationId stockCount heldCount availableCount updatedAt }
  }
}`;

/** Reads a page of the movements of a variant, newest first. */
export const MOVEMENTS = `query Movements(
  $variantId: String!, $stockLocationId: String, $kind: StockMovementKindEnum, $page: Int
) {
  listStockMovement(
    variantId: { eq: $variantId }
    stockLocationId: { eq: $stockLocationId }
    kind: $kind
    pagination: { page: $page, limit: 20 }
  ) {
    hasNext
    data {
      id createdAt kind delta countAfter reason reference stockLocationId
      changeSet { ${CHANGE_SET} }
    }
  }
}`;

/** Reads a page of the holds of a variant, newest first. */
export const HOLDS = `query Holds($variantId: String!, $stockLocationId: String, $status: StockHoldStatusEnum, $page: Int) {
  listStockHold(
    variantId: { eq: $variantId }
    stockLocationId: { eq: $stockLocationId }
    status: $status
    pagination: { page: $page, limit: 20 }
  ) {
    hasNext
    data { id quantity status createdAt expiresAt reference stockLocationId }
  }
}`;

/** The names of stock locations, at most 200. */
export const LOCATION_NAMES = `query LocationNames($idList: [String!]!) {
  listStockLocation(id: { in: $idList }, includeDeleted: true, pagination: { limit: 200 }) { id name deleted }
}`;
