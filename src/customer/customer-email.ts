import { invalidAt } from '../errors.ts';
import { isEmailAddress } from '../values/email-address.ts';
import { normalizedName } from '../values/text.ts';

/**
 * The address as it is stored: trimmed and in Unicode form NFC, its case kept; null for an empty one, as forms send
 * it. An address that is stored already stays as it is, because rows written by plain SQL may have any text.
 */
export function storedEmail(
  sent: string | null | undefined,
  stored: string | null | undefined,
): string | null | undefined {
  if (typeof sent !== 'string' || sent === stored) return sent;
  const address = normalizedName(sent);
  if (address === '') return null;
  if (isEmailAddress(address)) return address;
  throw invalidAt(['input', 'email'], 'must be an e-mail address');
}
