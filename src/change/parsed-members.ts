/** A number of a JSON text, with all its digits. */
declare global {
  interface JSON {
    rawJSON(text: string): object;
  }
}

export type Members = Record<string, unknown>;

/** Parses JSON without rounding its numbers: they are written again as they were. */
export function parseExactly(text: string): Members {
  return JSON.parse(text, ((_name: string, value: unknown, context?: { source?: string }) =>
    typeof value === 'number' ? JSON.rawJSON(context!.source!) : value) as never) as Members;
}
