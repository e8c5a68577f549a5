import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser, sharedBrowser } from '../../support/browser.ts';
import { post } from '../../support/post.ts';
import { startServer, type TestServer } from '../../support/server.ts';
import { startTestService, type TestService } from '../../support/whole-service.ts';

describe.skipIf(!hasBrowser)('GraphiQL in a browser', () => {
  let server: TestServer;
  let page: Page;
  const asked: string[] = [];
  const complaints: string[] = [];

  beforeAll(async () => {
    server = await startServer();
    page = await (await sharedBrowser()).newPage();
    page.on('request', (request) => asked.push(request.url()));
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    await page.goto(`${server.graphqlUrl}?query=${encodeURIComponent('{ __typename }')}`);
  });
  afterAll(async () => {
    await page.context().close();
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
const TAB = '.graphiql-tab-button';

/** The member of the data in the answer of each tab, by the name of the tab. */
const ANSWERS = new Map([
  ['ListProducts', 'listProduct'],
  ['SaveProduct', 'saveProduct'],
  ['Webhooks', 'listWebhook'],
  ['ImportProducts', 'bulkUpdateProducts'],
]);

describe.skipIf(!hasBrowser)('GraphiQL for a new user (without Chromium it is skipped)', () => {
  let service: TestService;
  let page: Page;
  let token: string;
  const complaints: string[] = [];

  beforeAll(async () => {
    service = await startTestService({}, 'api');
    ({ token } = await service.createApp());
    page = await (await sharedBrowser()).newPage({ viewport: { width: 1280, height: 1000 } });
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
  });
  afterAll(async () => {
    await page.context().close();
    await service.stop();
  });

  const run = async () => await page.getByRole('button', { name: /execute query/i }).click();
  const answer = () => page.locator('.result-window');

  it('answers data at the first click, with the token of the address', async () => {
    await page.goto(`${service.graphqlUrl}#token=${token}`);
    await page.locator(TAB).first().waitFor();
    expect(page.url()).toBe(service.graphqlUrl);
    expect(await page.getByLabel('Access token').inputValue()).toBe(token);
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

  it('keeps what was sent, with variables and headers, for the browser tab only', async () => {
    const stored = async (name: string) => await page.evaluate(`JSON.stringify(${name})`);
    expect(await stored('sessionStorage')).toContain('listProduct');
    expect(await stored('localStorage')).toBe('{}');
    // As a former version of the page has stored it.
    await page.evaluate(`localStorage.setItem('graphiql:queries', '{"queries":[{"variables":"Ada"}]}')`);
    await page.evaluate(`localStorage.setItem('theirs', 'stays')`);
    await page.reload();
    await page.locator(TAB).first().waitFor();
    expect(await stored('localStorage')).toBe('{"theirs":"stays"}');
    await page.evaluate('localStorage.clear()');
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

  it('opens the same tabs after a reload, and an empty one with a sentence in place of a stack', async () => {
    await page.reload();
    await page.locator(TAB).first().waitFor();
    expect(await page.locator(TAB).allTextContents()).toEqual([...ANSWERS.keys()]);
    await page.getByRole('button', { name: /add tab/i }).click();
    await expect.poll(async () => await page.locator(TAB).count()).toBe(ANSWERS.size + 1);
    await run();
    await answer().getByText('This tab has no operation.').waitFor();
    expect(await answer().textContent()).not.toMatch(/stack|\.js:/);
    await page.reload();
    await page.locator(TAB).first().waitFor();
    expect(await page.locator(TAB).allTextContents()).toEqual([...ANSWERS.keys()]);
    expect(page.url()).toBe(service.graphqlUrl);
  });

  it('shows suggestions for a misspelt name, and a syntax error as a sentence', async () => {
    const runText = async (text: string, shown: string) => {
      await page.locator('.graphiql-query-editor .CodeMirror').click();
      await page.keyboard.press('Control+A');
      // At once: what is typed key by key opens lists of names, which may take a key.
      await page.keyboard.insertText(text);
      // GraphiQL reads the name of the operation a moment after the text was changed, and sends the former one until then.
      await expect.poll(async () => (await run(), await answer().textContent()), { interval: 200 }).toContain(shown);
    };
    await page.getByRole('button', { name: /add tab/i }).click();
    await expect.poll(async () => await page.locator(TAB).count()).toBe(ANSWERS.size + 1);
    await runText('{ listProdukt { count } }', '"suggestions"');
    await answer().getByText('"listProduct"').first().waitFor();
    await runText('nonsense', 'Syntax Error');
    expect(await answer().textContent()).not.toMatch(/stack|\.js:/);
    await page
      .getByRole('button', { name: /close tab/i })
      .last()
      .click();
  });

  it('has no faults by axe, in either colour scheme', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      const { violations } = (await page.evaluate(`${axe.source}; axe.run()`)) as axe.AxeResults;
      expect(
        violations.map(({ id, nodes }) => `${colorScheme} ${id}: ${nodes.map(({ html }) => html).join()}`),
      ).toEqual([]);
    }
  });

  it('has less than 3 MB before a key is pressed', async () => {
    const bytes = await page.evaluate<number>(
      `[...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
        .filter(({ initiatorType }) => initiatorType !== 'fetch')
        .reduce((sum, { decodedBodySize }) => sum + decodedBodySize, 0)`,
    );
    expect(bytes).toBeGreaterThan(500_000);
    expect(bytes).toBeLessThan(3_000_000);
  });

  it('shows one pane at a time on a phone', async () => {
    await page.setViewportSize({ width: 400, height: 800 });
    const [editor, response] = [page.locator('.graphiql-query-editor'), page.locator('.result-window')];
    await page.getByRole('button', { name: 'Operation', exact: true }).click();
    expect([await editor.isVisible(), await response.isVisible()]).toEqual([true, false]);
    expect((await editor.boundingBox())!.width).toBeGreaterThan(300);
    await run();
    await response.waitFor();
    expect(await editor.isVisible()).toBe(false);
    expect((await response.boundingBox())!.width).toBeGreaterThan(300);
    await page.getByRole('button', { name: 'Operation', exact: true }).click();
    expect([await editor.isVisible(), await response.isVisible()]).toEqual([true, false]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(400);
    await page.setViewportSize({ width: 1280, height: 1000 });
  });

  it('says without a token that one is needed, and shows no stack', async () => {
    await page.locator(TAB).filter({ hasText: 'ListProducts' }).click();
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
