import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listCategory } from '../../src/category/listCategory.ts';
import { saveCategory } from '../../src/category/saveCategory.ts';
import type { Context } from '../../src/context.ts';
import type { Category } from '../../src/graphql/generated/types.ts';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';

const IMPORT_TIMEOUT_MS = 120_000;
const PAGE_LIMIT = 200;

type Node = { id: string; name?: string | null };
type Entry = Node & { path: Node[] };

/**
 * The tree of a large store, sorted by id: three levels of 7 children, names with accents and with spaces around them,
 * one entry without a name, categories that occur only in paths, and three pairs with the same path of names.
 */
const LEVELS = 3;
const NAMES = ['Café & Küche', ' Garden ', 'TV, Audio', 'Σπίτι', '家電', 'Kids’ Toys', 'Ångström'];
const NAMELESS = 'c-3-3-3';
const ONLY_IN_PATHS = ['c-1', 'c-1-2'];
const TWINS = { 'c-4-0-8': 'c-4-0-1', 'c-5-2-8': 'c-5-2-3', 'c-6-6-8': 'c-6-6-0' } as const;

const entries = storeCategories();

let database: TestDatabase;
let ctx: Context;

beforeAll(async () => {
  database = await createDatabase();
  ctx = await createContext(database.db);
});
afterAll(() => database.drop());

describe('the categories of a large store', () => {
  it('get the paths of the file through saveCategory', { timeout: IMPORT_TIMEOUT_MS }, async () => {
    const { savedIds, refused } = await importCategories(entries);
    expect(refused).toEqual([{ id: NAMELESS, issues: [{ path: ['input', 'name'], message: expect.any(String) }] }]);
    const stored = await readAll();
    const named = entries.filter(({ name }) => name);
    expect(entries.length - named.length).toBe(1);
    expect(entries.length).toBeGreaterThan(390);
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
    expect([...onlyInPaths].toSorted()).toEqual(ONLY_IN_PATHS);
    expect(stored.size).toBe(named.length + onlyInPaths.size);
  });

  it('stay separate if their paths of names are equal', async () => {
    const byPath = Map.groupBy(entries, ({ path }) => JSON.stringify(path.map(({ name }) => name)));
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

function storeCategories(): Entry[] {
  const entries: Entry[] = [];
  const add = (path: Node[]): void => {
    const { id, name } = path.at(-1)!;
    if (!ONLY_IN_PATHS.includes(id)) entries.push({ id, name: name ?? null, path });
    if (path.length === LEVELS || name === null) return;
    for (let place = 0; place < NAMES.length; place += 1) add([...path, nodeOf(`${id}-${place}`, place, path.length)]);
  };
  for (let place = 0; place < NAMES.length; place += 1) add([nodeOf(`c-${place}`, place, 0)]);
  for (const [id, twin] of Object.entries(TWINS)) {
    const path = entries.find((entry) => entry.id === twin)!.path;
    entries.push({ id, name: path.at(-1)!.name!, path: [...path.slice(0, -1), { id, name: path.at(-1)!.name! }] });
  }
  return entries;
}

function nodeOf(id: string, place: number, level: number): Node {
  return { id, name: id === NAMELESS ? null : `${NAMES[place]}${level === 0 ? '' : ` ${level}`}` };
}
