import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';

/** The browser of the machine: Debian's package `chromium`, or the one that Playwright has installed. */
export const browserPath =
  ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) => existsSync(path)) ??
  chromium.executablePath();

export const hasBrowser = existsSync(browserPath);
