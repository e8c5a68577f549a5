import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { connectOnce } from '../../src/db/connect.ts';
import { startEmbeddedPostgres } from '../../src/db/embedded.ts';

it('keeps its data in a folder that nobody else may enter, and finds it again', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'commerce-private-'));
  await chmod(folder, 0o700);
  try {
    await inDatabase(folder, 'create table kept as select 42 as answer');
    expect(await inDatabase(folder, 'select answer from kept')).toEqual([{ answer: 42 }]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

async function inDatabase(folder: string, statement: string): Promise<object[]> {
  const server = await startEmbeddedPostgres(join(folder, 'data'));
  const client = connectOnce(server.url);
  try {
    return [...(await client.unsafe(statement))];
  } finally {
    await client.end();
    await server.stop();
  }
}
