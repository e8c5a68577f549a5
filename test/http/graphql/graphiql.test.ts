import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserPath, hasBrowser } from '../../support/browser.ts';
import { startServer, type TestServer } from '../../support/server.ts';

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
