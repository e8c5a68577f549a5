/** Whether one of the texts contains the filter. Case does not matter. */
export function matchesFilter(filter: string, texts: readonly (string | null)[]): boolean {
  const wanted = filter.trim().toLowerCase();
  return wanted === '' || texts.some((text) => text?.toLowerCase().includes(wanted));
}
