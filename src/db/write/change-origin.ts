import { getTableName } from 'drizzle-orm';
import { changeTransaction } from '../../../drizzle/change.ts';
import type { ChangeOrigin } from '../connection/database.ts';
import { CompiledStatement } from '../sql/compiled-statement.ts';
import { newId } from '../sql/id.ts';

/** Who changes records, and by what request or command. */
type Origin = {
  readonly merchantId: string;
  /** Given if earlier transactions belong to the change set already. */
  readonly changeSetId?: string;
  readonly authorizedAppId?: string;
  /** The SDL fields of the mutations in their order, or the command, without arguments. */
  readonly operation: string;
  readonly requestId?: string;
  readonly idempotencyKey?: string;
  readonly revertsChangeSetId?: string;
  readonly actor?: string;
};

const BEGIN = `insert into ${getTableName(changeTransaction)}
  (merchant_id, transaction_id, id, change_set_id, authorized_app_id, operation, request_id, idempotency_key,
    reverts_change_set_id, actor)
  values ($1, '0', $2, $3, $4, $5, $6, $7, $8, $9)`;

/**
 * A new change set, to which the changes of all transactions of one request or command belong. A trigger sets the
 * transaction's number, which only the node with the merchant's rows knows.
 */
export function changeOrigin(origin: Origin): ChangeOrigin {
  const changeSetId = origin.changeSetId ?? newId();
  return {
    ...origin,
    changeSetId,
    begin: ({ db }) => {
      const id = newId();
      const values = [
        origin.merchantId,
        id,
        changeSetId,
        origin.authorizedAppId ?? null,
        origin.operation,
        origin.requestId ?? null,
        origin.idempotencyKey ?? null,
        origin.revertsChangeSetId ?? null,
        origin.actor ?? null,
      ];
      return { id, sent: Promise.resolve(db.execute(new CompiledStatement(BEGIN, values))) };
    },
  };
}
