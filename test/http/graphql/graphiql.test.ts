import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserPath, hasBrowser } from '../../support/browser.ts';
import { post } from '../../support/post.ts';
import { startServer, type TestServer } from '../../support/server.ts';
import { startTestService, type TestService } from '../../support/whole-service.ts';

describe.skipIf(!hasBrowser)('GraphiQL in a browser', () => {
  let server: TestServer;
  let browser: Browser;
  let page: Page;
  const asked: string[] = [];
  const complaints: string[] = [];

  beforeAll(async () => {
    server = await startServer();
    browser = await chromium.launch({ executablePath: browserPath, args: ['--no-sandbox'] });
    page = await browser.newPage();
    page.on('request', (request) => asked.push(request.url()));
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    await page.goto(`${server.graphqlUrl}?query=${encodeURIComponent('{ __typename }')}`);
  });
  afterAll(async () => {
    await browser.close();
    await server.drain();
  });

  it('runs a query and shows its response', async () => {
    await page.getByRole('button', { name: /execute query/i }).click();
    const answer = page.getByText('"Query"').first();
    await answer.waitFor();
    expect(await answer.isVisible()).toBe(true);
  });

  it('sends requests to no other host, and violates no policy', () => {
    const elsewhere = asked.filter(
      (url) => !url.startsWith(server.url) && !url.startsWith('data:') && !url.startsWith('blob:'),
    );
    expect(elsewhere).toEqual([]);
    expect(complaints).toEqual([]);
  });
});

/** The button that selects a tab. */
const TAB = '[role=tab] [aria-controls]';

/** The member of the data in the answer of each tab, by the name of the tab. */
const ANSWERS = new Map([
  ['ListProducts', 'listProduct'],
  ['SaveProduct', 'saveProduct'],
  ['Webhooks', 'listWebhook'],
  ['ImportProducts', 'bulkUpdateProducts'],
]);

describe.skipIf(!hasBrowser)('GraphiQL for a new user (without Chromium it is skipped)', () => {
  let service: TestService;
  let browser: Browser;
  let page: Page;
  let token: string;
  const complaints: string[] = [];

  beforeAll(async () => {
    service = await startTestService({}, 'api');
    ({ token } = await service.createApp());
    browser = await chromium.launch({ executablePath: browserPath, args: ['--no-sandbox'] });
    page = await browser.newPage({ viewport: { width: 1280, height: 1000 } });
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
  });
  afterAll(async () => {
    await browser.close();
    await service.stop();
  });

  const run = async () => await page.getByRole('button', { name: /execute query/i }).click();
  const answer = () => page.locator('.result-window');

  it('answers data at the first click, with the token of the address', async () => {
    await page.goto(`${service.graphqlUrl}#token=${token}`);
    await page.getByRole('tab').first().waitFor();
    expect(page.url()).toBe(service.graphqlUrl);
    expect(await page.getByLabel('Access token').inputValue()).toBe(token);
    expect(
      await page.evaluate('Object.values(localStorage).join().includes(sessionStorage.getItem(sessionStorage.key(0)))'),
    ).toBe(false);
    await run();
    await answer().getByText('"listProduct"').waitFor();
    expect(await page.evaluate('document.documentElement.scrollHeight <= innerHeight')).toBe(true);
    expect(await answer().textContent()).not.toContain('errors');
  });

  it('shows four named tabs, each of which answers data when it is run', async () => {
    expect(await page.locator(TAB).allTextContents()).toEqual([...ANSWERS.keys()]);
    // From the last tab to the first, without a pause between selecting the tab and running it.
    for (const [name, member] of [...ANSWERS].reverse()) {
      await page.locator(TAB).filter({ hasText: name }).click();
      await run();
      await answer().getByText(`"${member}"`).first().waitFor();
      expect(await answer().textContent()).not.toContain('errors');
    }
  });

  it('has saved nothing', async () => {
    const { body } = await post(
      service.graphqlUrl,
      { query: '{ listProduct { count } listProductBrand { id } }' },
      { token },
    );
    expect(body.data).toEqual({ listProduct: { count: 0 }, listProductBrand: [] });
    expect(complaints).toEqual([]);
  });

  it('says without a token that one is needed, and shows no stack', async () => {
    await page.getByLabel('Access token').fill('');
    await page.getByText('Print one for the demo').waitFor();
    await run();
    await answer().getByText('LOGIN_REQUIRED').waitFor();
    expect(await answer().textContent()).not.toMatch(/stack|\.js:/);
    await page.getByLabel('Access token').fill(`${token}\u200b`);
    await run();
    await answer().getByText('"listProduct"').waitFor();
  });
});
