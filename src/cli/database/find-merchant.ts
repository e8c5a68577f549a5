import { listApps } from '../../app/list-apps.ts';
import { merchantOf } from '../../app/credentials/merchant-prefix.ts';
import { isId } from '../../db/sql/id.ts';
import { notFound } from '../../errors.ts';
import { listMerchants } from '../../merchant/list-merchants.ts';
import { CommandError } from '../../process/command-error.ts';
import type { OpenDatabase } from './with-database.ts';
import { ownCommand } from '../../installation/own-command.ts';

/** The merchant with the given id, or else the first one. */
export async function findMerchant(database: Pick<OpenDatabase, 'across'>, named: string | undefined): Promise<string> {
  const merchants = await listMerchants(database);
  const merchant = named === undefined ? merchants[0] : merchants.find(({ merchantId }) => merchantId === named);
  if (merchant) return merchant.merchantId;
  if (named !== undefined) throw notFound('Merchant', [named]);
  throw new CommandError(`There is no merchant yet. Create one: ${ownCommand('merchant create')}`);
}

/** The app with the given id or client id. A client id includes its merchant. */
export async function findApp(
  database: Pick<OpenDatabase, 'db' | 'across'>,
  named: string,
  merchant: string | undefined,
): Promise<{ merchantId: string; authorizedAppId: string }> {
  const merchantId = isId(named) ? await findMerchant(database, merchant) : merchantOf(named);
  const apps = merchantId ? await listApps({ ...database, merchantId }) : [];
  const app = apps.find(({ authorizedAppId, clientId }) => authorizedAppId === named || clientId === named);
  if (!merchantId || !app) throw notFound('AuthorizedApp', [named]);
  return { merchantId, authorizedAppId: app.authorizedAppId };
}
