import postgres from 'postgres';
import { addressOptions } from '../../values/connection-url.ts';

export type Settings = postgres.Options<{}>;

/** Of each session, whatever the database and its roles have as their defaults. */
export const SESSION_SETTINGS = {
  // A transaction locks rows, and sees in its later statements what others have committed before that.
  default_transaction_isolation: 'read committed',
  standard_conforming_strings: 'on',
  // Costs are estimated far too high, and to compile a statement takes up to 0.3 s.
  jit: 'off',
} as const;

/**
 * Whether patches/postgres is applied. Without it, the driver loses, repeats or never settles statements after a lost
 * connection.
 */
export function isDriverPatched(): boolean {
  return 'isPatched' in postgres;
}

export function openDriver(url: string, settings: Settings): postgres.Sql {
  if (!isDriverPatched())
    throw new Error(
      'The PostgreSQL driver lacks its patch. Install the packages with `npm ci`, without `--ignore-scripts`, ' +
        'or run `npx patch-package`.',
    );
  const connection = { ...SESSION_SETTINGS, ...settings.connection };
  return postgres(url, { ...settings, connection, ...addressOptions(url) } as Settings);
}
