import { sql } from 'drizzle-orm';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { merchantOf } from '../../src/app/credentials/merchant-prefix.ts';
import { hasBrowser } from '../support/browser.ts';
import { post } from '../support/post.ts';
import { startTestService, type TestService } from '../support/whole-service.ts';
import { consoleLink, find, openPage } from './browser-console.ts';
import { copyRow } from './copied-rows.ts';

/** More than the service lists on a page of apps, webhooks or tokens. */
const MANY = 210;
/** More deliveries than the console shows on a page. */
const MANY_DELIVERIES = 60;

describe.skipIf(!hasBrowser)('long lists in the console (without Chromium it is skipped)', () => {
  let service: TestService;
  let page: Page;
  let token: string;
  let productId: string;
  let oldestDeliveryId: string;

  beforeAll(async () => {
    // Without a worker deliveries keep the states that the test gives them.
    service = await startTestService({}, 'api', {});
    const app = await service.createApp();
    ({ token } = app);
    await graphql('mutation ($input: WebhookInput!) { saveWebhook(input: $input) { id } }', {
      input: { endpoint: 'https://receiver.example/', scopes: ['store/product/created'] },
    });
    const input = { name: 'Lamp', type: 'PHYSICAL', variants: [{ sku: 'LAMP', prices: [{ sellPrice: 1 }] }] };
    const saved = await graphql('mutation ($input: ProductInput!) { saveProduct(input: $input) { id } }', { input });
    productId = (saved['saveProduct'] as { id: string }).id;
    await addDeliveries();
    await addApps();
    ({ page } = await openPage());
    await page.goto(await consoleLink(service, merchantOf(app.clientId)!));
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

  async function addDeliveries(): Promise<void> {
    await service.owner.execute(sql`update webhook_delivery set state = 'FAILED'`);
    const [row] = await service.owner.execute<{ id: string }>(sql`select id from webhook_delivery`);
    oldestDeliveryId = row!.id;
    await copyRow(service, 'webhook_delivery', {
      where: sql`true`,
      count: MANY_DELIVERIES,
      members: sql`jsonb_build_object('created_at', now())`,
    });
  }

  /** Newer apps, each with a webhook, and an older one with more tokens than a page has. */
  async function addApps(): Promise<void> {
    const { owner } = service;
    await copyRow(service, 'authorized_app', {
      where: sql`name = 'Test'`,
      count: MANY,
      members: sql`jsonb_build_object('name', 'App ' || number, 'client_id', 'app ' || number,
        'created_at', now() + number * interval '1 ms')`,
    });
    await copyRow(service, 'authorized_app', {
      where: sql`name = 'Test'`,
      count: 1,
      members: sql`jsonb_build_object('name', 'Busy', 'client_id', 'busy', 'created_at', created_at - interval '1 day')`,
    });
    await owner.execute(sql`
      insert into webhook (merchant_id, id, authorized_app_id, scope, endpoint, created_at)
      select merchant_id, uuidv7(), id, 'store/product/created', 'https://receiver.example/', now()
      from authorized_app where name like 'App %'`);
    await copyRow(service, 'access_token', {
      where: sql`true`,
      count: MANY,
      members: sql`jsonb_build_object('hash', 'hash ' || number,
        'authorized_app_id', (select id from authorized_app where name = 'Busy'))`,
    });
  }

  function card(name: string): Locator {
    return page.locator('.card', { has: page.getByRole('heading', { name, exact: true }) });
  }

  it('offers the actions of a delivery whose webhook is older than 200 others', async () => {
    await find(page, productId);
    const deliveries = page.locator('.timeline > .card');
    await expect.poll(() => deliveries.getByRole('button', { name: 'Redeliver' }).count()).toBe(50);
    expect(await deliveries.getByText('whose webhook is deleted').count()).toBe(0);
  });

  it('says so if the webhook of a delivery is deleted', async () => {
    await service.owner.execute(sql`
      update webhook_delivery set authorized_app_id = (select id from authorized_app where name = 'Busy')
      where id = (select max(id::text)::uuid from webhook_delivery)`);
    await page.getByRole('button', { name: 'Reload' }).click();
    await expect.poll(() => page.getByText('whose webhook is deleted').count()).toBe(1);
  });

  it('shows a delivery that was found by its id above those that are newer', async () => {
    await find(page, oldestDeliveryId);
    const highlighted = page.locator('.highlighted');
    await highlighted.getByText(oldestDeliveryId).waitFor();
    await highlighted.getByRole('button', { name: 'Redeliver' }).waitFor();
    expect(await page.locator('.timeline > li').first().getAttribute('class')).toContain('highlighted');
    await page.getByRole('button', { name: 'Next events' }).click();
    await expect.poll(() => page.locator('.timeline > .card').count()).toBe(MANY_DELIVERIES + 1 - 50);
    expect(await highlighted.count()).toBe(1);
  });

  it('offers an app that is older than 200 others', async () => {
    await page.getByRole('combobox', { name: /^App/ }).selectOption({ label: 'Busy' });
    await expect.poll(() => page.locator('.timeline > .card').count()).toBe(1);
  });

  it('says that only the first records which contain the text are shown', async () => {
    const product = { type: 'PHYSICAL', categories: [], productVariantTypes: [], variants: [] };
    const input = Array.from({ length: 21 }, (_, index) => ({ ...product, name: `Mug ${index}` }));
    await graphql('mutation ($input: [BulkUpdateProductsInput!]!) { bulkUpdateProducts(input: $input) }', { input });
    await find(page, 'mug');
    await page.getByRole('heading', { name: 'More than 20 records contain the text' }).waitFor();
    await page.getByText('The first 20 are shown.').waitFor();
    await find(page, 'mug 1');
    await page.getByRole('heading', { name: '11 records contain the text' }).waitFor();
    expect(await page.getByText('are shown').count()).toBe(0);
  });

  it('calls no app without a valid token while there are more tokens', async () => {
    await page.getByRole('link', { name: 'Apps and tokens' }).click();
    await page.getByRole('button', { name: 'Next apps' }).click();
    await card('Busy').getByRole('button', { name: 'Revoke the token' }).first().waitFor();
    await card('Test').getByText('No token of this app is on this page of tokens.').waitFor();
    expect(await page.getByText('No token of this app is valid.').count()).toBe(0);
    await page.getByRole('button', { name: 'Next tokens' }).click();
    await card('Test').getByRole('button', { name: 'Revoke the token' }).waitFor();
  });

  it('reads the tokens of the apps that a filter shows', async () => {
    await page.getByLabel('Name, e-mail, scope or id').fill('Test');
    await card('Busy').waitFor({ state: 'detached' });
    await card('Test').getByRole('button', { name: 'Revoke the token' }).waitFor();
    await page.getByRole('button', { name: 'Next tokens' }).waitFor({ state: 'detached' });
    await page.getByLabel('Name, e-mail, scope or id').fill('App 1');
    await expect.poll(() => page.getByText('No token of this app is valid.').count()).toBeGreaterThan(0);
    expect(await page.getByText('on this page of tokens').count()).toBe(0);
  });
});
