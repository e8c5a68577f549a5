import { expect, it } from 'vitest';
import { startupBanner } from '../../src/process/startup-banner.ts';

const content = { url: 'http://127.0.0.1:4000', dataDir: '/data', token: null };
const databaseUrl = 'postgres://commerce_serving:hunter2@db.example:5433/shop';

it('has the addresses and the first commands with a database of ones own, and no password', () => {
  const banner = startupBanner({ ...content, role: 'all', databaseUrl });
  expect(banner).toContain('GraphQL    http://127.0.0.1:4000/api/v1/admin/graphql');
  expect(banner).toContain('Database   PostgreSQL at db.example:5433/shop\n');
  expect(banner).toContain('app create');
  expect(banner).not.toContain('hunter2');
  expect(banner).not.toContain('embedded');
});

it('of a worker has the addresses that a worker answers', () => {
  const banner = startupBanner({ ...content, role: 'worker', databaseUrl });
  expect(banner).toContain('http://127.0.0.1:4000/healthz');
  expect(banner).not.toContain('GraphQL');
});
