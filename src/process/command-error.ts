/** A command was called wrongly, or lacks something. The message says what to do, and is printed without the stack. */
export class CommandError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'CommandError';
  }
}
