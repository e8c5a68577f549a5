/** Reads the app and the merchant of the session. */
export const ME = `query Me {
  me { id name scopes }
  getMerchant { storeName merchantName }
}`;

const PRODUCT = 'id name version createdAt updatedAt deleted';

/** Finds the record or delivery with an id, or the product that has a variant with a sku. */
export const FIND = `query Find($text: String!) {
  delivery: listWebhookDelivery(id: { eq: $text }, pagination: { limit: 1 }) { data { id recordId } }
  product: listProduct(id: { eq: $text }, includeDeleted: true, pagination: { limit: 1 }) { data { ${PRODUCT} } }
  bySku: listProduct(sku: { eq: $text }, pagination: { limit: 1 }) { data { ${PRODUCT} } }
  customer: listCustomer(id: { eq: $text }, includeDeleted: true, pagination: { limit: 1 }) {
    data { id firstName lastName createdAt updatedAt deleted }
  }
  stock: listProductStockLocation(id: { eq: $text }, pagination: { limit: 1 }) {
    data { id productId stockCount createdAt updatedAt deleted }
  }
}`;

/** Reads the deliveries of a record, newest first, and all webhooks of the merchant. */
export const DELIVERIES = `query Deliveries($recordId: String!) {
  listWebhookDelivery(recordId: { eq: $recordId }, pagination: { limit: 50 }) {
    hasNext
    data {
      id scope authorizedAppId endpoint status createdAt
      attempts {
        at statusCode error durationMs nextAttemptAt responseBody
        responseHeaders { name value }
      }
    }
  }
  listWebhook(pagination: { limit: 200 }) { id authorizedAppId scope endpoint status pausedAt }
}`;

/** Asks why an event did not arrive, for several webhooks at once. */
export function explainDocument(count: number): string {
  const numbers = Array.from({ length: count }, (_, number) => number);
  const declared = numbers.map((number) => `$scope${number}: String!, $app${number}: String!`).join(', ');
  const fields = numbers.map(
    (
      number,
    ) => `  why${number}: explainWebhook(scope: $scope${number}, recordId: $recordId, authorizedAppId: $app${number}) {
    code message causedAt deliveryId webhookId
  }`,
  );
  return `query Explain($recordId: String!, ${declared}) {\n${fields.join('\n')}\n}`;
}

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

export const WEBHOOKS = `query Webhooks {
  listWebhook(pagination: { limit: 200 }) {
    id authorizedAppId scope endpoint status pausedAt createdAt
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
      id status total created updated deleted imagesTotal imagesPending imagesFailed createdAt updatedAt
      errors { path message }
    }
  }
}`;

export const APPS = `query Apps($includeRevoked: Boolean) {
  listAuthorizedApp(includeDeleted: $includeRevoked, pagination: { limit: 200 }) {
    id name email scopes addedDate lastUsedAt revokedAt
  }
  listAccessToken(pagination: { limit: 200 }) {
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
