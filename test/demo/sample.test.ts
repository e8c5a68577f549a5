import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { readFileSync } from 'node:fs';
import { post } from '../support/post.ts';
import { createDataDir, type DataDir, logLines, run, startMain } from '../support/process.ts';
import { createDatabase } from '../support/database.ts';

vi.setConfig({ testTimeout: 120_000 });

const QUERY = `{ listProduct(pagination: { limit: 200 }) {
  data { name type variants { images { imageId isMain } } } } }`;

type Product = { name: string; type: string; variants: { images: { imageId: string; isMain: boolean }[] | null }[] };

const IMPORT = ['import', 'examples/catalogue.csv', '--pictures', 'examples/pictures'];
const products = new Set(
  [...readFileSync('examples/catalogue.csv', 'utf8').matchAll(/^([a-z-]+),[^,]/gm)].map(([, handle]) => handle),
).size;

let data: DataDir;
beforeAll(async () => {
  data = await createDataDir();
});
afterAll(() => data.remove());

describe('npm start -- --sample', () => {
  it('fills the demo shop with products and pictures, once', async () => {
    const env = { DATA_DIR: data.path };
    const service = await start(env);
    const listed = await list(service.url, service.stdout());
    expect(listed).toHaveLength(products);
    expect(new Set(listed.map(({ type }) => type)).size).toBe(5);
    const pictured = listed.filter(({ variants }) => variants.every(({ images }) => images?.length === 1));
    expect(pictured).toHaveLength(10);
    await service.stop();
    const again = await start(env);
    expect(logLines(again.stdout()).find(({ msg }) => msg === 'the sample catalogue is loaded')).toMatchObject({
      products,
      pictures: 0,
    });
    expect(await list(again.url, again.stdout())).toEqual(listed);
    await again.stop();
  });

  it('imports the same with the command in README', async () => {
    const { code, stdout, stderr } = await run('src/cli/admin.ts', IMPORT, { DATA_DIR: data.path }).finished;
    expect({ code, answer: JSON.parse(stdout) as unknown }, stderr).toMatchObject({
      code: 0,
      answer: { created: 0, unchanged: products, skipped: [], ignoredColumns: [], picturesAdded: 0 },
    });
    expect(readFileSync('README.md', 'utf8')).toContain(`npm run admin -- ${IMPORT.join(' ')}`);
  });

  it('is refused with another database, and so is any other argument', async () => {
    const database = await createDatabase();
    const env = { DATABASE_URL: database.url, SECRET_KEY: '0'.repeat(64) };
    for (const argument of ['--sample', '--simple']) {
      const { code, stderr } = await run('src/main.ts', [argument], env).finished;
      expect([code, stderr]).toEqual([2, expect.stringContaining(argument)]);
    }
    await database.drop();
  });
});

async function start(env: Record<string, string>) {
  const running = await startMain(env, undefined, ['--sample']);
  await vi.waitFor(() => expect(running.stdout()).toContain('Ctrl-C stops it'), { timeout: 60_000 });
  return running;
}

async function list(url: string, stdout: string): Promise<Product[]> {
  const token = /Bearer ([^']+)'/.exec(stdout)![1]!;
  const { body } = await post(`${url}/api/v1/admin/graphql`, { query: QUERY }, { token });
  return (body.data!['listProduct'] as { data: Product[] }).data;
}
