import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { issueAccessToken } from '../../src/app/credentials/access-token.ts';
import { appScopes } from '../../src/app-scope.ts';
import { person } from '../customer/erasure/person.ts';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { post } from '../support/post.ts';
import { type RunningService, startMain } from '../support/process.ts';
import { register } from '../webhook/ledger.ts';
import { openReceiver, until } from '../worker/webhooks/receiver.ts';
import { openCollector } from './collector.ts';

vi.setConfig({ testTimeout: 60_000 });

const [SAVED, LITERAL, REFUSED, ACTOR] = ['trqz1', 'trqz2', 'trqz3', 'trqz4'];

let database: TestDatabase;
let collector: Awaited<ReturnType<typeof openCollector>>;
let receiver: Awaited<ReturnType<typeof openReceiver>>;
let service: RunningService;
let token: string;
beforeAll(async () => {
  // The receiver repeats what it has got, which the delivery stores.
  [database, collector, receiver] = await Promise.all([
    createDatabase(),
    openCollector(),
    openReceiver(({ body }, response) => response.writeHead(500).end(JSON.stringify(body))),
  ]);
  const ctx = await createContext(database.db);
  await register(ctx, ['store/customer/created', 'store/customer/erased'], { endpoint: receiver.url });
  token = await issueAccessToken(ctx, { authorizedAppId: ctx.session.authorizedAppId, scopes: appScopes });
  service = await startMain({
    DATABASE_URL: database.url,
    SECRET_KEY: '0'.repeat(64),
    WEBHOOK_ALLOW_HTTP: 'true',
    WEBHOOK_ALLOW_PRIVATE: 'true',
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_BSP_SCHEDULE_DELAY: '50',
  });
});
afterAll(async () => {
  await service.stop();
  collector.close();
  await Promise.all([receiver.close(), database.drop()]);
});

async function send(query: string, variables: object = {}, headers: Record<string, string> = {}) {
  const { body } = await post(`${service.url}/api/v1/admin/graphql`, { query, variables }, { token, headers });
  return body as { data: any; errors?: object[] };
}

it('has no value of a customer in a trace: of saves, searches, refusals, pushes, reverts and the erasure', async () => {
  const save = 'mutation ($input: CustomerInput!) { saveCustomer(input: $input) { id } }';
  const { id } = (await send(save, { input: person(SAVED!) }, { 'x-actor': ACTOR! })).data.saveCustomer;
  await send(`mutation { saveCustomer(input: { id: "${id}", firstName: "${LITERAL}" }) { id } }`);
  for (const input of [
    { id, firstName: 'A', email: REFUSED },
    { id, firstName: 'A', gender: REFUSED },
  ])
    expect((await send(save, { input })).errors).toHaveLength(1);
  await send('query ($text: String) { listCustomer(search: $text) { count } }', { text: SAVED });
  const { listChange } = (await send('{ listChange(recordType: CUSTOMER) { data { id } } }')).data;
  const revert = 'mutation ($input: RevertChangesInput!) { revertChanges(input: $input) { recordCount } }';
  expect((await send(revert, { input: { changeIds: [listChange.data[0].id] } })).errors).toBeUndefined();
  await send('mutation ($ids: [String!]!) { eraseCustomerList(idList: $ids) { id } }', { ids: [id] });

  const names = (): Set<string> => new Set(collector.spans.map(({ name }) => name));
  await until(names, (all) =>
    ['saveCustomer', 'listCustomer', 'revertChanges', 'eraseCustomerList', 'deliver store/customer/erased'].every(
      (name) => all.has(name),
    ),
  );
  const [row] = await database.owner.execute(sql`select erasure_id is null as is_kept from customer where id = ${id}`);
  expect(row).toEqual({ is_kept: false });
  const texts = JSON.stringify(collector.spans);
  for (const mark of [SAVED, LITERAL, REFUSED, ACTOR]) expect(texts).not.toContain(mark);
});
