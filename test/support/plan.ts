import { type SQL, sql } from 'drizzle-orm';
import { explained } from '../../bench/plan.ts';
import type { Database } from '../../src/db/connection/database.ts';
import { render } from '../../src/db/sql/compiled-statement.ts';
import { SERVICE_OWNER } from '../../src/db/connection/pool.ts';
import { spyDatabase } from './spy-database.ts';

/** The database, which adds the plan of each statement to `plans` before it runs the statement. */
export function explaining(db: Database, plans: string[]): Database {
  return new Proxy(db, {
    get: (target, member) => {
      if (member === 'transaction') {
        const begin: Database['transaction'] = async (work) =>
          await target.transaction(
            async (connection) => await work(explaining(connection, plans) as typeof connection),
          );
        return begin;
      }
      if (member !== 'execute') return Reflect.get(target, member) as unknown;
      return async (statement: SQL) => {
        plans.push(await planOf(target, statement));
        return await target.execute(statement);
      };
    },
  });
}

/**
 * Adds the plan of each statement for a merchant that is sent outside of a transaction, until `work` has ended. For tasks,
 * which make a database for each merchant.
 */
export async function explainingTask<T>(db: Database, plans: string[], work: () => Promise<T>): Promise<T> {
  const spy = spyDatabase('execute', async ({ owner, argument, run }) => {
    if (owner !== SERVICE_OWNER) plans.push(await planOf(db, argument as SQL));
    return await run();
  });
  return await work().finally(() => spy.mockRestore());
}

async function planOf(db: Database, statement: SQL): Promise<string> {
  const { sql: text, params: parameters } = render(statement);
  const { prepare, explain, deallocate } = explained({ text, parameters });
  return await db.transaction(async (connection) => {
    await connection.execute(sql.raw(prepare));
    const lines = await connection.execute<{ 'QUERY PLAN': string }>(sql.raw(explain));
    await connection.execute(sql.raw(deallocate));
    return lines.map((line) => line['QUERY PLAN']).join('\n');
  });
}
