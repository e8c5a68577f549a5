import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { httpStatusByCode } from '../../../src/errors.ts';
import { renderMarkdown } from '../../../src/http/docs/markdown.ts';
import { post } from '../../support/post.ts';
import { rawRequest } from '../../support/raw-request.ts';
import { startTestService, type TestService } from '../../support/whole-service.ts';

const PUBLIC_URL = 'https://commerce.example';
/** Characters of a page, uncompressed. */
const MAX_PAGE_LENGTH = 48 * 1024;

let open: TestService;
let closed: TestService;
beforeAll(async () => {
  [open, closed] = await Promise.all([
    startTestService(),
    startTestService({ introspection: 'token', publicUrl: PUBLIC_URL }),
  ]);
});
afterAll(async () => void (await Promise.all([open.stop(), closed.stop()])));

const load = async (path: string, headers: Record<string, string> = {}, { url } = open): Promise<Response> =>
  await fetch(`${url}${path}`, { headers });
const text = async (path: string, service = open): Promise<string> => await (await load(path, {}, service)).text();

describe('the documentation', () => {
  it('has no dead link: every page, anchor and Markdown file to which a page links exists', async () => {
    const pages = new Map<string, string>();
    const waiting = ['/docs'];
    for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
      const response = await load(path);
      expect([path, response.status]).toEqual([path, 200]);
      pages.set(path, await response.text());
      const named = [...pages.get(path)!.matchAll(/(?:href|src)="(\/[^"#]*)/g)].map(([, target]) => target!);
      waiting.push(...new Set(named.filter((target) => !pages.has(target) && !waiting.includes(target))));
    }
    expect(pages.size).toBeGreaterThan(140);
    for (const [path, html] of pages)
      for (const [, target, anchor] of html.matchAll(/href="(\/docs[^"#]*|)#([^"]+)"/g))
        expect([path, anchor, pages.get(target || path)!.includes(`id="${anchor}"`)]).toEqual([path, anchor, true]);
  });

  it.each(['/docs', '/docs/limits.md', '/llms.txt', '/console'])(
    'answers HEAD of %s like GET, without the text',
    async (path) => {
      const [head, get] = [await fetch(`${open.url}${path}`, { method: 'HEAD' }), await load(path)];
      expect([head.status, await head.text()]).toEqual([get.status, '']);
      for (const name of ['etag', 'content-type', 'cache-control', 'content-length'])
        expect([name, head.headers.get(name)]).toEqual([name, get.headers.get(name)]);
    },
  );

  it('shows arguments, scope, cost, errors and an example of an operation', async () => {
    const page = await text('/docs/operations/saveProductBrand.md');
    expect(page).toContain('| `input` | `ProductBrandInput!`, required |');
    expect(page).toContain('| `name` | `String!`, required |');
    expect(page).toContain('- Scope: `write_products`');
    expect(page).toContain('[CONFLICT](../errors/CONFLICT.md)');
    expect(page).toContain('The cost of this request is 102.');
    expect(await text('/docs/operations/bulkUpdateProducts')).toContain('<h1 id="bulkupdateproducts">');
  });

  it.each([
    ['errors/CONFLICT', 'Errors', 'errors/NOT_FOUND'],
    ['operations/saveProductBrand', 'Related operations', 'operations/deleteProductBrandList'],
  ])('links %s to the others of its group', async (path, title, other) => {
    const page = await text(`/docs/${path}`);
    const links = page.slice(page.indexOf(`<nav class="related" aria-label="${title}">\n<h2>${title}</h2>`));
    expect(links).toMatch(/^<nav class="related"/);
    expect(links).toContain(`href="/docs/${other}"`);
    expect(links).toContain(`href="/docs/${path}" aria-current="page"`);
  });

  it('lists all pages for language models', async () => {
    const list = await text('/llms.txt');
    expect(list).toMatch(/^# .+\n\n> .+\n\n## Guides\n/);
    const files = Array.from(list.matchAll(/\]\((.+?)\)/g), ([, file]) => file!);
    expect(files.filter((file) => !file.endsWith('.md'))).toEqual([]);
    expect(files).toContain('/docs/operations/saveProduct.md');
    const statuses = await Promise.all(files.map(async (file) => (await load(file)).status));
    expect([...new Set(statuses)]).toEqual([200]);
  });

  it.each(['public', 'token'])('has no dead link in its Markdown, with introspection %s', async (introspection) => {
    const service = introspection === 'public' ? open : closed;
    const list = await text('/llms.txt', service);
    for (const [, listed] of list.matchAll(/\]\((?:https:\/\/[^/]+)?(\/.+?)\)/g)) {
      const page = (await text(listed!, service)).replaceAll(/^```[^]*?^```$/gm, '');
      for (const [, target] of page.matchAll(/\]\((?![a-z]+:)([^)#]+\.md)/g)) {
        const { pathname } = new URL(target!, `${service.url}${listed}`);
        expect([listed, target, (await load(pathname, {}, service)).status]).toEqual([listed, target, 200]);
      }
    }
  });

  it('is small, and sent again only if it has changed', async () => {
    const response = await load('/docs/webhooks');
    expect((await response.text()).length).toBeLessThan(MAX_PAGE_LENGTH);
    const etag = response.headers.get('etag')!;
    expect(etag).toMatch(/^"[\w-]{18}"$/);
    expect((await load('/docs/webhooks', { 'if-none-match': etag })).status).toBe(304);
    expect(response.headers.get('cache-control')).toBe('public, no-cache');
  });

  it('is compressed for clients that ask for it', async () => {
    const [gzip, plain] = await Promise.all([
      rawRequest(`${open.url}/docs/errors`, { 'accept-encoding': 'gzip' }),
      rawRequest(`${open.url}/docs/errors`, {}),
    ]);
    expect([gzip.headers['content-encoding'], plain.headers['content-encoding']]).toEqual(['gzip', undefined]);
    expect(gunzipSync(gzip.body).equals(plain.body)).toBe(true);
  });

  it('allows no inline script and no other host', async () => {
    const response = await load('/docs/clients');
    const policy = response.headers.get('content-security-policy')!;
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self'");
    expect(policy).not.toContain('unsafe');
    const html = await response.text();
    expect(html).not.toMatch(/<script(?! src="\/docs\/search\.js")|<style|\son\w+=|style=/);
    expect(html).not.toMatch(/(?:src|rel="stylesheet" href)="https?:/);
  });

  it.each(['/docs/none', '/docs/..%2f..%2fpackage.json', '/docs/__proto__', '/docs/constructor.md', '/docs/errors/'])(
    'has no other pages: %s',
    async (path) => {
      const { status } = await load(path);
      expect(status).toBe(path === '/docs/errors/' ? 200 : 404);
    },
  );

  it('escapes HTML, and makes no link that runs a script', () => {
    const html = renderMarkdown(
      'a',
      '<script>alert(1)</script> <img src=x onerror=y> [a](javascript:b) `<i>`',
      new Set(),
    );
    expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt; &lt;img');
    expect(html).not.toMatch(/<script|<img|href/);
  });
});

describe('where introspection needs a token', () => {
  it('the pages that show the schema are left out, and the others are there', async () => {
    expect(await text('/docs', closed)).toContain('href="/docs/errors"');
    expect((await load('/docs/operations', {}, closed)).status).toBe(404);
    expect((await load('/docs/operations/saveProduct.md', {}, closed)).status).toBe(404);
    expect(await text('/llms.txt', closed)).not.toContain('operations');
    expect(await text('/docs/search.json', closed)).not.toContain('ProductBrandInput');
    expect(await text('/docs', closed)).not.toContain('href="/docs/operations');
  });
});

describe('with PUBLIC_URL', () => {
  it('examples have the address of the service', async () => {
    const page = await text('/docs/getting-started.md', closed);
    expect(page).toContain(`curl -s ${PUBLIC_URL}/api/v1/admin/graphql`);
    expect(page).not.toContain('127.0.0.1:4000');
  });

  it('errors name the page of their code', async () => {
    const { token } = await closed.createApp(['read_products']);
    const documents = [
      '{',
      '{ none }',
      '{ me { id } listCustomer { count } }',
      '{ listProduct(sort: "none") { count } }',
    ];
    const answers = await Promise.all(documents.map((query) => post(closed.graphqlUrl, { query }, { token })));
    const refused = await post(closed.graphqlUrl, { query: '{ me { id } }' }, { token: null });
    const errors = [...answers, refused].flatMap(({ body }) => body.errors!.map(({ extensions }) => extensions));
    expect(errors.map(({ code }) => code)).toEqual([
      'GRAPHQL_PARSE_FAILED',
      'GRAPHQL_VALIDATION_FAILED',
      'UNAUTHORIZED',
      'ARGUMENT_VALIDATION_ERROR',
      'LOGIN_REQUIRED',
    ]);
    for (const { code, documentation } of errors) {
      expect(documentation).toBe(`${PUBLIC_URL}/docs/errors/${String(code)}`);
      expect(await text(`/docs/errors/${String(code)}`, closed)).toContain(`>${String(code)}</h1>`);
    }
  });

  it('problems of other routes have it as their type', async () => {
    const problem = (await (await load('/none', {}, closed)).json()) as object;
    expect(problem).toMatchObject({ type: `${PUBLIC_URL}/docs/errors/NOT_FOUND`, code: 'NOT_FOUND' });
    const malformed = (await (await load('/%', {}, closed)).json()) as object;
    expect(malformed).toMatchObject({ type: `${PUBLIC_URL}/docs/errors/ARGUMENT_VALIDATION_ERROR`, status: 400 });
  });

  it('there is a page for each code, and without PUBLIC_URL no error names one', async () => {
    const statuses = Object.keys(httpStatusByCode).map(async (code) => (await load(`/docs/errors/${code}`)).status);
    expect(new Set(await Promise.all(statuses))).toEqual(new Set([200]));
    const { body } = await post(open.graphqlUrl, { query: '{ none }' }, { token: null });
    expect(body.errors!.map(({ extensions }) => Object.keys(extensions))).toEqual([['code']]);
    expect(await (await load('/none')).json()).toMatchObject({ type: 'about:blank' });
  });
});
