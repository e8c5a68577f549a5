import { sql } from 'drizzle-orm';
import { expect, it, onTestFinished } from 'vitest';
import { eraseCustomerList } from '../../../src/customer/eraseCustomerList.ts';
import { saveCustomer } from '../../../src/customer/saveCustomer.ts';
import { migrate } from '../../../src/db/schema/migrate.ts';
import { createContext } from '../../support/context.ts';
import { createEmptyDatabase, openDatabase } from '../../support/database.ts';

/** As in the image of PostgreSQL: its `lower` changes single letters, and so has other results for `İ` and final `Σ`. */
const LIBC = `template0 encoding 'UTF8' locale_provider libc locale 'C.UTF-8'`;

it('an actor who is an erased customer is found where the database lowers letters by the C library', async () => {
  const database = openDatabase(await createEmptyDatabase(LIBC));
  onTestFinished(() => database.drop());
  await migrate(database.ownerUrl, database.url, database.acrossUrl);
  const ctx = await createContext(database.db);
  const ids: string[] = [];
  for (const firstName of ['İpek', 'Νίκος'])
    ids.push((await saveCustomer(ctx, { input: { firstName } as never }, { id: {} })).id);
  const actors = ['İPEK', 'İpek', 'ΝΊΚΟΣ', 'νίκος', 'νίκοσ', 'Ipek', 'Νίκο'];
  await database.owner.execute(sql`
    insert into change_set (merchant_id, authorized_app_id, actor, created_at)
    select ${ctx.merchantId}, ${ctx.session.authorizedAppId}, actor, now() from unnest(${`{${actors.join(',')}}`}::text[]) as actor`);
  await eraseCustomerList(ctx, { idList: ids }, { id: {} });
  const kept = await database.owner.execute<{ actor: string }>(
    sql`select actor from change_set where merchant_id = ${ctx.merchantId} and actor <> 'erased' order by actor`,
  );
  expect(kept.map(({ actor }) => actor)).toEqual(['Ipek', 'Νίκο']);
});
