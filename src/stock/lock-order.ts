/** What a stock count belongs to. */
type Place = { productId: string; variantId: string; stockLocationId: string };

/**
 * Sorts stock counts in the order in which lock_stock_counts.sql locks them. All transactions lock counts in this order,
 * so that they cannot deadlock.
 */
export function inLockOrder<Count extends Place>(counts: readonly Count[]): Count[] {
  return counts.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}

function keyOf({ productId, variantId, stockLocationId }: Place): string {
  return `${productId} ${variantId} ${stockLocationId}`;
}
