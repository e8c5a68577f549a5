import { compare, type Query, shownOf } from './play.ts';
import { CUSTOMER, PRODUCT, productOf } from './read-state.ts';
import { idsOf, type State } from './state.ts';

const MAX_MOMENTS = 5;

/**
 * Compares products and customers as of a few moments with the states that the model had then. The categories of a
 * product are not kept if there are automated ones.
 */
export async function checkMoments(
  query: Query,
  { moments, named, automated, products, customers, erasures }: State,
): Promise<void> {
  if (automated.length > 0) return;
  const kept = customers.filter(({ id }) => !erasures.flat().includes(id));
  const ids = [idsOf(products), idsOf(kept)].map((list) => JSON.stringify(list));
  const step = Math.max(1, Math.floor(moments.length / MAX_MOMENTS));
  for (const { at, after } of moments.filter((_, index) => index % step === 0)) {
    const args = (index: number) =>
      `id: { in: ${ids[index]} }, includeDeleted: true, asOf: ${at}, pagination: { limit: 200 }`;
    const { data, errors } = await query(
      `{ listProduct(${args(0)}) { data { ${PRODUCT} } } listCustomer(${args(1)}) { data { ${CUSTOMER} } } }`,
    );
    if (errors) throw new Error(JSON.stringify(errors));
    const listed = data as { listProduct: { data: never[] }; listCustomer: { data: object[] } };
    // Price lists are shown as they are now.
    const keptThen = after.customers.filter(({ id }) => idsOf(kept).includes(id));
    const expected = shownOf({ ...after, named, customers: keptThen });
    compare(`products as of ${at}`, listed.listProduct.data.map(productOf).toReversed(), expected.products);
    compare(`customers as of ${at}`, listed.listCustomer.data.toReversed(), expected.customers);
  }
}
