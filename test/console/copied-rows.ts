import { type SQL, sql } from 'drizzle-orm';
import type { TestService } from '../support/whole-service.ts';

/** Copies a row so many times, with ids that follow each other. `members` is JSON that differs from the row. */
export async function copyRow(
  { owner }: Pick<TestService, 'owner'>,
  table: string,
  { where, count, members }: { where: SQL; count: number; members: SQL },
): Promise<void> {
  const name = sql.identifier(table);
  await owner.execute(sql`
    insert into ${name}
    select (jsonb_populate_record(copied, jsonb_build_object('id', uuidv7()) || ${members})).*
    from ${name} copied, generate_series(1, ${count}) number where ${where}`);
}
