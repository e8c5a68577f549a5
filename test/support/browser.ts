import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

/** The browser of the machine: Debian's package `chromium`, or the one that Playwright has installed. */
export const browserPath =
  ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) => existsSync(path)) ??
  chromium.executablePath();

export const hasBrowser = existsSync(browserPath);

let launched: Browser | undefined;

/**
 * The browser of the worker, which its files share and none closes: it ends with the worker. Each file closes the context
 * of its pages.
 */
export async function sharedBrowser(): Promise<Browser> {
  if (!launched?.isConnected())
    launched = await chromium.launch({ executablePath: browserPath, args: ['--no-sandbox'] });
  return launched;
}
