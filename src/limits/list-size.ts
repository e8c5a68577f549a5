/** Maximum entries of a list in an input without `@listSize` in the SDL. A record with more could not be sent back as read. */
export const DEFAULT_LIST_SIZE = 1_000;
