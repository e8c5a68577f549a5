import type { Context, Logger } from '../../context.ts';
import { newId } from '../../db/sql/id.ts';
import { openOutbound } from '../../outbound/outbound.ts';
import { printMessage } from '../command-line/output.ts';
import type { MerchantDatabase } from './with-database.ts';

const ignore = (): void => {};
const print = (_details: object, message?: string): void => printMessage(message ?? '');

/** Prints warnings and errors for the user. */
export const commandLog: Logger = { debug: ignore, info: ignore, warn: print, error: print };

/** The context of operations that the operator runs by a command, without an app. */
export function commandContext({ db, secretKey, merchantId }: MerchantDatabase): Context {
  return {
    db,
    log: commandLog,
    requestId: newId(),
    session: { merchantId, authorizedAppId: '', scopes: new Set() },
    merchantId,
    webhook: { outbound: openOutbound({ allowHttp: false, allowPrivate: false }), secretKey },
  };
}
