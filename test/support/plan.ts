import type { SQL } from 'drizzle-orm';
import type { Database } from '../../src/db/connect.ts';
import { render, Statement } from '../../src/db/statement.ts';

/** The database, with the plan of each statement noted before the statement runs. */
export function explaining(db: Database, plans: string[]): Database {
  return new Proxy(db, {
    get: (target, member) => {
      if (member !== 'execute') return Reflect.get(target, member) as unknown;
      return async (statement: SQL) => {
        const plan = await target.execute<{ 'QUERY PLAN': string }>(explained(statement));
        plans.push(plan.map((line) => line['QUERY PLAN']).join('\n'));
        return await target.execute(statement);
      };
    },
  });
}

function explained(statement: SQL): Statement {
  const { sql: text, params } = render(statement);
  return new Statement(`explain ${text}`, params);
}
