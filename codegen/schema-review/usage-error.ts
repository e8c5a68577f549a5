/** A usage that cannot be read. The message is enough. */
export class UsageError extends Error {}
