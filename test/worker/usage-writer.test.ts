import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { issueAccessToken } from '../../src/app/credentials/access-token.ts';
import { appScopes } from '../../src/app-scope.ts';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { post } from '../support/post.ts';
import { startMain } from '../support/process.ts';

/** A stop waits this long for a database that does not answer, and shorter otherwise. */
const MAX_LAST_WRITE_MS = 5_000;

let database: TestDatabase;
beforeAll(async () => void (database = await createDatabase()));
afterAll(() => database.drop());

describe('a service that stops', () => {
  it('writes the counts before it ends', async () => {
    const app = await createContext(database.db);
    const { authorizedAppId } = app.session;
    const token = await issueAccessToken(app, { authorizedAppId, scopes: appScopes });
    const service = await startMain({ DATABASE_URL: database.url, SECRET_KEY: '0'.repeat(64) });
    await post(`${service.url}/api/v1/admin/graphql`, { query: '{ me { id } }' }, { token });
    const unwritten = await database.db.execute(sql`select from schema_usage where merchant_id = ${app.merchantId}`);
    expect(unwritten).toHaveLength(0);
    const toldAtMs = performance.now();
    expect((await service.stop('SIGTERM')).code).toBe(0);
    expect(performance.now() - toldAtMs).toBeLessThan(MAX_LAST_WRITE_MS);
    const rows = await database.db.execute(sql`
      select requests from schema_usage
      where merchant_id = ${app.merchantId} and authorized_app_id = ${authorizedAppId}`);
    expect(rows).toEqual([{ requests: { 'MeResponse.id': 1, 'Query.me': 1 } }]);
  });
});
