import { CommerceError } from '../errors.ts';

/**
 * Refuses statements that a transaction sends after this time, also in its savepoints, so that no loop holds its locks
 * longer. Statements that were sent before have the statement timeout. (`transaction_timeout` of PostgreSQL 17 would close
 * the connection, which looks like an outage, and older servers do not have it.) Returns a function that throws if the time
 * is over.
 */
export function limitTransaction(transaction: object, maxMs: number): () => void {
  const begunMs = performance.now();
  const refuseLate = (): void => {
    if (performance.now() - begunMs > maxMs) throw new TransactionTooLongError();
  };
  limit(driverOf(transaction), refuseLate);
  return refuseLate;
}

/** The error of a refused statement, which Drizzle wraps; otherwise the error itself. */
export function withoutStatement(error: unknown): unknown {
  return error instanceof Error && error.cause instanceof TransactionTooLongError ? error.cause : error;
}

class TransactionTooLongError extends CommerceError {
  constructor() {
    super('TIMEOUT', 'The request takes too long. Send fewer changes in one request.');
  }
}

/** The driver's object for Drizzle's transaction or savepoint. Drizzle sends all statements by its `unsafe`. */
function driverOf(transaction: object): Driver {
  // The member is missing in its types.
  return (transaction as { readonly session: { readonly client: Driver } }).session.client;
}

type Driver = Record<'unsafe' | 'savepoint', (...args: unknown[]) => unknown>;

function limit(driver: Driver, refuseLate: () => void): void {
  const unsafe = driver.unsafe.bind(driver);
  driver.unsafe = (...args) => {
    refuseLate();
    return unsafe(...args);
  };
  const savepoint = driver.savepoint.bind(driver);
  driver.savepoint = (...args) => {
    const work = args.at(-1) as (inner: Driver) => unknown;
    return savepoint(...args.slice(0, -1), (inner: Driver) => {
      limit(inner, refuseLate);
      return work(inner);
    });
  };
}
