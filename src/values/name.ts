/** Names are stored in Unicode form NFC and trimmed, so that names that look the same are equal. */
export function normalizedName(text: string): string {
  return text.normalize('NFC').trim();
}
