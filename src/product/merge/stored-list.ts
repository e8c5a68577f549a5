/** A list of value objects as it is stored: null for an empty list, undefined for a list that was not sent. */
export function storedList<Sent, Stored>(
  sent: readonly Sent[] | null | undefined,
  store: (entry: Sent) => Stored,
): Stored[] | null | undefined {
  if (sent === undefined) return undefined;
  return sent && sent.length > 0 ? sent.map(store) : null;
}
