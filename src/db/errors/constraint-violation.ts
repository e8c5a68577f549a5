import { conflict } from '../../errors.ts';
import { databaseError } from './sql-state.ts';

const UNIQUE_VIOLATION = '23505';

/**
 * Maps a unique violation to CONFLICT. Unique indexes are named `<record>_<member>_key`, from which the message is
 * made.
 */
export function translateConstraint(error: unknown): unknown {
  const violated = databaseError(error);
  if (violated?.code !== UNIQUE_VIOLATION) return error;
  const words = constraintName(violated)?.replace(/_key$/, '').split('_') ?? [];
  const member = words.pop();
  const record = words.join(' ');
  return conflict(
    member && record ? `Another ${record} already has this ${member}.` : 'Another record already has this value.',
  );
}

/**
 * The name of the violated constraint. A cluster may send it in the message only, and with the number of the shard at
 * its end.
 */
function constraintName({ constraint_name: name, message }: { constraint_name?: string; message: string }) {
  return (name ?? /"([^"]+)"/.exec(message)?.[1])?.replace(/_[0-9]+$/, '');
}
