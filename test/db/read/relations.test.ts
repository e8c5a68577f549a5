import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { withoutTriggers } from '../../support/database.ts';
import { codes, post } from '../../support/post.ts';
import { startTestService, type TestService } from '../../support/whole-service.ts';

/** Two of them are within the limit of the response that a service may be configured with, and beyond that of a list. */
const LONG = sql`json_build_array(json_build_object('locale', 'en', 'name', repeat('x', 17 * 1024 * 1024)))`;

let service: TestService;
let token: string;
beforeAll(async () => {
  service = await startTestService({ maxResponseBytes: 64 * 1024 * 1024 }, 'api', {
    webhook: { allowHttp: true, allowPrivate: true },
  });
  ({ token } = await service.createApp());
});
afterAll(() => service.stop());

/** Without triggers: the history would compare the long values. */
async function lengthen(table: 'category' | 'variant_type', where = sql`true`): Promise<void> {
  await withoutTriggers(service.owner, async (owner) => {
    await owner.execute(sql`update ${sql.identifier(table)} set translations = ${LONG} where ${where}`);
  });
}

async function send(query: string, variables = {}) {
  return await post(service.graphqlUrl, { query, variables }, { token });
}

async function idOf(query: string, variables = {}): Promise<string> {
  const { body } = await send(query, variables);
  expect(body.errors).toBeUndefined();
  return Object.values(body.data as Record<string, { id: string }>)[0]!.id;
}

describe('a list of records that are too large together is refused before it is made', () => {
  it('in the path of a category', async () => {
    const save =
      'mutation($name: String!, $parentId: String) { saveCategory(input: { name: $name, parentId: $parentId }) { id } }';
    const root = await idOf(save, { name: 'Root' });
    const middle = await idOf(save, { name: 'Middle', parentId: root });
    const leaf = await idOf(save, { name: 'Leaf', parentId: middle });
    await lengthen('category', sql`id in (${root}, ${middle})`);
    const list = (members: string) =>
      send(`{ listCategory(id: { eq: "${leaf}" }) { categoryPathItems { ${members} } } }`);
    expect(codes(await list('name translations { name }'))).toEqual(['ARGUMENT_VALIDATION_ERROR']);
    expect((await list('name')).body).toEqual({
      data: { listCategory: [{ categoryPathItems: [{ name: 'Root' }, { name: 'Middle' }] }] },
    });
  });

  it('in the variant types of products, and in the event of one', async () => {
    const saveType =
      'mutation($name: String!) { saveVariantType(input: { name: $name, selectionType: choice, values: [{ name: "One" }] }) { id values { id } } }';
    const types = await Promise.all(
      ['Size', 'Color'].map(
        async (name) =>
          (await send(saveType, { name })).body.data!['saveVariantType'] as { id: string; values: { id: string }[] },
      ),
    );
    const input = {
      name: 'Shirt',
      type: 'PHYSICAL',
      productVariantTypes: types.map(({ id, values }, order) => ({
        order,
        variantTypeId: id,
        variantValueIds: values.map(({ id }) => id),
      })),
      variants: [
        {
          prices: [{ sellPrice: 1 }],
          variantValueIds: types.map(({ id, values }) => ({ variantTypeId: id, variantValueId: values[0]!.id })),
        },
      ],
    };
    const save = 'mutation($input: ProductInput!) { saveProduct(input: $input) { id name } }';
    const id = await idOf(save, { input });
    await lengthen('variant_type');
    const list = (members: string) => send(`{ listProduct { data { productVariantTypes { ${members} } } } }`);
    expect(codes(await list('name translations { name }'))).toEqual(['ARGUMENT_VALIDATION_ERROR']);
    expect((await list('name')).body.errors).toBeUndefined();

    const webhook = '{ endpoint: "http://127.0.0.1:4711/hook", scopes: ["store/product/updated"] }';
    expect((await send(`mutation { saveWebhook(input: ${webhook}) { id } }`)).body.errors).toBeUndefined();
    // Citus reports the error of a trigger at the commit as that of a node that it has lost.
    const code = inject('isCluster') ? 'SERVICE_UNAVAILABLE' : 'ARGUMENT_VALIDATION_ERROR';
    expect(codes(await send(save, { input: { ...input, id, name: 'Renamed' } }))).toEqual([code]);
    expect((await send('{ listProduct { data { name } } }')).body).toEqual({
      data: { listProduct: { data: [{ name: 'Shirt' }] } },
    });
  });
});
