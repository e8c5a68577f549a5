import { sql } from 'drizzle-orm';
import type { Page, Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { merchantOf } from '../../src/app/credentials/merchant-prefix.ts';
import { hasBrowser } from '../support/browser.ts';
import { post } from '../support/post.ts';
import { startTestService, type TestService } from '../support/whole-service.ts';
import { consoleLink, find, findings, openPage } from './browser-console.ts';

const MAX_RESPONSE_BYTES = 1024 * 1024;
/** Products whose former and present texts of 60,000 characters are together longer than a response. */
const COUNT = 10;
const HOSTILE = `<img src=x onerror="globalThis.hacked=1">`;

describe.skipIf(!hasBrowser)('taking changes back in the console (without Chromium it is skipped)', () => {
  let service: TestService;
  let page: Page;
  let token: string;
  let merchantId: string;
  let brand: string;
  let complaints: string[];

  beforeAll(async () => {
    service = await startTestService({ maxResponseBytes: MAX_RESPONSE_BYTES }, 'all', {});
    const app = await service.createApp();
    ({ token } = app);
    merchantId = merchantOf(app.clientId)!;
    brand = await saveBrand({ name: 'Potter' });
    await saveBrand({ id: brand, name: `Potter ${HOSTILE}` });
    ({ page, complaints } = await openPage());
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

  async function saveBrand(input: { id?: string; name: string }): Promise<string> {
    const data = await graphql('mutation ($input: ProductBrandInput!) { saveProductBrand(input: $input) { id } }', {
      input,
    });
    return (data['saveProductBrand'] as { id: string }).id;
  }

  async function brandName(): Promise<string> {
    const data = await graphql('query ($id: String!) { listProductBrand(id: { eq: $id }) { name } }', { id: brand });
    return (data['listProductBrand'] as { name: string }[])[0]!.name;
  }

  async function signIn(access: { isReadOnly: boolean; takesBack?: boolean }): Promise<void> {
    // The console is open already: only the part behind # differs, and loads nothing by itself.
    await page.goto('about:blank');
    await page.goto(await consoleLink(service, merchantId, access));
    await page.getByRole('heading', { name: 'Why did a webhook not arrive?' }).waitFor();
    await page.getByRole('link', { name: 'History', exact: true }).click();
    await find(page, brand);
    await cards().first().waitFor();
  }

  async function productId(name: string): Promise<string> {
    const [row] = await service.owner.execute<{ id: string }>(sql`select id from product where name = ${name}`);
    return row!.id;
  }

  const cards = () =>
    page.locator('section', { has: page.getByRole('heading', { name: 'Changes', exact: true }) }).locator('.card');
  const buttonOf = (card: ReturnType<typeof cards>) => card.getByRole('button', { name: 'Take back …' });

  it('is not possible without the scope of the record, and the page says how to get it', async () => {
    await signIn({ isReadOnly: false });
    const latest = cards().first();
    await expect.poll(() => buttonOf(latest).isDisabled()).toBe(true);
    await latest
      .getByText('This session has no scope write_products. Sign in with a link of “commerce console --revert”.')
      .waitFor();
    expect(await findings(page)).toEqual([]);
  });

  it('shows the difference first, and stores nothing until it is confirmed', async () => {
    await signIn({ isReadOnly: false, takesBack: true });
    const latest = cards().first();
    await buttonOf(latest).click();
    const plan = latest.getByRole('region', { name: 'What would change' });
    await plan.getByText('This would change 1 record:').waitFor();
    await plan.getByRole('row', { name: `name Potter ${HOSTILE} Potter`, exact: true }).waitFor();
    expect(await findings(page)).toEqual([]);
    await plan.getByRole('button', { name: 'Cancel' }).click();
    await plan.waitFor({ state: 'detached' });
    expect([await brandName(), await cards().count()]).toEqual([`Potter ${HOSTILE}`, 2]);
  });

  it('lists the members that have changed since, and leaves all as it is', async () => {
    await saveBrand({ id: brand, name: 'Mason' });
    await page.getByRole('button', { name: 'Reload' }).last().click();
    await expect.poll(() => cards().count()).toBe(3);
    const second = cards().nth(1);
    await buttonOf(second).click();
    await second.getByText('1 member changed since').waitFor();
    await second.getByRole('row', { name: `name of PRODUCT_BRAND ${brand} Potter ${HOSTILE} Mason` }).waitFor();
    expect(await second.getByRole('button', { name: /^Take back \d/ }).count()).toBe(0);
    expect(await findings(page)).toEqual([]);
    expect(await brandName()).toBe('Mason');
  });

  it('takes a change set back when it is confirmed, names the new one, and shows its change', async () => {
    const latest = cards().first();
    await buttonOf(latest).click();
    await latest.getByRole('button', { name: 'Take back 1 record' }).click();
    await expect.poll(() => cards().count()).toBe(4);
    const taken = cards().nth(1);
    const outcome = (await taken.getByText(/^1 record taken back, by change set/).textContent())!;
    await cards().first().getByText('Change 4 by revertChanges of Console').waitFor();
    await cards()
      .first()
      .getByText(`Change set ${outcome.match(/[0-9a-f-]{36}/)![0]}`)
      .waitFor();
    expect(await brandName()).toBe(`Potter ${HOSTILE}`);
    await buttonOf(taken).click();
    await taken.getByText('Nothing is left to be taken back').waitFor();
    expect(await findings(page)).toEqual([]);
    expect([await page.evaluate('globalThis.hacked'), complaints]).toEqual([undefined, []]);
  });

  it('takes changes back whose values are more than an answer may have', async () => {
    const texts = ['a', 'b'].map((letter) => letter.repeat(60_000));
    const entries = (description: string) =>
      Array.from({ length: COUNT }, (_, index) => ({
        sourceId: `long ${index}`,
        name: `Long ${index}`,
        description,
        type: 'PHYSICAL',
        categories: [],
        productVariantTypes: [],
        variants: [],
      }));
    for (const text of texts)
      await graphql('mutation ($input: [BulkUpdateProductsInput!]!) { bulkUpdateProducts(input: $input) }', {
        input: entries(text),
      });
    const stored = () =>
      service.owner.execute<{ id: string }>(sql`select id from product where description = ${texts[0]}`);
    expect(await stored()).toHaveLength(0);
    await page.getByRole('link', { name: 'History', exact: true }).click();
    await find(page, await productId('Long 0'));
    await expect.poll(() => cards().count()).toBe(2);
    const latest = cards().first();
    await buttonOf(latest).click();
    await latest.getByText(`This would change ${COUNT} records:`).waitFor();
    await latest.getByText('Their values are too long to be shown.').waitFor();
    await latest.getByRole('button', { name: `Take back ${COUNT} records` }).click();
    await expect.poll(() => cards().count()).toBe(3);
    expect(await stored()).toHaveLength(COUNT);
  });

  it('shows the beginning of what differs in long texts, and all of it on request', async () => {
    const id = await productId('Long 0');
    const patch = { description: 'c '.repeat(30_000) };
    await graphql('mutation ($id: ID!, $patch: ProductPatchInput!) { updateProduct(id: $id, patch: $patch) { id } }', {
      id,
      patch,
    });
    await page.getByRole('button', { name: 'Find' }).click();
    await expect.poll(() => cards().count()).toBe(4);
    await buttonOf(cards().first()).click();
    const plan = cards().first().getByRole('region', { name: 'What would change' });
    const row = plan.getByRole('row', { name: 'description' });
    await row.waitFor();
    expect((await row.textContent())!.length).toBeLessThan(3_000);
    expect(await findings(page)).toEqual([]);
    await row.getByRole('button', { name: 'Show all' }).click();
    await expect.poll(async () => (await row.textContent())!.length).toBeGreaterThan(110_000);
    await plan.getByRole('button', { name: 'Cancel' }).click();
  });

  it('shows the record as it is after a change was taken back', async () => {
    const heading = page.locator('h2.record');
    await graphql('mutation ($id: ID!, $patch: ProductPatchInput!) { updateProduct(id: $id, patch: $patch) { id } }', {
      id: await productId('Long 0'),
      patch: { name: 'Short' },
    });
    await page.getByRole('button', { name: 'Find' }).click();
    await heading.getByText('Short').waitFor();
    await buttonOf(cards().first()).click();
    await cards().first().getByRole('button', { name: 'Take back 1 record' }).click();
    await heading.getByText('Long 0').waitFor();
    expect(await heading.textContent()).not.toContain('Short');
  });

  /** Holds the confirmed request until it is told what becomes of it. Dry runs go on. */
  async function holdRevert(): Promise<{ sent: Promise<Route> }> {
    const { promise: sent, resolve } = Promise.withResolvers<Route>();
    await page.route('**/graphql', async (route) => {
      const request = route.request();
      const isHeld = request.postData()?.includes('mutation Revert') && !(await request.headerValue('x-dry-run'));
      await (isHeld ? resolve(route) : route.continue());
    });
    return { sent };
  }

  async function renameAndTakeBack(): Promise<void> {
    await graphql('mutation ($id: ID!, $patch: ProductPatchInput!) { updateProduct(id: $id, patch: $patch) { id } }', {
      id: await productId('Long 0'),
      patch: { name: 'Brief' },
    });
    await page.getByRole('button', { name: 'Find' }).click();
    await page.locator('h2.record').getByText('Brief').waitFor();
    await buttonOf(cards().first()).click();
    await cards().first().getByRole('button', { name: 'Take back 1 record' }).click();
  }

  it('keeps the list of a filter that was chosen while a change is taken back', async () => {
    const { sent } = await holdRevert();
    await renameAndTakeBack();
    const route = await sent;
    await cards().first().getByText('Taking back …').waitFor();
    await page.getByLabel('What happened').selectOption('DELETED');
    await page.getByText('No change is recorded that fits.').waitFor();
    await route.continue();
    await page.locator('h2.record').getByText('Long 0').waitFor();
    await page.getByText('No change is recorded that fits.').waitFor();
    expect(await cards().count()).toBe(0);
    await page.unroute('**/graphql');
    await page.getByLabel('What happened').selectOption('');
  });

  it('says that it may have been done if no answer came', async () => {
    const { sent } = await holdRevert();
    await renameAndTakeBack();
    const route = await sent;
    await route.fetch();
    await route.abort();
    await page.getByText('No answer came, so it may be taken back or not').waitFor();
    await page.locator('h2.record').getByText('Long 0').waitFor();
    expect(await productId('Long 0')).toBeDefined();
    await page.unroute('**/graphql');
  });

  it('shows a change set again that has grown since it was shown, before it is taken back', async () => {
    const names = ['Long 0', 'Long 1'];
    const ids = await Promise.all(names.map(productId));
    const rename = (id: string, name: string) =>
      graphql('mutation ($id: ID!, $patch: ProductPatchInput!) { updateProduct(id: $id, patch: $patch) { id } }', {
        id,
        patch: { name },
      });
    for (const [index, id] of ids.entries()) await rename(id, `Grown ${index}`);
    await find(page, ids[0]!);
    await page.locator('h2.record').getByText('Grown 0').waitFor();
    await buttonOf(cards().first()).click();
    const plan = cards().first().getByRole('region', { name: 'What would change' });
    await plan.getByText('This would change 1 record:').waitFor();
    const ofProduct = (id: string) => sql`merchant_id = ${merchantId} and record_id = ${id}`;
    const latest = (id: string) => sql`select max(number) from change where ${ofProduct(id)}`;
    await service.owner.execute(sql`
      update change set change_set_id = (
        select change_set_id from change where ${ofProduct(ids[0]!)} and number = (${latest(ids[0]!)}))
      where ${ofProduct(ids[1]!)} and number = (${latest(ids[1]!)})`);
    await plan.getByRole('button', { name: 'Take back 1 record' }).click();
    await plan.getByText('The change set has changed since it was shown.').waitFor();
    await plan.getByText('This would change 2 records:').waitFor();
    expect(await findings(page)).toEqual([]);
    expect(await Promise.all(['Grown 0', 'Grown 1'].map(productId))).toEqual(ids);
    await plan.getByRole('button', { name: 'Take back 2 records' }).click();
    await page.locator('h2.record').getByText('Long 0').waitFor();
    expect(await Promise.all(names.map(productId))).toEqual(ids);
  });

  it('shows a revert in the background by its records', async () => {
    await service.owner.execute(sql`
      with operation as (
        insert into bulk_operation (merchant_id, id, total, created, updated, deleted)
        values (${merchantId}, uuidv7(), 5000, 0, 4999, 0) returning merchant_id, id)
      insert into revert_run (merchant_id, id, reverted_change_set_id, change_set_id, operation, is_ended)
      select merchant_id, id, uuidv7(), uuidv7(), 'revertChanges', true from operation`);
    await page.getByRole('link', { name: 'Bulk operations' }).click();
    const revert = page.locator('.card', { hasText: 'Records: 4999 of 5000 taken back.' });
    await revert.waitFor();
    expect(await revert.getByText('Products:').count()).toBe(0);
  });
});
