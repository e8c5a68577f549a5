/** Thrown if the counts of usage cannot be read. The command prints the message without a stack trace. */
export class UsageError extends Error {}
