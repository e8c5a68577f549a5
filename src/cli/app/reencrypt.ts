import { Command } from 'commander';
import { JSON_OPTION } from '../command-line/options.ts';
import { printMessage } from '../command-line/output.ts';
import { printRecord } from '../command-line/table.ts';
import { type OpenDatabase, withDatabase } from '../database/with-database.ts';

type Answer = { apps: number; reencrypted: number; lost: string[] };

export function appReencrypt(): Command {
  return new Command('reencrypt')
    .description('encrypt the client secrets of all merchants under the first key of SECRET_KEY')
    .option(...JSON_OPTION)
    .action(async (options: { json?: true }) => {
      const answer = await withDatabase(reencryptAll);
      printRecord(answer, options);
      if (answer.lost.length === 0) return;
      printMessage('The secrets of the apps in "lost" open with none of the keys, and stay as they are: see doctor.');
      process.exitCode = 1;
    });
}

async function reencryptAll(database: OpenDatabase): Promise<Answer> {
  const { reencryptClientSecrets } = await import('../../app/credentials/reencrypt-client-secrets.ts');
  const { listMerchants } = await import('../../merchant/list-merchants.ts');
  const answer: Answer = { apps: 0, reencrypted: 0, lost: [] };
  for (const { merchantId } of await listMerchants(database)) {
    const own = await reencryptClientSecrets({ ...database, merchantId });
    answer.apps += own.appCount;
    answer.reencrypted += own.changedCount;
    answer.lost.push(...own.lostIds);
  }
  return answer;
}
