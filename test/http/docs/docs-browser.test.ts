import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { docsRoutes } from '../../../src/http/docs/docs-routes.ts';
import { hasBrowser, sharedBrowser } from '../../support/browser.ts';
import { startServer, type TestServer } from '../../support/server.ts';

const AXE = readFileSync('node_modules/axe-core/axe.min.js', 'utf8');
const PHONE = { width: 400, height: 800 };
/** In the second scheme only the rules that look at colours. The others find the same in each. */
const SCHEMES = [
  ['light', {}],
  ['dark', { runOnly: ['color-contrast', 'link-in-text-block'] }],
] as const;
const PAGES = [
  '/docs',
  '/docs/getting-started',
  '/docs/operations/saveProduct',
  '/docs/errors/NOT_FOUND',
  '/docs/limits',
];

type Violation = { id: string; nodes: { html: string }[] };

describe.skipIf(!hasBrowser)('the documentation in a browser', () => {
  let server: TestServer;
  let page: Page;
  const asked: string[] = [];
  const complaints: string[] = [];

  beforeAll(async () => {
    const options = { hasOperations: true, publicUrl: undefined };
    server = await startServer({ pageRoutes: [async (app) => await docsRoutes(app, options)] });
    page = await (await sharedBrowser()).newPage({ viewport: PHONE });
    page.on('request', (request) => asked.push(request.url()));
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
  });
  afterAll(async () => {
    await page.context().close();
    await server.drain();
  });

  it('can be searched with the keyboard only', async () => {
    await page.goto(`${server.url}/docs`);
    await page.keyboard.press('/');
    await page.keyboard.type('not_found');
    await page.getByRole('status').getByText('found').waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/docs/errors/NOT_FOUND');
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('NOT_FOUND');
  });

  it('finds the answer to a question, and opens the first page on Enter', async () => {
    await page.getByRole('searchbox').fill('how to paginate?');
    await page
      .getByRole('link', { name: /pagination/i })
      .first()
      .waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => url.href !== `${server.url}/docs/errors/NOT_FOUND`);
    expect((await page.locator('main').textContent())!.toLowerCase()).toContain('pagination');
  });

  it('copies an example', async () => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto(`${server.url}/docs/getting-started`);
    await page.getByRole('button', { name: 'Copy' }).first().click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    const copied = await page.evaluate('navigator.clipboard.readText()');
    expect(copied).toBe(await page.locator('pre').first().textContent());
  });

  it('shows no results after Escape, and says so if nothing is found', async () => {
    await page.getByRole('searchbox').fill('xyzzy');
    await page.getByText('0 pages found').waitFor();
    await page.getByRole('searchbox').fill('webhook');
    await page.getByRole('link', { name: /^saveWebhook/ }).waitFor();
    await page.keyboard.press('Escape');
    expect(await page.locator('#results').isVisible()).toBe(false);
  });

  it.each(PAGES)('%s can be read at 400 px, light and dark', async (path) => {
    await page.goto(`${server.url}${path}`);
    await page.evaluate(AXE);
    for (const [colorScheme, options] of SCHEMES) {
      await page.emulateMedia({ colorScheme });
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(PHONE.width);
      const { violations } = (await page.evaluate(`axe.run(${JSON.stringify(options)})`)) as {
        violations: Violation[];
      };
      expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
    }
  });

  it('sends requests to no other host, and violates no policy', () => {
    const elsewhere = asked.filter((url) => !url.startsWith(server.url) && !url.startsWith('data:'));
    expect(elsewhere).toEqual([]);
    expect(complaints).toEqual([]);
  });
});
