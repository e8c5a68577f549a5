import type { Answer } from '../../support/post.ts';
import type { Send } from '../play.ts';

/** What the clients change. Few records, so that they meet. */
export type Shop = {
  products: { id: string; variantIds: string[] }[];
  customerIds: string[];
  priceListId: string;
  channelId: string;
  locationId: string;
};
/** `foreign` sends as the app of another merchant. `sql` changes a product's vendor as docs/running.md says. */
export type Access = { send: Send; foreign: Send; sql(productId: string, vendorId: string): Promise<unknown> };

export function codeOf({ errors }: Answer['body']): string | null {
  return errors ? String(errors[0]!.extensions['code']) : null;
}
