import { randomUUID } from 'node:crypto';
import { inject } from 'vitest';
import { connect, type Connection, connectOnce } from '../../src/db/connect.ts';

export type TestDatabase = Connection & {
  url: string;
  /** Every statement sent through this connection, for tests that read them. */
  statements: string[];
  drop(): Promise<void>;
};

/** A database of the test file's own, copied from the migrated template. */
export async function createDatabase(): Promise<TestDatabase> {
  const serverUrl = inject('serverUrl');
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await onServer(serverUrl, `create database ${name} template ${inject('templateName')}`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  const statements: string[] = [];
  const connection = connect(url.href, { poolSize: 5, statementTimeoutMs: 20_000, onStatement: (text) => statements.push(text) });
  return {
    ...connection,
    url: url.href,
    statements,
    drop: async () => {
      await connection.close();
      await onServer(serverUrl, `drop database if exists ${name} with (force)`);
    },
  };
}

async function onServer(url: string, statement: string): Promise<void> {
  const client = connectOnce(url);
  try {
    await client.unsafe(statement);
  } finally {
    await client.end();
  }
}
