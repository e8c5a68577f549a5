import { issueAccessToken } from '../../src/app/credentials/access-token.ts';
import { appScopes } from '../../src/app-scope.ts';
import type { Database } from '../../src/db/connection/database.ts';
import { createContext } from '../support/context.ts';
import { post } from '../support/post.ts';
import { GRAPHQL_PATH } from './requests.ts';
import type { Target } from './send.ts';

/** Records created before the first request, so that some requests have ids that exist. */
const RECORDS: [operation: string, type: string, input: object][] = [
  ['saveProductBrand', 'ProductBrandInput', { name: 'Brand' }],
  ['saveProductTag', 'ProductTagInput', { name: 'Tag' }],
  ['saveCategory', 'CategoryInput', { name: 'Category' }],
  [
    'saveVariantType',
    'VariantTypeInput',
    { name: 'Size', selectionType: 'choice', values: [{ name: 'S' }, { name: 'M' }] },
  ],
  ['saveStockLocation', 'StockLocationInput', { name: 'Main' }],
  ['savePriceList', 'PriceListInput', { name: 'List', currency: 'EUR' }],
  ['saveSalesChannel', 'SalesChannelInput', { name: 'Web', type: 'STOREFRONT' }],
  ['saveCustomer', 'CustomerInput', { firstName: 'Ada', email: 'ada@shop.invalid' }],
  ['saveProduct', 'ProductInput', { name: 'Shirt', type: 'PHYSICAL', variants: [{ prices: [{ sellPrice: 19.99 }] }] }],
];

/** Placeholders in requests for the ids of these records, which differ in each run. */
export const idMarks: readonly string[] = RECORDS.map(
  (_, index) => `0f0f0f0f-0000-7000-8000-0000000000${String(index).padStart(2, '0')}`,
);

/** A merchant whose app sends the requests, with a token for all scopes and one for few, and a record of each kind. */
export async function openTarget(url: string, db: Database): Promise<Target> {
  const ctx = await createContext(db);
  const issue = async (scopes: typeof appScopes | readonly (typeof appScopes)[number][]) =>
    await issueAccessToken(ctx, { authorizedAppId: ctx.session.authorizedAppId, scopes });
  const tokens = { full: await issue(appScopes), narrowed: await issue(['read_products', 'read_customers']) };
  const ids = new Map<string, string>();
  for (const [index, [operation, type, input]] of RECORDS.entries()) {
    const query = `mutation ($input: ${type}!) { ${operation}(input: $input) { id } }`;
    const { body } = await post(`${url}${GRAPHQL_PATH}`, { query, variables: { input } }, { token: tokens.full });
    ids.set(idMarks[index]!, (body.data![operation] as { id: string }).id);
  }
  return { url, tokens, ids };
}
