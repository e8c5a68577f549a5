import { sql } from 'drizzle-orm';
import type { Browser, Page, Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { merchantOf } from '../../src/app/credentials/merchant-prefix.ts';
import { hasBrowser } from '../support/browser.ts';
import { post } from '../support/post.ts';
import { startTestService, type TestService } from '../support/whole-service.ts';
import { consoleLink, find, findings, openPage } from './browser-console.ts';

const HOUR_MS = 3_600_000;
const GRAPHQL = '**/graphql';
/** The console waits so long between refreshes. The clock of the page skips it. */
const REFRESH_MS = 3_000;

type Product = { id: string; variants: { id: string }[] };

describe.skipIf(!hasBrowser)('requests of the console that fail or change (without Chromium it is skipped)', () => {
  let service: TestService;
  let browser: Browser;
  let page: Page;
  let token: string;
  let merchantId: string;
  let lamp: Product;
  let store: string;

  beforeAll(async () => {
    // Without a worker deliveries keep the states that the test gives them.
    service = await startTestService({}, 'api', {});
    const app = await service.createApp();
    ({ token } = app);
    merchantId = merchantOf(app.clientId)!;
    await graphql('mutation ($input: WebhookInput!) { saveWebhook(input: $input) { id } }', {
      input: { endpoint: 'https://receiver.example/', scopes: ['store/product/created', 'store/stock/held'] },
    });
    lamp = await saveLamp({ variants: [{ sku: 'LAMP', prices: [{ sellPrice: 1 }] }] });
    const located = await graphql(
      'mutation ($input: StockLocationInput!) { saveStockLocation(input: $input) { id } }',
      { input: { name: 'Store' } },
    );
    store = (located['saveStockLocation'] as { id: string }).id;
    const place = { productId: lamp.id, variantId: lamp.variants[0]!.id, stockLocationId: store };
    await graphql('mutation ($input: [AdjustStockInput!]!) { adjustStock(input: $input) { id } }', {
      input: [{ ...place, delta: 5, key: 'first' }],
    });
    ({ browser, page } = await openPage());
    await page.clock.install();
    await page.goto(await consoleLink(service, merchantId));
    await page.getByRole('heading', { name: 'Why did a webhook not arrive?' }).waitFor();
  });
  afterAll(async () => {
    await page?.context().close();
    await service?.stop();
  });

  async function graphql(query: string, variables: object): Promise<Record<string, unknown>> {
    const { body } = await post(service.graphqlUrl, { query, variables }, { token });
    expect(body.errors).toBeUndefined();
    return body.data!;
  }

  async function saveLamp(input: object): Promise<Product> {
    const data = await graphql(
      'mutation ($input: ProductInput!) { saveProduct(input: $input) { id variants { id } } }',
      { input: { name: 'Lamp', type: 'PHYSICAL', ...input } },
    );
    return data['saveProduct'] as Product;
  }

  /** Lets the requests of a name fail until `page.unroute`. */
  async function failRequests(name: string): Promise<void> {
    await page.route(GRAPHQL, async (route) => await (isNamed(route, name) ? route.abort() : route.continue()));
  }

  const isNamed = (route: Route, name: string) => route.request().postData()?.includes(`query ${name}`);

  it('shows what the other parts of a search have found if one fails, and names that one', async () => {
    const error = { message: 'The database took too long.', path: ['byName'], extensions: { code: 'TIMEOUT' } };
    const hasPart = (route: Route) => isNamed(route, 'Find') && !route.request().postData()?.includes('"byName":false');
    await page.route(GRAPHQL, async (route) =>
      hasPart(route) ? await route.fulfill({ json: { data: null, errors: [error] } }) : await route.continue(),
    );
    await find(page, 'LAMP');
    await page.locator('h2.record').getByText('Lamp').waitFor();
    await page.getByText('The part “byName” of the search failed: The database took too long.').waitFor();
    expect(await findings(page)).toEqual([]);
    await find(page, 'nothing');
    await page.locator('h2.record').waitFor({ state: 'detached' });
    await page.getByText('The part “byName” of the search failed').waitFor();
    expect(await page.getByText('Nothing has the name').count()).toBe(0);
    await page.unroute(GRAPHQL);
  });

  it('can read the events of a record again after the first request for them has failed', async () => {
    await failRequests('Deliveries');
    await find(page, lamp.id);
    await page.getByRole('alert').waitFor();
    await page.unroute(GRAPHQL);
    await page.getByRole('button', { name: 'Reload' }).click();
    await page.locator('.timeline').getByText('PENDING').waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  it('keeps the events of a record if a refresh fails, and refreshes them further', async () => {
    await failRequests('Deliveries');
    await page.clock.fastForward(REFRESH_MS);
    await page.getByRole('alert').waitFor();
    await page.locator('.timeline').getByText('PENDING').waitFor();
    expect(await findings(page)).toEqual([]);
    await page.unroute(GRAPHQL);
    await page.clock.fastForward(REFRESH_MS);
    await page.getByRole('alert').waitFor({ state: 'detached' });
  });

  it('keeps the event that was chosen, and explains it again, when a delivery changes', async () => {
    await saveLamp({ id: lamp.id, variants: [{ id: lamp.variants[0]!.id, prices: [{ sellPrice: 2 }] }] });
    await page.reload();
    const why = page.locator('section', { has: page.getByRole('heading', { name: 'Why' }) });
    const kinds = page.getByLabel('What became of the last');
    await expect.poll(() => kinds.inputValue()).toBe('store/product/updated');
    await kinds.selectOption('store/product/created');
    await why.getByText('WAITING').waitFor();
    await service.owner.execute(sql`update webhook_delivery set state = 'DELIVERED' where record_id = ${lamp.id}`);
    await page.clock.fastForward(REFRESH_MS);
    await page.locator('.timeline').getByText('DELIVERED').waitFor();
    await why.getByText('DELIVERED', { exact: true }).waitFor();
    expect(await kinds.inputValue()).toBe('store/product/created');
  });

  it('shows answers that take longer than the interval of refreshes', async () => {
    const slow = await saveLamp({ name: 'Slow', variants: [{ prices: [{ sellPrice: 1 }] }] });
    await find(page, slow.id);
    await page.locator('.timeline').getByText('PENDING').waitFor();
    const held: (() => void)[] = [];
    await page.route(GRAPHQL, async (route) => {
      if (isNamed(route, 'Deliveries')) await new Promise<void>((resolve) => held.push(resolve));
      await route.continue();
    });
    await service.owner.execute(sql`update webhook_delivery set state = 'DELIVERED' where record_id = ${slow.id}`);
    await page.clock.fastForward(REFRESH_MS);
    await expect.poll(() => held.length).toBe(1);
    for (const _ of [1, 2]) await page.clock.fastForward(REFRESH_MS);
    // A request of a later refresh would supersede this one.
    held[0]!();
    await expect.poll(() => page.locator('.timeline').innerText()).toContain('DELIVERED');
    await page.unroute(GRAPHQL);
  });

  it('explains a hold as a hold also for an app without a delivery of it', async () => {
    const hold = { variantId: lamp.variants[0]!.id, stockLocationId: store, expiresAt: Date.now() + HOUR_MS };
    await graphql('mutation ($input: [HoldStockInput!]!) { holdStock(input: $input) { id } }', {
      input: [{ ...hold, quantity: 1, key: 'cart 1' }],
    });
    const [row] = await service.owner.execute<{ id: string }>(
      sql`select id from webhook_delivery where scope = 'store/stock/held'`,
    );
    await find(page, row!.id);
    await page.locator('.highlighted').waitFor();
    await page.getByRole('combobox', { name: /^App/ }).selectOption({ label: 'Console' });
    await page.getByText('No event of this record is recorded for a webhook.').waitFor();
    expect(await page.getByLabel('What became of the last').locator('option').allTextContents()).toEqual([
      'store/stock/held',
      'store/stock/released',
    ]);
    await page.getByRole('link', { name: 'Stock', exact: true }).click();
    await find(page, row!.id);
    await page.getByText('The delivery is about a hold, or about a record that is gone').waitFor();
    await page.getByRole('link', { name: 'Find', exact: true }).click();
  });

  it('calls no variant deleted because the request for the variants failed', async () => {
    const [row] = await service.owner.execute<{ id: string }>(sql`select id from product_stock_location`);
    await failRequests('Variants');
    await page.getByRole('link', { name: 'Stock', exact: true }).click();
    await find(page, row!.id);
    await page.getByRole('alert').waitFor();
    expect(await page.getByLabel('Variant').locator('option').allTextContents()).toEqual([lamp.variants[0]!.id]);
    await page.unroute(GRAPHQL);
    await page.reload();
    await expect.poll(() => page.getByLabel('Variant').locator('option').allTextContents()).toEqual(['LAMP']);
  });

  it('charts all hours in which 24 hours lie, with the minutes of the time zone', async () => {
    await service.owner.execute(sql`
      insert into webhook_attempt_count
      select merchant_id, id, date_trunc('hour', now() - interval '24 hours'), true, 1, 3, 5, now() - interval '24 hours'
      from webhook where scope = 'store/product/created'`);
    const context = await browser.newContext({ timezoneId: 'Asia/Kolkata' });
    const abroad = await context.newPage();
    await abroad.goto(await consoleLink(service, merchantId));
    await abroad.getByRole('link', { name: 'Webhooks' }).click();
    await abroad.getByRole('img', { name: /3 delivered, 0 failed/ }).waitFor();
    const hours = await abroad.locator('.chart .hour').allTextContents();
    expect(hours.length).toBeGreaterThan(2);
    for (const hour of hours) expect(hour).toMatch(/^\d\d:30$/);
    await context.close();
  });
});
