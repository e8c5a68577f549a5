import { expect, it } from 'vitest';
import { describeError } from '../../src/process/describe-error.ts';
import { startServer } from '../support/server.ts';

const MIGRATE = 'The database lacks tables of this version. Bring it up to date: npm run admin -- migrate';

it.each(['product', 'public.product', 'drizzle.__drizzle_migrations', 'pgboss.queue'])(
  'says to migrate if the table %s is missing',
  (table) => {
    expect(describeError(undefinedTable(table))).toBe(MIGRATE);
  },
);

it.each(['public.customer_webhooks', 'product_102070', 'pg_dist_shard'])(
  'says the error of the database if %s is missing, which is not a table of the service',
  (relation) => {
    expect(describeError(undefinedTable(relation))).toContain(`relation "${relation}" does not exist`);
  },
);

it.each(['53100', '25006', '58030'])('says in one line what the database lacks: %s', (code) => {
  const error = Object.assign(new Error('could not extend file: No space left on device'), { code });
  expect(describeError(error)).toBe('The database lacks resources: could not extend file: No space left on device');
});

it('says which setting gives a statement more time', () => {
  const error = Object.assign(new Error('canceling statement due to statement timeout'), { code: '57014' });
  expect(describeError(error)).toBe(
    'The database ended a statement: canceling statement due to statement timeout. If it needs more time, repeat the command with STATEMENT_TIMEOUT_MS=600000.',
  );
});

it('says which host cannot be listened on if its name cannot be resolved', async () => {
  const error: unknown = await startServer({}, 'nowhere.invalid').catch((error: unknown) => error);
  expect(describeError(error)).toMatch(
    /^Port 0 of nowhere\.invalid cannot be opened \((ENOTFOUND|EAI_AGAIN)\)\. Choose another with PORT and HOST\.$/,
  );
});

function undefinedTable(name: string): Error {
  return Object.assign(new Error(`relation "${name}" does not exist`), { code: '42P01' });
}
