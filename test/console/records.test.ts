import { sql } from 'drizzle-orm';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { merchantOf } from '../../src/app/credentials/merchant-prefix.ts';
import { hasBrowser } from '../support/browser.ts';
import { post } from '../support/post.ts';
import { startTestService, type TestService } from '../support/whole-service.ts';
import { consoleLink, find, findings, openPage } from './browser-console.ts';

const HOSTILE = `<img src=x onerror="globalThis.hacked=1">`;
const LONG = `A mug of stone. ${'It holds a quarter of a litre. '.repeat(20)}`;
const HOUR_MS = 3_600_000;

type Product = { id: string; variants: { id: string }[] };

describe.skipIf(!hasBrowser)('the records of the console in a browser (without Chromium it is skipped)', () => {
  let service: TestService;
  let page: Page;
  let token: string;
  let mug: Product;
  let store: string;
  let depot: string;
  let asked: string[];
  let complaints: string[];

  beforeAll(async () => {
    service = await startTestService({}, 'all', {});
    const app = await service.createApp();
    ({ token } = app);
    mug = await saveProduct({ name: 'Mug', description: LONG });
    store = await saveLocation('Store');
    depot = await saveLocation(`Depot ${HOSTILE}`);
    await adjust({ stockLocationId: depot, delta: 7, kind: 'RECEIVED', reference: 'order 9', reason: HOSTILE });
    for (let turn = 1; turn <= 21; turn++) await adjust({ stockLocationId: store, delta: 0.5, key: `turn ${turn}` });
    const expiresAt = Date.now() + HOUR_MS;
    const hold = { variantId: mug.variants[1]!.id, stockLocationId: store, expiresAt };
    const holds = ['cart 1', 'cart 2'].map((name, index) => ({
      ...hold,
      quantity: index + 2,
      key: name,
      reference: name,
    }));
    const held = (await graphql('mutation ($input: [HoldStockInput!]!) { holdStock(input: $input) { id } }', {
      input: holds,
    })) as { holdStock: { id: string }[] };
    await graphql('mutation ($idList: [String!]!) { commitHold(idList: $idList) }', {
      idList: [held.holdStock[0]!.id],
    });
    await saveProduct({ ...mug, name: `Mug ${HOSTILE}`, description: LONG.replace('stone', 'red clay') });
    ({ page, asked, complaints } = await openPage());
    await page.goto(await consoleLink(service, merchantOf(app.clientId)!));
    await page.getByRole('heading', { name: 'Why did a webhook not arrive?' }).waitFor();
  });
  afterAll(async () => {
    await page?.context().close();
    await service?.stop();
  });

  async function graphql(query: string, variables: object): Promise<Record<string, unknown>> {
    const headers = { 'x-actor': encodeURIComponent('Zoë') };
    const { body } = await post(service.graphqlUrl, { query, variables }, { token, headers });
    expect(body.errors).toBeUndefined();
    return body.data!;
  }

  async function saveProduct({ variants = [], ...saved }: Partial<Product> & { name: string; description: string }) {
    const skus = ['MUG-S', 'MUG-L'].map((sku, index) => ({ ...variants[index], sku, prices: [{ sellPrice: 1 }] }));
    const data = await graphql(
      'mutation ($input: ProductInput!) { saveProduct(input: $input) { id variants { id } } }',
      {
        input: { ...saved, type: 'PHYSICAL', variants: skus },
      },
    );
    return data['saveProduct'] as Product;
  }

  async function saveLocation(name: string): Promise<string> {
    const data = await graphql('mutation ($input: StockLocationInput!) { saveStockLocation(input: $input) { id } }', {
      input: { name },
    });
    return (data['saveStockLocation'] as { id: string }).id;
  }

  async function adjust(entry: { stockLocationId: string; delta: number; [member: string]: unknown }): Promise<void> {
    const place = { productId: mug.id, variantId: mug.variants[1]!.id };
    await graphql('mutation ($input: [AdjustStockInput!]!) { adjustStock(input: $input) { id } }', {
      input: [{ ...place, key: 'first', ...entry }],
    });
  }

  function section(name: string) {
    return page.locator('section', { has: page.getByRole('heading', { name, exact: true }) });
  }

  it('shows the counts, movements and holds of the variant with the sku', async () => {
    await page.getByRole('link', { name: 'Stock', exact: true }).click();
    await find(page, 'MUG-L');
    const [counts, movements, holds] = ['Counts', 'Movements', 'Holds'].map(section) as [Section, Section, Section];
    expect(await page.getByLabel('Variant').inputValue()).toBe(mug.variants[1]!.id);
    await counts.locator('.card', { hasText: 'Store' }).getByText('count 8.5, held 3, available 5.5').waitFor();
    await counts.locator('.card', { hasText: HOSTILE }).getByText('count 7, held 0, available 7').waitFor();
    // Newest first: the hold that was committed, then the adjustments.
    await expect.poll(() => movements.locator('li').count()).toBe(20);
    await movements.locator('li').first().getByText('-2 → 8.5').waitFor();
    await movements.getByText('at Store').first().waitFor();
    expect(await movements.locator('li').first().textContent()).toMatch(/SOLD.*by commitHold of Test for Zoë/);
    expect(await holds.locator('li').allTextContents()).toEqual([
      expect.stringMatching(/^3 ACTIVE *until .*in \d+ minutes.*at Store.*reference cart 2$/),
    ]);
    expect(await findings(page)).toEqual([]);
  });

  it('shows the other pages, one location, and those of a kind and a status', async () => {
    const [counts, movements, holds] = ['Counts', 'Movements', 'Holds'].map(section) as [Section, Section, Section];
    await movements.getByRole('button', { name: 'Next movements' }).click();
    await expect.poll(() => movements.locator('li').count()).toBe(3);
    await movements.getByText('at Depot').waitFor();
    const oldest = movements.locator('li').last();
    expect(await oldest.textContent()).toMatch(
      /RECEIVED.*\+7 → 7.*Depot.*by adjustStock of Test for Zoë, reference order 9/,
    );
    await movements.getByLabel('Kind of movement').selectOption('SOLD');
    await expect.poll(() => movements.locator('li').count()).toBe(1);
    await holds.getByLabel('Status').selectOption('All');
    await expect.poll(() => holds.locator('li').count()).toBe(2);
    await counts.locator('.card', { hasText: HOSTILE }).getByRole('button', { name: 'Only this location' }).click();
    await movements.getByText('There is no such movement.').waitFor();
    await holds.getByText('There is no such hold.').waitFor();
    await movements.getByLabel('Kind of movement').selectOption('All kinds');
    await movements.getByText('+7 → 7').waitFor();
    await page.getByLabel('Variant').selectOption({ label: 'MUG-S' });
    await counts.getByText('The variant has no count at a stock location.').waitFor();
    expect(await findings(page)).toEqual([]);
  });

  it('shows a count that was found by its id, at its location, and says so', async () => {
    const query = 'query ($id: String!) { listProductStockLocation(stockLocationId: { eq: $id }) { data { id } } }';
    const data = await graphql(query, { id: depot });
    const [count] = (data['listProductStockLocation'] as { data: { id: string }[] }).data;
    await find(page, count!.id);
    await section('Movements').getByText('+7 → 7').waitFor();
    expect(await section('Movements').locator('li').count()).toBe(1);
    await page.getByText(`Movements and holds at Depot ${HOSTILE} only.`).waitFor();
    expect(await findings(page)).toEqual([]);
    await page.getByRole('button', { name: 'Show all locations' }).click();
    await section('Movements').getByText('at Store').first().waitFor();
    expect(await page.getByText('Movements and holds at').count()).toBe(0);
    await page.getByRole('link', { name: 'History of this stock' }).click();
    await section('Changes').getByRole('row', { name: 'stockCount – 7' }).waitFor();
  });

  it('shows who changed a record, when, and each member with its old and new value', async () => {
    await find(page, 'MUG-L');
    await page.getByRole('heading', { name: 'Who changed it?' }).waitFor();
    const changes = section('Changes');
    await expect.poll(() => changes.locator('.card').count()).toBe(2);
    const [latest, first] = [changes.locator('.card').first(), changes.locator('.card').last()];
    await latest.getByText('Change 2 by saveProduct of Test for Zoë').waitFor();
    await latest.getByRole('row', { name: `name Mug Mug ${HOSTILE}` }).waitFor();
    // A long text is shown as its difference, without most of what stayed.
    const description = latest.getByRole('row', { name: /^description/ });
    expect([
      await description.locator('del').allTextContents(),
      await description.locator('ins').allTextContents(),
    ]).toEqual([['stone. '], ['red clay. ']]);
    expect((await description.textContent())!.length).toBeLessThan(200);
    expect(await first.getByRole('row').first().isVisible()).toBe(false);
    await first.getByText(/^\d+ members$/).click();
    await first.getByRole('row', { name: 'name – Mug', exact: true }).waitFor();
    expect(await findings(page)).toEqual([]);
  });

  it('filters changes by what happened, by app, by member and by time', async () => {
    const cards = section('Changes').locator('.card');
    await page.getByLabel('What happened').selectOption('CREATED');
    await expect.poll(() => cards.count()).toBe(1);
    await page.getByLabel('What happened').selectOption('Everything');
    await page.getByRole('combobox', { name: /^App/ }).selectOption({ label: 'Console' });
    await page.getByText('No change is recorded that fits.').waitFor();
    await page.getByRole('combobox', { name: /^App/ }).selectOption({ label: 'All apps' });
    await page.getByLabel('Member').fill('variants.');
    await page.keyboard.press('Enter');
    await expect.poll(() => cards.count()).toBe(1);
    await page.getByLabel('Since').fill('2100-01-01T00:00');
    await page.getByText('No change is recorded that fits.').waitFor();
  });

  it('shows the changes of records that the search does not find, and those of all', async () => {
    await service.owner.execute(sql`update stock_location set name = 'Shop' where id = ${store}`);
    await find(page, store);
    await section('Changes').getByRole('row', { name: 'name Store Shop' }).waitFor();
    await section('Changes')
      .getByText(/^Change 2 by SQL as /)
      .waitFor();
    await find(page, '');
    const latest = section('Latest changes').locator('.card');
    await expect.poll(() => latest.count()).toBe(20);
    await latest.filter({ hasText: 'PRODUCT_STOCK_LOCATION' }).first().waitFor();
    await page.getByRole('button', { name: 'Next changes' }).click();
    await page.getByText('Page 2').waitFor();
    await latest.filter({ hasText: 'AUTHORIZED_APP' }).first().waitFor();
    expect(await findings(page)).toEqual([]);
    await latest.getByRole('link', { name: store }).click();
    await section('Changes').getByRole('row', { name: 'name Store Shop' }).waitFor();
  });

  it('explains the events of a hold, which is found by the id of a delivery', async () => {
    await graphql('mutation ($input: WebhookInput!) { saveWebhook(input: $input) { id } }', {
      input: { endpoint: 'https://receiver.example/', scopes: ['store/stock/held'] },
    });
    const hold = { variantId: mug.variants[1]!.id, stockLocationId: store, expiresAt: Date.now() + HOUR_MS };
    const held = await graphql('mutation ($input: [HoldStockInput!]!) { holdStock(input: $input) { id } }', {
      input: [{ ...hold, quantity: 1, key: 'cart 3' }],
    });
    const [{ id }] = held['holdStock'] as [{ id: string }];
    const found = await graphql('query ($id: String!) { listWebhookDelivery(recordId: { eq: $id }) { data { id } } }', {
      id,
    });
    const { data } = found['listWebhookDelivery'] as { data: [{ id: string }] };
    await page.getByRole('navigation').getByRole('link', { name: 'Find', exact: true }).click();
    await find(page, data[0].id);
    const kinds = page.getByLabel('What became of the last');
    await kinds.waitFor();
    expect(await kinds.locator('option').allTextContents()).toEqual(['store/stock/held', 'store/stock/released']);
    await section('Why').locator('.card').first().waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  it('runs nothing of a text, sends requests to no other host, and violates no policy', async () => {
    expect(await page.evaluate('globalThis.hacked')).toBeUndefined();
    expect(asked.filter((url) => !url.startsWith(service.url) && !/^(data|about):/.test(url))).toEqual([]);
    expect(complaints).toEqual([]);
  });
});

type Section = ReturnType<Page['locator']>;
