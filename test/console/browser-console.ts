import { createSecretKey, randomBytes } from 'node:crypto';
import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { type ConsoleAccess, createConsoleCode } from '../../src/app/console-code.ts';
import { sharedBrowser } from '../support/browser.ts';
import type { TestService } from '../support/whole-service.ts';

const COLOR_SCHEMES = ['light', 'dark'] as const;
const NARROW = { width: 400, height: 800 };
/** The rules that look at colours. The others find the same in each scheme. */
const COLOR_RULES = ['color-contrast', 'link-in-text-block'];

/** A page for the console of a service, with the addresses that it asked for and the errors that it reported. */
export type BrowserConsole = { browser: Browser; page: Page; asked: string[]; complaints: string[] };

/** The page has a context of its own, which the test closes. */
export async function openPage(): Promise<BrowserConsole> {
  const asked: string[] = [];
  const complaints: string[] = [];
  const browser = await sharedBrowser();
  const page = await browser.newPage();
  page.setDefaultTimeout(10_000);
  page.on('request', (request) => asked.push(request.url()));
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  return { browser, page, asked, complaints };
}

/** An address that signs in to the console of the merchant, once. */
export async function consoleLink(
  { db, url }: TestService,
  merchantId: string,
  access: ConsoleAccess = { isReadOnly: false },
): Promise<string> {
  const secretKey = createSecretKey(randomBytes(32));
  const code = await createConsoleCode({ db, merchantId, secretKey }, access);
  return `${url}/console#code=${code}`;
}

export async function find(page: Page, text: string): Promise<void> {
  await page.keyboard.press('/');
  await page.getByLabel('Name, handle, sku or id').fill(text);
  await page.keyboard.press('Enter');
}

/** Findings of axe, and a finding if the page is wider than the window, in both colour schemes. */
export async function findings(page: Page): Promise<string[]> {
  const found: string[] = [];
  if (!(await page.evaluate('"axe" in globalThis'))) await page.evaluate(axe.source);
  for (const [index, colorScheme] of COLOR_SCHEMES.entries()) {
    await page.emulateMedia({ colorScheme });
    const options = index === 0 ? {} : { runOnly: COLOR_RULES };
    const { violations } = (await page.evaluate(`axe.run(${JSON.stringify(options)})`)) as axe.AxeResults;
    found.push(...violations.map(({ id, nodes }) => `${colorScheme} ${id}: ${nodes.map(({ html }) => html).join()}`));
  }
  const size = page.viewportSize();
  await page.setViewportSize(NARROW);
  const width = await page.evaluate<number>('document.documentElement.scrollWidth');
  if (width > NARROW.width) found.push(`${width} pixels wide in a window of ${NARROW.width}`);
  await page.setViewportSize(size!);
  return found;
}
