/**
 * Thrown if a command cannot do its work as it was called. The message says what to do; it is printed without the
 * stack.
 */
export class CommandError extends Error {
  override readonly name: string = 'CommandError';
}
