import { sql } from 'drizzle-orm';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { merchantOf } from '../../src/app/credentials/merchant-prefix.ts';
import { newId } from '../../src/db/sql/id.ts';
import { browserPath, hasBrowser } from '../support/browser.ts';
import { startTestService, type TestService } from '../support/whole-service.ts';
import { consoleLink } from './browser-console.ts';

/** A text that would run in HTML, in an attribute, in a script, and as the address of a link. */
const MARKUP = `"'><img src=x onerror="globalThis.hacked=1"></script><script>globalThis.hacked=1</script>javascript:hacked=1`;

describe.skipIf(!hasBrowser)('markup in all texts of a merchant (without Chromium it is skipped)', () => {
  const customerId = newId();
  const productId = newId();
  const complaints: string[] = [];
  const asked: string[] = [];
  let service: TestService;
  let merchantId: string;
  let token: string;
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    service = await startTestService();
    const app = await service.createApp();
    token = app.token;
    merchantId = merchantOf(app.clientId)!;
    await storeMarkup();
    browser = await chromium.launch({ executablePath: browserPath, args: ['--no-sandbox'] });
    page = await browser.newPage();
    page.setDefaultTimeout(10_000);
    page.on('request', (request) => asked.push(request.url()));
    page.on('pageerror', ({ message }) => complaints.push(message));
    page.on('dialog', (dialog) => complaints.push(dialog.message()));
    page.on('console', (message) => /policy/i.test(message.text()) && complaints.push(message.text()));
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });

  // docs/reliability-tests.md: 56
  it('is shown as text in the console, in the documentation and in GraphiQL', { timeout: 60_000 }, async () => {
    await seeConsole();
    await seeDocumentation();
    await seeGraphiQL();
    expect(complaints).toEqual([]);
    expect(asked.filter((url) => !url.startsWith(service.url) && !/^(data|blob|about):/.test(url))).toEqual([]);
  });

  async function seeConsole(): Promise<void> {
    await page.goto(`${service.url}/console#code=${encodeURIComponent(MARKUP)}`);
    await page.getByText('The code is unknown').waitFor();
    await page.goto('about:blank');
    await page.goto(await consoleLink(service, merchantId));
    for (const [place, heading, times] of [
      [`search/${encodeURIComponent(MARKUP)}`, 'Why did a webhook not arrive?', 2],
      ['webhooks', 'Webhooks', 2],
      ['apps', 'Apps and tokens', 3],
      [`search/${customerId}`, 'Why did a webhook not arrive?', 4],
      [`history/${customerId}`, 'Who changed it?', 4],
      [`stock/${productId}`, 'Why is a count what it is?', 3],
      ['history/', 'Who changed it?', 3],
    ] as const) {
      await page.goto(`${service.url}/console#/${place}`);
      await page.getByRole('heading', { level: 1, name: heading }).waitFor();
      await isShown(times);
    }
  }

  async function seeDocumentation(): Promise<void> {
    const path = encodeURIComponent(MARKUP.replaceAll('/', ''));
    for (const address of [`docs/${path}`, `docs/operations/${path}`, `console/${path}`, path]) {
      const response = await page.goto(`${service.url}/${address}`);
      expect([response!.status(), response!.headers()['x-content-type-options']]).toEqual([404, 'nosniff']);
      await isHarmless();
    }
    await page.goto(`${service.url}/docs?q=${path}#${path}`);
    await page.getByRole('searchbox').fill(MARKUP);
    await page.getByText('0 pages found').waitFor();
    await isHarmless();
  }

  async function seeGraphiQL(): Promise<void> {
    const query = `# ${MARKUP}\n{ listProductTag { name } me { name } }`;
    const parameters = new URLSearchParams({ query, operationName: MARKUP, variables: MARKUP });
    await page.goto(`${service.graphqlUrl}?${parameters.toString()}#token=${token}`);
    await page.getByRole('button', { name: /execute query/i }).click();
    await page.locator('.result-window').getByText('onerror').first().waitFor();
    await isHarmless();
    await page.goto(`${service.graphqlUrl}#token=${encodeURIComponent(MARKUP)}`);
    await page.getByRole('button', { name: /execute query/i }).waitFor();
    await isHarmless();
  }

  async function isShown(times: number): Promise<void> {
    await expect
      .poll(() => page.getByText('<img src=x onerror=').count(), { timeout: 10_000 })
      .toBeGreaterThanOrEqual(times);
    await isHarmless();
  }

  async function isHarmless(): Promise<void> {
    expect(await page.evaluate('globalThis.hacked')).toBeUndefined();
    expect(await page.locator('img[src=x], a[href^=javascript]').count()).toBe(0);
  }

  /** Stores the markup by plain SQL, because the API would refuse some of it. */
  async function storeMarkup(): Promise<void> {
    const attempt = { at: 1, durationMs: 1, statusCode: 500, error: MARKUP, responseBody: MARKUP, responseHeaders: [] };
    const run = async (statement: ReturnType<typeof sql>) => await service.owner.execute(statement);
    await run(sql`update authorized_app set name = ${MARKUP}, email = ${MARKUP} where merchant_id = ${merchantId}`);
    await run(
      sql`update merchant set store_name = ${MARKUP}, merchant_name = ${MARKUP} where merchant_id = ${merchantId}`,
    );
    await run(sql`insert into product_tag (merchant_id, name) values (${merchantId}, ${MARKUP})`);
    await run(
      sql`insert into customer (merchant_id, id, first_name, last_name, email) values (${merchantId}, ${customerId}, ${MARKUP}, ${MARKUP}, ${MARKUP})`,
    );
    await run(sql`
      with place as (insert into stock_location (merchant_id, name) values (${merchantId}, ${MARKUP}) returning id),
        owner as (
          insert into product (merchant_id, id, name, type) values (${merchantId}, ${productId}, ${MARKUP}, 'PHYSICAL')
          returning id),
        part as (
          insert into variant (merchant_id, id, product_id, position, sku)
          select ${merchantId}, ${newId()}, id, 0, ${MARKUP} from owner returning id)
      insert into product_stock_location (merchant_id, product_id, variant_id, stock_location_id, stock_count)
      select ${merchantId}, owner.id, part.id, place.id, 1 from owner, part, place`);
    await run(sql`
      with hook as (
        insert into webhook (merchant_id, authorized_app_id, scope, endpoint)
        select ${merchantId}, id, 'store/customer/created', ${`https://receiver.example/${MARKUP}`}
        from authorized_app where merchant_id = ${merchantId} returning id, authorized_app_id)
      insert into webhook_delivery (merchant_id, webhook_id, authorized_app_id, scope, endpoint, sequence, data, record_id, state, attempts, attempt_log)
      select ${merchantId}, id, authorized_app_id, 'store/customer/created', ${`https://receiver.example/${MARKUP}`}, 1, '{}', ${customerId}, 'FAILED', 3, ${JSON.stringify([attempt])}::json
      from hook`);
  }
});
