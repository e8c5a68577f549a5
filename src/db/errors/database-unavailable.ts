import { isConnectionLost } from './connection-lost.ts';
import { lacksResources } from './lacking-resources.ts';

/** Whether the cause is the database as a whole, so that any statement may fail, and a retry may succeed. */
export function isDatabaseUnavailable(error: unknown): boolean {
  return isConnectionLost(error) || lacksResources(error);
}
