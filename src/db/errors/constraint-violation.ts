import { conflict } from '../../errors.ts';
import { databaseError } from './sql-state.ts';

const UNIQUE_VIOLATION = '23505';

/**
 * A uniqueness that two writers raced for is a CONFLICT. Unique indexes are named
 * `<record>_<member>_key`, so the name says what clashed without showing SQL.
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

/** Without the shard number that Citus appends. */
export function constraintName(error: { constraint_name?: string }): string | undefined {
  return error.constraint_name?.replace(/_[0-9]+$/, '');
}
