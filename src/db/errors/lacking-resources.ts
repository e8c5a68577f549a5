import { sqlState } from './sql-state.ts';

/**
 * SQLSTATE codes: class 53 is insufficient resources, such as a full disk; 58030 an I/O error; 25006 read-only. Some
 * hosts make a server read-only when its disk is nearly full, and a former primary is read-only after a failover.
 */
const STATES = /^(53|58030|25006)/;
export const READ_ONLY = '25006';

/** Whether the database could be reached, and lacked the disk, memory or right to write that a statement needs. */
export function lacksResources(error: unknown): boolean {
  return STATES.test(sqlState(error) ?? '');
}
