import type { Context, Logger } from '../../context.ts';
import { changeOrigin } from '../../db/write/change-origin.ts';
import { newId } from '../../db/sql/id.ts';
import { openOutbound } from '../../outbound/outbound.ts';
import { printMessage } from '../command-line/output.ts';
import type { MerchantDatabase } from './with-database.ts';

const ignore = (): void => {};
const print = (_details: object, message?: string): void => printMessage(message ?? '');

/** Prints warnings and errors for the user. */
export const commandLog: Logger = { debug: ignore, info: ignore, warn: print, error: print };

/**
 * The context of operations that the operator runs by a command, without an app. All changes of a command with a name
 * belong to one change set.
 */
export function commandContext({ db, secretKey, merchantId }: MerchantDatabase, command?: string): Context {
  return {
    ...(command !== undefined && { origin: changeOrigin({ merchantId, operation: command }) }),
    db,
    log: commandLog,
    requestId: newId(),
    session: { merchantId, authorizedAppId: '', scopes: new Set() },
    merchantId,
    webhook: { outbound: openOutbound({ allowHttp: false, allowPrivate: false }), secretKey },
  };
}
