import type postgres from 'postgres';
import type { Span } from '../../tracing/span.ts';
import { TRACEPARENT_SETTING } from '../../../drizzle/webhook.ts';
import { sqlState } from '../errors/database-error.ts';

const FIRST_WORD = /^\s*([a-z]+)/i;

/** Begins the span of a statement and returns the function that ends it. The text has placeholders for all values. */
export function startStatement(parent: Span, text: string): (error?: unknown) => void {
  const operation = FIRST_WORD.exec(text)?.[1]?.toUpperCase() ?? 'STATEMENT';
  const span = parent.start(operation, 'client', {
    'db.system.name': 'postgresql',
    'db.operation.name': operation,
    'db.query.text': text,
  });
  return (error) => span.end({ error: error === undefined ? null : (sqlState(error) ?? 'failed') });
}

/** Traces the statements of a transaction and its savepoints. */
export function traceTransaction(transaction: postgres.TransactionSql, parent: Span): postgres.TransactionSql {
  const unsafe = transaction.unsafe.bind(transaction);
  transaction.unsafe = ((...args: Parameters<typeof unsafe>) => {
    const end = startStatement(parent, args[0]);
    const query = unsafe(...args);
    query.then(() => end(), end);
    return query;
  }) as typeof transaction.unsafe;
  const savepoint = transaction.savepoint.bind(transaction) as unknown as Savepoint;
  (transaction as unknown as { savepoint: Savepoint }).savepoint = async (...args) => {
    const work = args.at(-1) as Work;
    return await savepoint(...args.slice(0, -1), async (inner: postgres.TransactionSql) =>
      work(traceTransaction(inner, parent)),
    );
  };
  return transaction;
}

/**
 * Lets deliveries of webhooks that the transaction causes name the traced request. Not by a query: after one, the
 * transaction could not set its isolation level.
 *
 * On a cluster only the setting that names the trace is sent on to the workers. If the isolation level were sent too,
 * it would arrive after the first query of the worker's transaction, and Postgres would refuse it. Plain PostgreSQL
 * ignores Citus' setting.
 */
export function nameTrace(transaction: postgres.TransactionSql, span: Span): void {
  for (const setting of [
    "citus.propagate_set_commands = 'local'",
    `${TRACEPARENT_SETTING} = '${span.traceparent}'`,
    "citus.propagate_set_commands = 'none'",
  ])
    // Sent together with the first statement of the transaction, which fails for the same reason.
    transaction.unsafe(`set local ${setting}`).catch(() => undefined);
}

type Work = (transaction: postgres.TransactionSql) => unknown;
type Savepoint = (...args: unknown[]) => Promise<unknown>;
