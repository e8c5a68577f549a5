import { isId } from '../../db/sql/id.ts';

/** Length of the 16 bytes of a UUID in base64url. */
const PREFIX_LENGTH = 22;
const CREDENTIAL = /^[\w-]{22}\.[\w-]{16,64}$/;

/** Adds the merchant to a credential, so that its lookup has the merchant condition. */
export function withMerchantPrefix(merchantId: string, random: string): string {
  const prefix = Buffer.from(merchantId.replaceAll('-', ''), 'hex').toString('base64url');
  return `${prefix}.${random}`;
}

/** The merchant in a credential; null if the credential was not made by this service. */
export function merchantOf(credential: string): string | null {
  if (!CREDENTIAL.test(credential)) return null;
  const hex = Buffer.from(credential.slice(0, PREFIX_LENGTH), 'base64url').toString('hex');
  const merchantId = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  if (!isId(merchantId)) return null;
  // Several texts decode to the same bytes. Only the one that `withMerchantPrefix` makes is valid.
  return withMerchantPrefix(merchantId, credential.slice(PREFIX_LENGTH + 1)) === credential ? merchantId : null;
}
