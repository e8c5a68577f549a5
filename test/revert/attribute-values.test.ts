import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Context } from '../../src/context.ts';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { startOperations } from '../support/operation.ts';

let database: TestDatabase;
let server: Awaited<ReturnType<typeof startOperations>>;
let ctx: Context;

beforeAll(async () => {
  database = await createDatabase();
  server = await startOperations(database.db);
  ctx = await createContext(database.db);
});
afterAll(async () => {
  await server.stop();
  await database.drop();
});

async function call(name: string, variables: object): Promise<any> {
  const { data, errors } = (await server.call(ctx, name, variables)) as { data: any; errors?: unknown };
  expect(errors).toBeUndefined();
  return data[name];
}

it.each(['the product', 'a variant'])(
  'takes values of %s back beside two options of what is a CHOICE now',
  async (of) => {
    const options = [{ name: 'Red' }, { name: 'Blue' }];
    const colors = { name: `Colors of ${of}`, type: 'MULTIPLE_CHOICE', options };
    const { id: colorId, options: stored } = await call('saveProductAttribute', { input: colors });
    const { id: noteId } = await call('saveProductAttribute', { input: { name: `Note of ${of}`, type: 'TEXT' } });
    const list = (note: string) => [
      ...stored.map(({ id }: any) => ({ productAttributeId: colorId, productAttributeOptionId: id })),
      { productAttributeId: noteId, value: note },
    ];
    const isOwn = of === 'the product';
    const variant = { prices: [{ sellPrice: 1 }], ...(!isOwn && { attributes: list('old') }) };
    const product = { name: `With values of ${of}`, type: 'PHYSICAL', variants: [variant] };
    const saved = await call('saveProduct', { input: { ...product, ...(isOwn && { attributes: list('old') }) } });
    await call('saveProductAttribute', { input: { ...colors, id: colorId, type: 'CHOICE', options: stored } });

    const attributes = list('new');
    const patch = isOwn ? { attributes } : { variants: [{ id: saved.variants[0].id, attributes }] };
    await call('updateProduct', { id: saved.id, patch });
    const [change] = (await call('listChange', { recordId: { eq: saved.id } })).data;
    expect(await call('revertChanges', { input: { changeSetId: change.changeSet.id } })).toMatchObject({
      recordCount: 1,
    });
    const [found] = (await call('listProduct', { id: { eq: saved.id } })).data;
    expect((isOwn ? found : found.variants[0]).attributes).toMatchObject(list('old'));
  },
);
