import type { Context } from '../context.ts';
import type { Database } from '../db/connect.ts';
import { newId } from '../db/id.ts';
import { say } from './output.ts';

const quiet = (): void => {};
const aloud = (_details: object, message?: string): void => say(message ?? '');

/** For operations that a command runs for a merchant: by the operator, not by any app. */
export function commandContext(db: Database, merchantId: string): Context {
  return {
    db,
    log: { debug: quiet, info: quiet, warn: aloud, error: aloud },
    requestId: newId(),
    session: { merchantId, authorizedAppId: '', scopes: new Set() },
    merchantId,
  };
}
