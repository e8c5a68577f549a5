import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { signData } from '../../../src/webhook/sending/signature.ts';
import { post } from '../../support/post.ts';
import { startTestService, type TestService } from '../../support/whole-service.ts';
import { openReceiver, until } from '../../worker/webhooks/receiver.ts';
import { deflatedZeros, png } from '../../image/pictures.ts';
import { person } from './person.ts';
import { tablesWith } from './tables-with.ts';

vi.setConfig({ testTimeout: 180_000 });

/** Values that occur nowhere else, one for each way by which they come into the service. */
const MARKS = ['xqvz1', 'xqvz2', 'xqvz3', 'xqvz4', 'xqvz5', 'xqvz6'] as const;
const [FIRST, SECOND, LITERAL, REFUSED, NOTED, ACTOR] = MARKS;
const RETRY_AFTER_MS = 3_600_000;

let service: TestService;
let receiver: Awaited<ReturnType<typeof openReceiver>>;
let app: Awaited<ReturnType<TestService['createApp']>>;
let token: string;

beforeAll(async () => {
  // The paths say how the receiver answers. Each answer repeats what it has got.
  receiver = await openReceiver(({ path, body }, response) =>
    response.writeHead(path === '/works' ? 200 : 500, { 'x-request-id': 'r' }).end(JSON.stringify(body)),
  );
  const webhook = { allowHttp: true, allowPrivate: true, retryDelaysMs: [RETRY_AFTER_MS, RETRY_AFTER_MS] as const };
  service = await startTestService({}, 'all', { webhook: { ...webhook, retryDelaysMs: [...webhook.retryDelaysMs] } });
  app = await service.createApp();
  token = app.token;
});
afterAll(async () => {
  await service.stop();
  await receiver.close();
});

async function send(query: string, variables: object = {}, headers: Record<string, string> = {}, as = token) {
  const { body } = await post(service.graphqlUrl, { query, variables }, { token: as, headers });
  return body as { data: any; errors?: any[] };
}

async function ok(query: string, variables: object = {}, headers: Record<string, string> = {}, as = token) {
  const { data, errors } = await send(query, variables, headers, as);
  expect(errors).toBeUndefined();
  return data;
}

const SAVE = 'mutation ($input: CustomerInput!) { saveCustomer(input: $input) { id firstName email note } }';
const REGISTER =
  'mutation ($endpoint: String!, $scopes: [String!]!) { saveWebhook(input: { endpoint: $endpoint, scopes: $scopes, includeChanges: true }) { id } }';
const REVERT =
  'mutation ($input: RevertChangesInput!) { revertChanges(input: $input) { recordCount records { members { path before after } } } }';
const BULK = 'mutation ($input: [BulkUpdateProductsInput!]!) { bulkUpdateProducts(input: $input) }';
const key = (name: string) => ({ 'idempotency-key': name });

/** Saves the person in every way, so that each kind of copy exists. Returns the id. */
async function live(): Promise<string> {
  for (const [path, action] of Object.entries({ works: 'created', fails: 'updated' }))
    await ok(REGISTER, { endpoint: `${receiver.url}/${path}`, scopes: [`store/customer/${action}`] });
  const { id } = (await ok(SAVE, { input: person(FIRST) }, key('create'))).saveCustomer;
  await ok(SAVE, { input: { id, ...person(SECOND) } }, { ...key('update'), 'x-actor': `mail-${FIRST}@example.com` });
  await ok(
    `mutation { saveCustomer(input: { id: "${id}", firstName: "${LITERAL}", email: "literal-${LITERAL}@example.com" }) { id note } }`,
  );
  // Refused: a value in an error of a variable, of a literal, of a rule, and of a document that is not valid.
  await send(SAVE, { input: { id, firstName: 'A', email: REFUSED } }, key('refused'));
  await send(SAVE, { input: { id, firstName: 'A', birthDate: REFUSED } });
  await send(`mutation { saveCustomer(input: { id: "${id}", firstName: "A", gender: "${REFUSED}" }) { id } }`);
  await send(`query { listCustomer(search: "${REFUSED}", nothing: "${REFUSED}") { count } }`);
  await ok(
    'query ($search: String) { listCustomer(search: $search, email: { eq: "literal-xqvz3@example.com" }) { count data { id email } } }',
    { search: LITERAL },
  );
  await service.owner.execute(sql`update customer set note = ${`note ${NOTED}`} where id = ${id}`);
  await ok(
    SAVE,
    { input: { id, firstName: 'A', note: `later ${NOTED}` } },
    { 'x-actor': `${ACTOR}, +90 555 ${FIRST}` },
  );
  return id;
}

