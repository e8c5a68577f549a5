import type { Database } from '../../src/db/connection/connect.ts';

/** The database, whose answers tell of another moment than that of their statement: another server or time. */
export function answeringFrom(db: Database, moment: { server?: string; clock?: number }): Database {
  const execute = async (statement: Parameters<Database['execute']>[0]): Promise<object[]> =>
    (await db.execute(statement)).map((row) => ('server' in row ? { ...row, ...moment } : row));
  return Object.create(db, { execute: { value: execute } }) as Database;
}
