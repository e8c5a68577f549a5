const NOT_FOUND_CODES = ['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND'];

/** A package of `optionalDependencies` is needed and not installed, as after `npm ci --omit=optional`. */
export class MissingPackageError extends Error {
  override readonly name = 'MissingPackageError';

  constructor(what: string, otherwise = '') {
    super(`${what} is not installed. Run npm ci without --omit=optional${otherwise}.`);
  }
}

/** Whether an import failed because its package is not there. */
export function isMissingPackage(error: unknown): boolean {
  return error instanceof Error && 'code' in error && NOT_FOUND_CODES.includes(String(error.code));
}
