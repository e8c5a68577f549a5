import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Context } from '../../src/context.ts';
import { newId } from '../../src/db/sql/id.ts';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { operations, startOperations } from '../support/operation.ts';
import type { Answer } from '../support/post.ts';

/** Invalid sorts and pages are refused within this time, also long ones. */
const REFUSED_WITHIN_MS = 1_000;

const SORTS = [
  '',
  ' ',
  '-',
  '--name',
  'name ',
  'NAME',
  'name desc, id',
  '-name desc',
  'name  desc',
  'name down',
  'name; drop table product',
  "name'--",
  'name, (select 1)',
  '(select pg_sleep(10))',
  '"name"',
  'merchant_id',
  'id',
  '__proto__',
  'constructor',
  '-createdAt -name',
  'createdAt\n',
  `${'-'.repeat(100_000)}name`,
  'a'.repeat(100_000),
];
const PAGES = [
  { limit: 0 },
  { limit: -1 },
  { limit: 201 },
  { limit: 2_147_483_647 },
  { page: 0 },
  { page: -1 },
  { limit: 2_147_483_648 },
  { page: 2_147_483_648 },
  { page: 1.5 },
];
/** Texts that mean something in HTML, patterns or SQL. The service must store them as they are. */
const TEXTS = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '&lt;b&gt; &amp;',
  "'; drop table product_brand; --",
  "' or '1'='1",
  '$1',
  '$$; select 1; $$',
  '%',
  '_',
  '\\',
  '%s %n',
  '{"a": [1]}',
  '${process.exit(1)}',
  '../../etc/passwd',
  '\u001b[31mred',
  'line\nline',
  '\u202eright to left',
  'Z\u0351\u036b\u0343'.normalize('NFC'),
];

let database: TestDatabase;
let api: Awaited<ReturnType<typeof startOperations>>;
let ctx: Context;
beforeAll(async () => {
  database = await createDatabase();
  api = await startOperations(database.db);
  ctx = await createContext(database.db);
});
afterAll(async () => {
  await api.stop();
  await database.drop();
});

const withArgument = (argument: string): string[] =>
  [...operations].filter(([, { field }]) => field.args.some(({ name }) => name === argument)).map(([name]) => name);

describe('an invalid sort', () => {
  // docs/reliability-tests.md: 51, 52
  it.each(withArgument('sort'))('is refused by %s, which names the valid ones', async (name) => {
    for (const sort of SORTS) {
      const answer = await refusedSoon(name, { sort });
      expect(answer.errors, JSON.stringify(sort).slice(0, 40)).toMatchObject([
        {
          extensions: {
            code: 'ARGUMENT_VALIDATION_ERROR',
            issues: [{ path: ['sort'], message: expect.stringContaining('createdAt') }],
          },
        },
      ]);
    }
  });
});

describe('a page outside the limits', () => {
  // docs/reliability-tests.md: 26, 54
  it.each(withArgument('pagination'))('is refused by %s, which names the member', async (name) => {
    for (const pagination of PAGES) {
      const [[member]] = [Object.keys(pagination)];
      const answer = await refusedSoon(name, { pagination });
      expect(answer.errors, JSON.stringify(pagination)).toMatchObject([
        { extensions: { code: 'ARGUMENT_VALIDATION_ERROR', issues: [{ path: ['pagination', member] }] } },
      ]);
    }
  });
});

describe('a text that means something in HTML, SQL or patterns', () => {
  // docs/reliability-tests.md: 50, 53, 56
  it('is stored, returned and found unchanged', async () => {
    for (const text of TEXTS) {
      const input = {
        name: `x${text}x`,
        description: text,
        metaData: { slug: 'text', pageTitle: text, description: text },
      };
      const { data, errors } = await api.call(ctx, 'saveProductBrand', { input });
      expect([text, errors]).toEqual([text, undefined]);
      expect(data!['saveProductBrand']).toMatchObject({
        name: input.name,
        description: text,
        metaData: { pageTitle: text, description: text },
      });
      for (const name of [{ eq: input.name }, { in: [input.name] }, { like: input.name }]) {
        expect([text, namesOf(await api.call(ctx, 'listProductBrand', { name }))]).toEqual([text, [input.name]]);
      }
    }
    expect(namesOf(await api.call(ctx, 'listProductBrand', { pagination: { limit: 200 } }))).toHaveLength(TEXTS.length);
  });

  // docs/reliability-tests.md: 55
  it('is the same name in any Unicode form', async () => {
    const save = async (name: string) => await api.call(ctx, 'saveProductBrand', { input: { name } });
    expect((await save('Ame\u0301lie')).data!['saveProductBrand']).toMatchObject({ name: 'Am\u00e9lie' });
    expect((await save('Am\u00e9lie')).errors).toMatchObject([{ extensions: { code: 'CONFLICT' } }]);
  });

  it('is stored in one form in translations too', async () => {
    const translations = [{ locale: 'de', name: ' Ame\u0301lie ' }];
    const { data } = await api.call(ctx, 'saveProductTag', { input: { name: 'Amelie', translations } });
    expect(data!['saveProductTag']).toMatchObject({ translations: [{ name: 'Am\u00e9lie' }] });
  });
});

/** What an operation needs besides the argument. */
const REQUIRED: Record<string, object> = {
  explainWebhookList: { scope: 'store/customer/created', recordId: newId() },
};

async function refusedSoon(name: string, variables: object): Promise<Answer['body']> {
  const startedAtMs = performance.now();
  const answer = await api.call(ctx, name, { ...REQUIRED[name], ...variables });
  expect(performance.now() - startedAtMs).toBeLessThan(REFUSED_WITHIN_MS);
  return answer;
}

function namesOf({ data }: Answer['body']): string[] {
  return (data!['listProductBrand'] as { name: string }[]).map(({ name }) => name);
}
