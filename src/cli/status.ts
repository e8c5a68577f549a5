import { Command } from 'commander';
import { JSON_OPTION } from './command-line/options.ts';
import { printRecord } from './command-line/table.ts';
import { type OpenDatabase, withDatabase } from './database/with-database.ts';

/** The exit code if the service does not run, as of `systemctl status`. */
const EXIT_NOT_RUNNING = 3;

export function status(): Command {
  return new Command('status')
    .description(
      `tell what runs and what waits; exit code ${EXIT_NOT_RUNNING} if no process of the service is connected`,
    )
    .option(...JSON_OPTION)
    .action(async (options: { json?: true }) => {
      const found = await withDatabase(readStatus);
      printRecord(found, options);
      if (found.processes === 0) process.exitCode = EXIT_NOT_RUNNING;
    });
}

type Status = {
  database: string;
  /** Processes of the service that are connected to the database. */
  processes: number;
  /** How many of these processes deliver webhooks. */
  workers: number;
  merchants: number;
  deliveriesWaiting: number;
  oldestDeliveryDueS: number;
  webhooksPaused: number;
};

async function readStatus({ db, across, databaseUrl, isEmbedded }: OpenDatabase): Promise<Status> {
  const { listMerchants } = await import('../merchant/list-merchants.ts');
  const { ledgerFigures } = await import('../webhook/ledger/ledger-figures.ts');
  const { connectedProcesses } = await import('./database/connected-processes.ts');
  const { host, pathname } = new URL(databaseUrl);
  const { waiting, oldestDueS, pausedWebhooks } = await ledgerFigures({ across });
  return {
    database: `${isEmbedded ? 'embedded, ' : ''}${host}${pathname}`,
    ...(await connectedProcesses(db)),
    merchants: (await listMerchants({ across })).length,
    deliveriesWaiting: waiting,
    oldestDeliveryDueS: Math.round(oldestDueS),
    webhooksPaused: pausedWebhooks,
  };
}
