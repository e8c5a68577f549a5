import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openDatabaseEnvironment } from '../../src/process/database-environment.ts';
import { createDataDir, type DataDir, databaseProcess } from '../support/process.ts';

let data: DataDir;
beforeEach(async () => void (data = await createDataDir()));
afterEach(() => data.remove());

it('leaves no embedded database running if the stored key is damaged', async () => {
  await writeFile(join(data.path, 'secret-key'), 'damaged');
  const config = {
    databaseUrl: undefined,
    migrationDatabaseUrl: undefined,
    crossMerchantDatabaseUrl: undefined,
    secretKey: undefined,
    dataDir: data.path,
  };
  await expect(openDatabaseEnvironment(config)).rejects.toThrow('secret-key holds no key of 32 bytes');
  expect(await databaseProcess(data.path)).toBeNull();
});
