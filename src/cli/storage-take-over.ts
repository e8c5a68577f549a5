import { Command } from 'commander';
import { JSON_OPTION } from './command-line/options.ts';
import { printRecord } from './command-line/table.ts';
import { withDatabase } from './database/with-database.ts';

export function storageTakeOver(): Command {
  return new Command('take-over')
    .description(
      'let this database remove pictures from the storage and write receipts of erasures, instead of the database that has ' +
        'done so; after a restore, when that one is no longer used',
    )
    .option(...JSON_OPTION)
    .action(async (options: { json?: true }) => {
      const { loadConfig } = await import('../config.ts');
      const { openStorage } = await import('../image/storage.ts');
      const { takeOverStorage } = await import('../image/storage-owner.ts');
      const { storageUrl } = loadConfig();
      const taken = await withDatabase(async (database) => {
        const storage = await openStorage(storageUrl);
        try {
          return await takeOverStorage(database, storage);
        } finally {
          storage.close();
        }
      });
      printRecord({ storage: storageUrl, ...taken }, options);
    });
}
