/** The selection of fields that have no fields themselves, from their names with spaces between them. */
export function selectFields(names: string): Record<string, Record<string, never>> {
  return Object.fromEntries(names.split(' ').map((name) => [name, {}]));
}
