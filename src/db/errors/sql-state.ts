type DatabaseError = { code: string; message: string; constraint_name?: string };

export function sqlState(error: unknown): string | undefined {
  return databaseError(error)?.code;
}

/** Drizzle wraps the driver's error as `cause`. */
export function databaseError(error: unknown): DatabaseError | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  if ('code' in error && typeof error.code === 'string' && /^[0-9A-Z]{5}$/.test(error.code))
    return error as DatabaseError;
  return 'cause' in error ? databaseError(error.cause) : undefined;
}
