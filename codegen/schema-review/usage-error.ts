/** Thrown if the usage cannot be read. It is reported without its stack. */
export class UsageError extends Error {}
