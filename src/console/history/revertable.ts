/** The scope that a token needs to take changes of these records back; null of records whose changes stay. */
const WRITE_SCOPES: Readonly<Record<string, string | null>> = {
  PRODUCT_STOCK_LOCATION: 'write_inventories',
  STOCK_LOCATION: 'write_inventories',
  CUSTOMER: 'write_customers',
  WEBHOOK: null,
  AUTHORIZED_APP: null,
};

export function revertScopeOf(recordType: string): string | null {
  const scope = WRITE_SCOPES[recordType];
  return scope === undefined ? 'write_products' : scope;
}
