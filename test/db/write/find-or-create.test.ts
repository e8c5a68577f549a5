import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { productTag } from '../../../drizzle/tag.ts';
import type { Context } from '../../../src/context.ts';
import type { Database } from '../../../src/db/connection/database.ts';
import { newId } from '../../../src/db/sql/id.ts';
import { findOrCreateByName } from '../../../src/db/write/find-or-create.ts';
import { createContext } from '../../support/context.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';

let database: TestDatabase;
let ctx: Context;
beforeAll(async () => {
  database = await createDatabase();
  ctx = await createContext(database.db);
});
afterAll(() => database.drop());

const createTag = (name: string) =>
  database.db.execute(sql`
    insert into product_tag (merchant_id, id, name) values (${ctx.merchantId}, ${newId()}, ${name})`);
const renameTag = (name: string) =>
  database.db.execute(sql`
    update product_tag set name = name || ' renamed' where merchant_id = ${ctx.merchantId} and name = ${name}`);

/** A database that makes the change `changes[n]` of another client before it sends statement n of a request. */
function changedBetween(changes: readonly (() => Promise<unknown>)[]): Database {
  let sent = 0;
  const execute = async (statement: never) => {
    await changes[sent++]?.();
    return await database.db.execute(statement);
  };
  return Object.create(database.db, { execute: { value: execute } }) as Database;
}

it('tries to create a record again if another request renames the one that had its name', async () => {
  const nothing = async () => {};
  const db = changedBetween([nothing, () => createTag('sale'), () => renameTag('sale')]);
  const row = (name: string) => ({ id: newId(), name });
  const { ids, created } = await findOrCreateByName({ ...ctx, db }, productTag, ['sale', 'new'], row);
  expect(new Set(ids.keys())).toEqual(new Set(['new', 'sale']));
  expect(new Set(created)).toEqual(new Set(['new', 'sale']));
});
