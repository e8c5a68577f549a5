import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { issueAccessToken } from '../../src/app/access-token.ts';
import { operations } from '../support/operation.ts';
import { type Answer, codes, post } from '../support/post.ts';
import { attack, type AttackedService, expectUnharmed, startAttackedService } from './support/attacked-service.ts';

let service: AttackedService;
beforeAll(async () => {
  service = await startAttackedService();
});
afterAll(() => service.stop());

const ID = '018f0000-0000-7000-8000-000000000000';
const SORTS: Record<string, readonly string[]> = {
  listCustomer: ['createdAt', '-updatedAt', 'firstName', '-firstName'],
  listProduct: ['createdAt', '-updatedAt', 'name', '-name'],
  listProductStockLocation: ['createdAt', '-updatedAt'],
};
/** Instants that Postgres cannot read, and texts that are no instant. */
const FORGED_KEYS = ['999999999999999', '-999999999999999', '253402300800000', '-62135596800001', '8640000000000001', 'infinity', '1e400', 'NaN', '', "0'; select pg_sleep(5); --"];
const FORGED_TEXTS = ['a\0b', '\ud800', 'x'.repeat(500_000), 5, null, { a: 1 }];

function forged(sort: string, key: unknown, id: unknown = ID): string {
  return Buffer.from(JSON.stringify([sort, key, id])).toString('base64url');
}

/** Cursors with a wrong key, a wrong id or a wrong form, for an order whose keys are moments, ids or texts. */
function forgedCursors(sort: string): string[] {
  const keys = /name/i.test(sort) ? FORGED_TEXTS : [...FORGED_KEYS, ...FORGED_TEXTS];
  const key = /name/i.test(sort) ? 'a' : sort === '-recorded' ? ID : '0';
  return [
    ...keys.map((key) => forged(sort, key)),
    ...['', 'x', `${ID}'`, `{${ID}}`, 7, null, [ID]].map((id) => forged(sort, key, id)),
    forged('-secret', key),
    Buffer.from(JSON.stringify([sort, key, ID, 'more'])).toString('base64url'),
    Buffer.from(JSON.stringify({ 0: sort, 1: key, 2: ID, length: 3 })).toString('base64url'),
    '', '!', 'null', 'bnVsbA', `${forged(sort, key)}!`, 'A'.repeat(900_000),
  ];
}

function listDocuments(): { query: string; sort: string; name: string }[] {
  return [...operations].flatMap(([name, { field }]) => {
    if (!field.args.some((argument) => argument.name === 'pagination')) return [];
    const fields = String(field.type).includes('Pagination') ? 'data { __typename }' : '__typename';
    const sorts = SORTS[name] ?? [name === 'listWebhookDelivery' ? '-recorded' : '-createdAt'];
    return sorts.map((sort) => ({ name, sort, query: `query ($after: String!) { ${name}(pagination: { after: $after }${SORTS[name] ? `, sort: "${sort}"` : ''}) { ${fields} } }` }));
  });
}

describe('a forged cursor', () => {
  it('is bad input of pagination.after, in every list and every order', { timeout: 240_000 }, async () => {
    const wrong: unknown[] = [];
    let sent = 0;
    const report = await attack('forged cursors', service, async () => {
      for (const { name, sort, query } of listDocuments()) {
        for (const after of forgedCursors(sort)) {
          const answer = await service.attacker.send({ query, variables: { after } });
          sent++;
          if (!isAboutAfter(answer)) wrong.push({ name, sort, after: after.slice(0, 80), errors: answer.body.errors ?? null });
        }
      }
    });
    expect(sent).toBeGreaterThan(300);
    expect(wrong).toEqual([]);
    expectUnharmed(report);
    expect(service.process.stdout()).not.toContain('unexpected error');
    expect(service.process.stdout()).not.toMatch(/999999999999999|\+033658/);
  });
});

function isAboutAfter(answer: Answer): boolean {
  const [error] = answer.body.errors ?? [];
  const issues = (error?.extensions['issues'] ?? []) as { path: unknown[] }[];
  const path = issues[0]?.path.join('.');
  return answer.status === 200 && codes(answer).join() === 'ARGUMENT_VALIDATION_ERROR' && (path === 'pagination.after' || path === 'after');
}

describe('a narrowed token', () => {
  it('tells its own scopes, and no operation gives it more', async () => {
    const { ctx, token } = await service.createMerchant();
    const narrowed = await issueAccessToken(ctx, { authorizedAppId: ctx.session.authorizedAppId, scopes: ['read_products', 'write_customers'] });
    const ask = async (token: string, query: string): Promise<Answer> => await post(service.graphqlUrl, { query }, { token });
    const query = '{ me { id scope scopes } getAuthorizedApp { scope } }';
    const [own, full] = [await ask(narrowed, query), await ask(token, query)];
    expect(own.body.data!['me']).toMatchObject({ scope: 'read_products,write_customers', scopes: ['READ_PRODUCTS', 'WRITE_CUSTOMERS'] });
    expect((full.body.data!['me'] as { scopes: string[] }).scopes).toHaveLength(10);
    expect(own.body.data!['getAuthorizedApp'], 'what the merchant has granted to the app').toEqual(full.body.data!['getAuthorizedApp']);
    expect(codes(await ask(narrowed, '{ listStockLocation { id } }'))).toEqual(['UNAUTHORIZED']);
  });
});
