import { sql } from 'drizzle-orm';
import { changeTransaction } from '../../../drizzle/change.ts';
import type { ChangeOrigin } from '../connection/database.ts';
import { newId } from '../sql/id.ts';

/** Who changes records, and by what request or command. */
type Origin = {
  readonly merchantId: string;
  readonly authorizedAppId?: string;
  /** The SDL fields of the mutations in their order, or the command, without arguments. */
  readonly operation: string;
  readonly requestId?: string;
  readonly idempotencyKey?: string;
  readonly revertsChangeSetId?: string;
  readonly actor?: string;
};

/** A new change set, to which the changes of all transactions of one request or command belong. */
export function changeOrigin(origin: Origin): ChangeOrigin {
  const changeSetId = newId();
  return {
    changeSetId,
    begin: async ({ db }) => {
      const id = newId();
      // A trigger sets the transaction's number, which only the node with the merchant's rows knows.
      await db.execute(sql`
        insert into ${changeTransaction}
          (merchant_id, transaction_id, id, change_set_id, authorized_app_id, operation, request_id, idempotency_key,
            reverts_change_set_id, actor)
        values (${origin.merchantId}, '0', ${id}, ${changeSetId}, ${origin.authorizedAppId ?? null},
          ${origin.operation}, ${origin.requestId ?? null}, ${origin.idempotencyKey ?? null},
          ${origin.revertsChangeSetId ?? null}, ${origin.actor ?? null})`);
      return id;
    },
  };
}
