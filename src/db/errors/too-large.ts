import { sqlState } from './sql-state.ts';

const PROGRAM_LIMIT_EXCEEDED = '54000';

/** Whether a statement failed because it would make a value that is larger than PostgreSQL or `refuse_large_list` allows. */
export function isTooLarge(error: unknown): boolean {
  return sqlState(error) === PROGRAM_LIMIT_EXCEEDED;
}
