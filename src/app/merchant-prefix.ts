import { isId } from '../db/sql/id.ts';

/** A UUID's 16 bytes in base64url are 22 characters. */
const PREFIX_LENGTH = 22;
const CREDENTIAL = /^[\w-]{22}\.[\w-]{16,64}$/;

/** A credential that says whose it is, so that it is looked up among that merchant's rows only. */
export function withMerchantPrefix(merchantId: string, random: string): string {
  const prefix = Buffer.from(merchantId.replaceAll('-', ''), 'hex').toString('base64url');
  return `${prefix}.${random}`;
}

/** The merchant a credential begins with, or null when it was not made here. */
export function merchantOf(credential: string): string | null {
  if (!CREDENTIAL.test(credential)) return null;
  const hex = Buffer.from(credential.slice(0, PREFIX_LENGTH), 'base64url').toString('hex');
  const merchantId = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  if (!isId(merchantId)) return null;
  // Several texts decode to the same bytes; only the one that is made counts.
  return withMerchantPrefix(merchantId, credential.slice(PREFIX_LENGTH + 1)) === credential ? merchantId : null;
}
