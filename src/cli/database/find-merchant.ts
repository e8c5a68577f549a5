import { isActive, type ListedApp, listApps } from '../../app/list-apps.ts';
import { merchantOf } from '../../app/credentials/merchant-prefix.ts';
import type { MerchantContext } from '../../context.ts';
import { isId } from '../../db/sql/id.ts';
import { notFound } from '../../errors.ts';
import { type ListedMerchant, listMerchants } from '../../merchant/list-merchants.ts';
import { CommandError } from '../../process/command-error.ts';
import type { OpenDatabase } from './with-database.ts';
import { ownCommand } from '../../installation/own-command.ts';
import { oneLine, timeCell } from '../command-line/table.ts';

/** Names of apps or merchants in a message. */
const MAX_NAMES = 20;

/**
 * The merchant with the given id, or else the first one. With `needsName` it has to be named if there are several, so that a
 * command that changes something by a name does not change what has the same name of the first merchant.
 */
export async function findMerchant(
  database: Pick<OpenDatabase, 'across'>,
  named: string | undefined,
  needsName = false,
): Promise<string> {
  const merchants = await listMerchants(database);
  if (needsName && named === undefined && merchants.length > 1) throw new CommandError(severalMerchants(merchants));
  const merchant = named === undefined ? merchants[0] : merchants.find(({ merchantId }) => merchantId === named);
  if (merchant) return merchant.merchantId;
  if (named !== undefined) throw notFound('Merchant', [named]);
  throw new CommandError(`There is no merchant yet. Create one: ${ownCommand('merchant create')}`);
}

function severalMerchants(merchants: readonly ListedMerchant[]): string {
  const lines = merchants
    .slice(0, MAX_NAMES)
    .map(({ merchantId, merchantName, email }) => `  ${merchantId}  ${oneLine(merchantName ?? email)}`);
  const rest = merchants.length > MAX_NAMES ? [`  … (${ownCommand('merchant list')})`] : [];
  return [`There are ${merchants.length} merchants. Name one by --merchant:`, ...lines, ...rest].join('\n');
}

/** The app with the given id, client id or name. A client id includes its merchant; for a name it has to be given. */
export async function findApp(
  database: Pick<OpenDatabase, 'db' | 'across'>,
  named: string,
  merchant: string | undefined,
): Promise<{ merchantId: string; authorizedAppId: string }> {
  const merchantId = merchantOf(named) ?? (await findMerchant(database, merchant, !isId(named)));
  return { merchantId, authorizedAppId: await findAppId({ ...database, merchantId }, named) };
}

/**
 * The merchant's app with the given id, client id or name; case does not matter in names. An active app goes before
 * revoked and deleted ones of its name. Throws if several are left, with their ids.
 */
export async function findAppId(ctx: MerchantContext, named: string): Promise<string> {
  const apps = await listApps(ctx);
  const byId = apps.find(({ authorizedAppId, clientId }) => authorizedAppId === named || clientId === named);
  if (byId) return byId.authorizedAppId;
  const ofName = apps.filter(({ name }) => isSameName(name, named));
  const active = ofName.filter(isActive);
  const [found, ...others] = active.length > 0 ? active : ofName;
  if (!found) throw isId(named) ? notFound('AuthorizedApp', [named]) : new CommandError(unknownApp(named, apps));
  if (others.length > 0) throw new CommandError(severalApps(named, [found, ...others]));
  return found.authorizedAppId;
}

function isSameName(name: string, other: string): boolean {
  return name.localeCompare(other, 'en', { sensitivity: 'accent' }) === 0;
}

function unknownApp(named: string, apps: readonly ListedApp[]): string {
  const names = [...new Set(apps.filter(isActive).map(({ name }) => oneLine(name)))];
  const shown = names.slice(0, MAX_NAMES).join(', ') + (names.length > MAX_NAMES ? ' …' : '');
  return `NOT_FOUND: The merchant has no app with the name or id ${JSON.stringify(named)}. Its apps: ${shown || 'none'}.`;
}

function severalApps(named: string, apps: readonly ListedApp[]): string {
  const lines = apps.map(
    ({ authorizedAppId, addedDate, revokedAt }) =>
      `  ${authorizedAppId}  added ${timeCell(addedDate)}${revokedAt === null ? '' : `, revoked ${timeCell(revokedAt)}`}`,
  );
  return `${apps.length} apps have the name ${JSON.stringify(named)}. Give the id of one:\n${lines.join('\n')}`;
}
