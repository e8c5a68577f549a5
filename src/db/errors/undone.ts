import { sqlState } from './sql-state.ts';

/** A serialization failure, which Citus also reports if a shard was split meanwhile, and a deadlock. */
const SQLSTATES = ['40001', '40P01'];

/** Whether the database has undone a statement or a transaction because of another transaction. */
export function isUndone(error: unknown): boolean {
  return SQLSTATES.includes(sqlState(error) ?? '');
}
