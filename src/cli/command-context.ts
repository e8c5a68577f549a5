import type { Context } from '../context.ts';
import { newId } from '../db/sql/id.ts';
import { openOutbound } from '../outbound/outbound.ts';
import { printMessage } from './output.ts';
import type { OpenDatabase } from './with-database.ts';

const quiet = (): void => {};
const aloud = (_details: object, message?: string): void => printMessage(message ?? '');

/** For operations that a command runs for a merchant: by the operator, not by any app. */
export function commandContext({ db, secretKey }: OpenDatabase, merchantId: string): Context {
  return {
    db,
    log: { debug: quiet, info: quiet, warn: aloud, error: aloud },
    requestId: newId(),
    session: { merchantId, authorizedAppId: '', scopes: new Set() },
    merchantId,
    webhook: { outbound: openOutbound({ allowHttp: false, allowPrivate: false }), secretKey },
  };
}