/** Takes back a change that was overwritten, and one that was not, beside a bulk operation. */
async function revert(id: string): Promise<void> {
  const { listChange } = await ok('query ($id: String!) { listChange(recordId: { eq: $id }) { data { id } } }', { id });
  const changes = listChange.data.map((change: any) => change.id);
  const { errors } = await send(REVERT, { input: { changeIds: [changes[2]] } }, key('conflict'));
  expect(JSON.stringify(errors)).toContain(LITERAL);
  await ok(REVERT, { input: { changeIds: [changes[0]] } }, key('revert'));
  const product = {
    name: 'Bulk',
    type: 'PHYSICAL',
    categories: [],
    productVariantTypes: [],
    variants: [{ prices: [{ sellPrice: 1 }] }],
  };
  await ok(BULK, { input: [product] }, { ...key('bulk'), 'x-actor': `mail-${FIRST}@example.com` });
}

it('leaves no value of an erased person in a table, the queue, the pictures, the log or a later push', async () => {
  const id = await live();
  await revert(id);
  await until(
    async () =>
      await service.owner.execute<{ state: string }>(
        sql`select distinct state from webhook_delivery where attempts > 0`,
      ),
    (rows) => rows.length === 2,
  );
  const upload = new FormData();
  upload.append('image', new Blob([new Uint8Array(png({ width: 1, height: 1, data: deflatedZeros(2) }))]), 'a.png');
  await fetch(`${service.url}/api/v1/admin/product/upload/image`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: upload,
  });
  await service.owner.execute('analyze');
  const before = await tablesWith(service.owner, MARKS);
  expect(before).toEqual(
    expect.arrayContaining([
      'public.change_part',
      'public.change_set',
      'public.customer',
      'public.idempotency_key',
      'public.webhook_delivery',
    ]),
  );

  const { eraseCustomerList: receipt } = await ok(
    'mutation ($ids: [String!]!) { eraseCustomerList(idList: $ids) { id items { place count } } }',
    { ids: [id] },
  );
  for (const { place, count } of receipt.items)
    if (place !== 'BULK_OPERATION') expect([place, count > 0]).toEqual([place, true]);
  const sent = receiver.received.length;
  await service.owner.execute(sql`update webhook_delivery set next_attempt_at = now() where state = 'PENDING'`);
  await service.owner.execute(sql`update pgboss.job set start_after = now()`);
  const later = async () => receiver.received.slice(sent).map(({ body }) => body);
  const bodies = await until(later, (all) => new Set(all.map(({ sequence }) => sequence)).size === 6, 60_000);
  for (const body of bodies) {
    if (body['sequence'] !== 7) expect(body).toMatchObject({ data: `{"id":"${id}"}`, truncated: ['*'] });
    expect(body['signature']).toBe(signData(String(body['data']), app.clientSecret));
    for (const mark of MARKS) expect(JSON.stringify(body).toLowerCase()).not.toContain(mark);
  }

  expect(await tablesWith(service.owner, MARKS)).toEqual([]);
  await service.owner.execute('analyze');
  const stats = await service.owner.execute(
    sql`select tablename from pg_stats s where strpos(lower(s::text), 'xqvz') > 0`,
  );
  expect([...stats]).toEqual([]);
  expect(await gaps()).toEqual([]);
  const log = service.lines.join('').toLowerCase();
  expect(log).toContain('savecustomer');
  for (const mark of MARKS) expect(log).not.toContain(mark);
  const files = await readdir(service.folder, { recursive: true, withFileTypes: true });
  const pictures = files.filter((entry) => entry.isFile());
  for (const entry of pictures)
    for (const mark of MARKS) expect((await readFile(join(entry.parentPath, entry.name))).includes(mark)).toBe(false);
});

/** The records whose pushes to an app do not have the numbers 1, 2, 3 and so on. */
async function gaps(): Promise<object[]> {
  const rows = await service.owner.execute(sql`
    select authorized_app_id, record_id from webhook_delivery
    group by 1, 2 having count(*) <> max(sequence) or count(distinct sequence) <> count(*) or min(sequence) <> 1`);
  return [...rows];
}
