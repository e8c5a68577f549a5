import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listCategory } from '../../src/category/listCategory.ts';
import { saveCategory } from '../../src/category/saveCategory.ts';
import type { Context } from '../../src/context.ts';
import type { Category } from '../../src/graphql/generated/types.ts';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';

const FILE = join(process.env.SHARED_DIR ?? '../shared', 'data/categories.json');
const IMPORT_TIMEOUT_MS = 120_000;
const PAGE_LIMIT = 200;

type Node = { id: string; name?: string | null };
type Entry = Node & { path: Node[] };

const entries = existsSync(FILE) ? (JSON.parse(readFileSync(FILE, 'utf8')) as Entry[]) : null;
if (!entries)
  console.info(`Skipped: ${FILE} is not here; SHARED_DIR names the directory that has data/categories.json.`);

let database: TestDatabase;
let ctx: Context;

beforeAll(async () => {
  database = await createDatabase();
  ctx = await createContext(database.db);
});
afterAll(() => database.drop());

describe.skipIf(!entries)('the categories of a real store', () => {
  it('get the paths of the file through saveCategory', { timeout: IMPORT_TIMEOUT_MS }, async () => {
    const { savedIds, refused } = await importCategories(entries!);
    expect(refused).toEqual([
      { id: 'pcmcat748300293073', issues: [{ path: ['input', 'name'], message: expect.any(String) }] },
    ]);
    const stored = await readAll();
    const named = entries!.filter(({ name }) => name);
    expect([entries!.length, named.length]).toEqual([4_584, 4_583]);
    for (const { id, path } of named) {
      const category = stored.get(savedIds.get(id)!)!;
      const ancestors = path.slice(0, -1);
      expect(category.name).toBe(path.at(-1)!.name!.normalize('NFC').trim());
      expect(category.categoryPath).toEqual(ancestors.map((ancestor) => savedIds.get(ancestor.id)));
      expect(category.categoryPathItems!.map(({ name }) => name)).toEqual(
        ancestors.map(({ name }) => name!.normalize('NFC').trim()),
      );
    }
    const onlyInPaths = new Set(named.flatMap(({ path }) => path.map(({ id }) => id))).difference(
      new Set(named.map(({ id }) => id)),
    );
    expect(stored.size).toBe(named.length + onlyInPaths.size);
  });

  it('are distinct if their paths of names are equal', async () => {
    const byPath = Map.groupBy(entries!, ({ path }) => JSON.stringify(path.map(({ name }) => name)));
    const twice = [...byPath.values()].filter((same) => same.length > 1);
    expect(twice.map((same) => same.length)).toEqual([2, 2, 2]);
    for (const same of twice) {
      const ancestors = same[0]!.path.slice(0, -1).map(({ name }) => name);
      const listed = await listCategory(ctx, { name: { eq: same[0]!.name } }, { categoryPathItems: { name: {} } });
      const paths = listed.map(({ categoryPathItems }) => categoryPathItems!.map(({ name }) => name));
      expect(paths.filter((path) => path.join('/') === ancestors.join('/'))).toEqual([ancestors, ancestors]);
    }
  });
});

/** Saves each category after its parent; parents that only occur in a path are saved too. */
async function importCategories(categories: Entry[]): Promise<{ savedIds: Map<string, string>; refused: object[] }> {
  const savedIds = new Map<string, string>();
  const refused: object[] = [];
  const seen = new Set<string>();
  for (const { path } of categories) {
    for (const [level, { id, name }] of path.entries()) {
      if (seen.has(id)) continue;
      seen.add(id);
      const parentId = level === 0 ? null : savedIds.get(path[level - 1]!.id);
      try {
        savedIds.set(id, (await saveCategory(ctx, { input: { name: name ?? '', parentId } }, { id: {} })).id);
      } catch (error) {
        refused.push({ id, issues: (error as { extensions?: { issues?: unknown } }).extensions?.issues ?? error });
      }
    }
  }
  return { savedIds, refused };
}

async function readAll(): Promise<Map<string, Category>> {
  const categories = new Map<string, Category>();
  for (let page = 1; ; page++) {
    const selection = { id: {}, name: {}, categoryPath: {}, categoryPathItems: { name: {} } };
    const listed = await listCategory(ctx, { pagination: { page, limit: PAGE_LIMIT } }, selection);
    for (const category of listed) categories.set(category.id, category);
    if (listed.length < PAGE_LIMIT) return categories;
  }
}
