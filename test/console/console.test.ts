import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { merchantOf } from '../../src/app/credentials/merchant-prefix.ts';
import { hasBrowser } from '../support/browser.ts';
import { post } from '../support/post.ts';
import { consoleLink, find, findings, openPage } from './browser-console.ts';
import { startTestService, type TestService } from '../support/whole-service.ts';

const HOSTILE = `<img src=x onerror="globalThis.hacked=1"><script>globalThis.hacked=1</script>`;

/** Changes the address after the first page is drawn, before the next frame. */
const CHANGE_ADDRESS_WHEN_DRAWN = `
  new MutationObserver((_, drawn) => {
    if (document.getElementById('main') === null) return;
    drawn.disconnect();
    location.hash = '#/webhooks';
  }).observe(document, { childList: true, subtree: true });`;

/** A webhook receiver that answers 500 with a hostile text until `isRepaired` is set. */
const receiver = { isRepaired: false, server: null as Server | null };

describe.skipIf(!hasBrowser)('the console in a browser (without Chromium it is skipped)', () => {
  let service: TestService;
  let browser: Browser;
  let page: Page;
  let token: string;
  let merchantId: string;
  let product: { id: string; variants: { id: string }[] };
  let asked: string[];
  let complaints: string[];

  beforeAll(async () => {
    const webhook = { allowHttp: true, allowPrivate: true, retryDelaysMs: [50, 50] as [number, number] };
    service = await startTestService({}, 'all', { webhook });
    const app = await service.createApp();
    token = app.token;
    merchantId = merchantOf(app.clientId)!;
    const endpoint = await startReceiver();
    await graphql('mutation ($input: WebhookInput!) { saveWebhook(input: $input) { id } }', {
      input: { endpoint, scopes: ['store/product/created', 'store/product/updated'] },
    });
    const input = {
      name: `Shirt ${HOSTILE}`,
      type: 'PHYSICAL',
      variants: [{ sku: 'SKU-1', prices: [{ sellPrice: 1 }] }],
    };
    const saved = await graphql(
      'mutation ($input: ProductInput!) { saveProduct(input: $input) { id variants { id } } }',
      {
        input,
      },
    );
    product = saved['saveProduct'] as typeof product;
    const isGivenUp = async () => (await delivery()).status === 'FAILED' || Promise.reject(new Error('not yet'));
    await vi.waitFor(isGivenUp, { timeout: 10_000 });
    ({ browser, page, asked, complaints } = await openPage());
  });
  afterAll(async () => {
    await page?.context().close();
    await service?.stop();
    receiver.server?.close();
  });

  async function graphql(query: string, variables: object): Promise<Record<string, unknown>> {
    const { body } = await post(service.graphqlUrl, { query, variables }, { token });
    expect(body.errors).toBeUndefined();
    return body.data!;
  }

  async function delivery(): Promise<{ id: string; status: string }> {
    const query = 'query ($id: String!) { listWebhookDelivery(recordId: { eq: $id }) { data { id status } } }';
    const data = await graphql(query, { id: product.id });
    return (data['listWebhookDelivery'] as { data: [{ id: string; status: string }] }).data[0];
  }

  it('says what to do if nobody is signed in', async () => {
    await page.goto(`${service.url}/console`);
    await page.getByText('You are not signed in.').waitFor();
    expect(await findings(page)).toEqual([]);
  });

  it('signs in by a link, once, and keeps the token in this tab only', async () => {
    const address = await consoleLink(service, merchantId);
    // The console is open already, so that the link changes only the fragment of the address.
    await page.goto(address);
    await page.getByRole('heading', { name: 'Why did a webhook not arrive?' }).waitFor();
    expect(page.url()).toBe(`${service.url}/console`);
    const kept = await page.evaluate<string>(
      'JSON.stringify([document.cookie, localStorage.length, sessionStorage.length])',
    );
    expect(kept).toBe('["",0,1]');
    const other = await browser.newPage();
    await other.goto(address);
    await other.getByText('The code is unknown, used or expired.').waitFor();
    await other.close();
  });

  it('shows the page of an address that changes as soon as the first page is drawn', async () => {
    const other = await browser.newPage();
    await other.addInitScript({ content: CHANGE_ADDRESS_WHEN_DRAWN });
    await other.goto(await consoleLink(service, merchantId));
    await other.getByRole('heading', { level: 1, name: 'Webhooks' }).waitFor();
    expect(other.url()).toBe(`${service.url}/console#/webhooks`);
    await other.close();
  });

  it("finds a delivery by the record's id, and shows the receiver's answer as text", async () => {
    await find(page, product.id);
    await page.getByText('signature mismatch').first().waitFor();
    await page.getByText('GIVEN_UP').waitFor();
    expect(await page.locator('.attempts > li').count()).toBe(3);
    expect(await page.locator('.timeline').getByText('The product was created.').count()).toBe(1);
    expect(await page.locator('.timeline').getByText('whose webhook is deleted').count()).toBe(0);
    expect(await page.getByText(HOSTILE).count()).toBeGreaterThan(3);
    expect(await page.evaluate('globalThis.hacked')).toBeUndefined();
    expect(await page.locator('img, main script').count()).toBe(0);
    expect(await findings(page)).toEqual([]);
  });

  it('finds a delivery by the sku and by its id', async () => {
    const { id } = await delivery();
    await find(page, 'SKU-1');
    await page.locator('.record').getByText('Shirt').waitFor();
    await find(page, id);
    await page.locator('.highlighted').waitFor();
    await find(page, 'shirt');
    await page.locator('.record').getByText('Shirt').waitFor();
    await find(page, 'nothing has this');
    await page.getByText('Nothing has the name, handle, sku or id').waitFor();
    expect(await page.locator('.timeline').count()).toBe(0);
  });

  it('lists several records that contain the text, one of which is chosen', async () => {
    await graphql('mutation ($input: ProductInput!) { saveProduct(input: $input) { id } }', {
      input: { name: 'Shirt of wool', type: 'PHYSICAL', variants: [], metaData: { slug: 'wool-shirt' } },
    });
    await find(page, 'shirt');
    await page.getByText('2 records contain the text').waitFor();
    expect(await findings(page)).toEqual([]);
    await page.getByRole('link', { name: 'Shirt of wool' }).click();
    await page.locator('.record').getByText('Shirt of wool').waitFor();
    await find(page, 'wool-shirt');
    await page.locator('.record').getByText('Shirt of wool').waitFor();
  });

  it('explains for each app, also for one whose webhook is deleted, and for a chosen one', async () => {
    const other = await service.createApp();
    await post(
      service.graphqlUrl,
      {
        query:
          'mutation ($input: WebhookInput!) { saveWebhook(input: $input) { id } deleteWebhook(scopes: ["store/product/created"]) }',
        variables: { input: { endpoint: 'https://erp.example/', scopes: ['store/product/created'] } },
      },
      { token: other.token },
    );
    await find(page, product.id);
    const why = page.locator('section', { has: page.getByRole('heading', { name: 'Why' }) });
    await why.getByText('GIVEN_UP').waitFor();
    await page.getByLabel('What became of the last').selectOption('store/product/deleted');
    await why.getByText('It is registered for store/product/created and store/product/updated.').waitFor();
    expect(await findings(page)).toEqual([]);
    await page.getByRole('combobox', { name: /^App/ }).selectOption({ label: 'Test' });
    await expect.poll(async () => await why.locator('.card').count()).toBe(1);
  });

  it('sends the delivery again after the receiver is repaired', async () => {
    await find(page, product.id);
    receiver.isRepaired = true;
    await page.getByRole('button', { name: 'Test the endpoint' }).click();
    await page.getByText('Signed: 200.').waitFor();
    const status = (to: string) =>
      service.owner.execute(`update webhook set status = '${to}', paused_at = now() where scope like '%created'`);
    await status('PAUSED');
    await page.getByRole('button', { name: 'Redeliver' }).click();
    await page.getByText('The webhook is paused. Press “Resume” first').waitFor();
    await page.getByRole('button', { name: 'Resume' }).waitFor();
    await status('ACTIVE');
    await page.getByRole('button', { name: 'Redeliver' }).click();
    await page.locator('.timeline').getByText('DELIVERED').waitFor();
    await page.getByText('status 200').waitFor();
    expect(await delivery()).toMatchObject({ status: 'DELIVERED' });
  });

  it('resumes a paused webhook', async () => {
    await service.owner.execute(`update webhook set status = 'PAUSED', paused_at = now() where scope like '%created'`);
    await page.getByRole('link', { name: 'Webhooks' }).click();
    await page.getByText('PAUSED', { exact: true }).waitFor();
    expect(await page.getByRole('img', { name: /1 delivered, [36] failed/ }).count()).toBe(1);
    expect(await findings(page)).toEqual([]);
    for (const text of ['0', /^[1-9]\d*$/, ':00']) await page.locator('.chart text').getByText(text).first().waitFor();
    // One button of a card stands out.
    expect(await page.locator('.card', { hasText: 'PAUSED' }).locator('button:not(.quiet)').allTextContents()).toEqual([
      'Resume',
    ]);
    await page.getByLabel('App, scope or endpoint').fill('updated');
    await page.getByText('1 of 2 webhooks').waitFor();
    await page.getByLabel('App, scope or endpoint').fill('');
    await page.getByLabel('Paused only').check();
    await page.getByText('1 of 2 webhooks').waitFor();
    await page.getByLabel('Paused only').uncheck();
    await page.getByRole('button', { name: 'Resume' }).click();
    await expect.poll(async () => await page.getByText('ACTIVE', { exact: true }).count()).toBe(2);
  });

  it('shows bulk operations with their progress', async () => {
    const images = [{ imageUrl: 'http://127.0.0.1:1/a.png', isMain: true, order: 1 }];
    const variants = [{ prices: [{ sellPrice: 1 }], images }];
    const input = [{ name: HOSTILE, type: 'PHYSICAL', categories: [], productVariantTypes: [], variants }];
    await graphql('mutation ($input: [BulkUpdateProductsInput!]!) { bulkUpdateProducts(input: $input) }', { input });
    await page.getByRole('link', { name: 'Bulk operations' }).click();
    await page.getByText('Products: 1 sent, 1 created').waitFor();
    await page.getByText(/Images: \d of 1 done/).waitFor();
    expect(await findings(page)).toEqual([]);
  });

  it('shows apps and tokens, and revokes a token after a second question', async () => {
    await page.getByRole('link', { name: 'Apps and tokens' }).click();
    const card = page.locator('.card', { has: page.getByRole('heading', { name: 'Test' }) });
    await card.getByText(/Last used \d{4}-\d\d-\d\d \d\d:\d\d \((just now|\d+ minutes? ago)\)/).waitFor();
    await page.getByLabel('Name, e-mail, scope or id').fill('no such app');
    await page.getByText(/^0 of \d+ apps/).waitFor();
    await page.getByLabel('Name, e-mail, scope or id').fill('TEST');
    await card.waitFor();
    expect(await findings(page)).toEqual([]);
    await card.getByRole('button', { name: 'Revoke the token' }).dblclick();
    await card.getByRole('button', { name: 'Cancel' }).click();
    expect((await post(service.graphqlUrl, { query: '{ me { id } }' }, { token })).status).toBe(200);
    await card.getByRole('button', { name: 'Revoke the token' }).click();
    await card.getByRole('button', { name: 'are you sure?' }).click();
    await card.getByText('No token of this app is valid.').waitFor();
    await expect
      .poll(async () => (await post(service.graphqlUrl, { query: '{ me { id } }' }, { token })).status)
      .toBe(401);
  });

  it('copies its requests, without the token', async () => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Copy as curl' }).first().click();
    await page.getByText('Copied.').waitFor();
    const curl = await page.evaluate<string>('navigator.clipboard.readText()');
    expect(curl).toContain(`curl -s '${service.graphqlUrl}'`);
    expect(curl).toContain('Authorization: Bearer $TOKEN"');
    await page.getByRole('button', { name: 'Copy as GraphQL' }).first().click();
    await expect.poll(() => page.evaluate<string>('navigator.clipboard.readText()')).toContain('query Apps');
  });

  it('signs out', async () => {
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByText('You are not signed in.').waitFor();
    expect(await page.evaluate('sessionStorage.length')).toBe(0);
  });

  it('sends requests to no other host, and violates no policy', () => {
    expect(asked.filter((url) => !url.startsWith(service.url) && !/^(data|about):/.test(url))).toEqual([]);
    expect(complaints).toEqual([]);
  });
});

async function startReceiver(): Promise<string> {
  receiver.server = createServer((request, response) => {
    request.resume().on('end', () => {
      if (receiver.isRepaired) response.end('ok');
      else response.writeHead(500, { 'content-type': 'text/html' }).end(`signature mismatch ${HOSTILE}`);
    });
  });
  await new Promise<void>((resolve) => receiver.server!.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(receiver.server.address() as AddressInfo).port}/hook`;
}
