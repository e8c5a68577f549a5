import type { Config } from '../../config.ts';
import { type DatabaseEnvironment, openDatabaseEnvironment } from '../../process/database-environment.ts';
import { hasDatabase } from '../../db/embedded/has-database.ts';
import { CommandError } from '../../process/command-error.ts';
import { START } from '../../installation/own-command.ts';

/**
 * Opens the configured database, or else the embedded one. Throws if there is none instead of making one: a command
 * with another DATA_DIR than the service would work on a second database, and nobody would notice.
 */
export async function openExistingDatabase(config: Config): Promise<DatabaseEnvironment> {
  if (!(await isDatabaseMade(config))) throw new CommandError(noDatabase(config.dataDir));
  return await openDatabaseEnvironment(config);
}

export async function isDatabaseMade({
  databaseUrl,
  dataDir,
}: Pick<Config, 'databaseUrl' | 'dataDir'>): Promise<boolean> {
  return databaseUrl !== undefined || (await hasDatabase(dataDir));
}

export function noDatabase(dataDir: string): string {
  return (
    `DATABASE_URL is not set, and ${dataDir} (DATA_DIR) holds no embedded database. The first start makes one: ${START}. ` +
    'If the service runs already, give this command its DATA_DIR or DATABASE_URL.'
  );
}
