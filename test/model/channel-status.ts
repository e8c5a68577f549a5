import { hasTwins, withProduct } from './product.ts';
import { byId, shown, type State, unknownIn, unless, type Verdict, withRecord } from './state.ts';

type Entry = { productId: string; active: boolean };

export function setActive(state: State, channelId: string, entries: readonly Entry[]): Verdict {
  const ids = entries.map(({ productId }) => productId);
  const refusals = [
    unknownIn(shown(state.named.channel), [channelId]),
    unknownIn(shown(state.products), ids),
    hasTwins(ids) && ('ARGUMENT_VALIDATION_ERROR' as const),
  ];
  return unless(refusals, () =>
    entries.reduce((after, { productId, active }) => {
      const stored = byId(after.products, productId)!;
      const settings = byId(stored.salesChannels, channelId);
      const isKeptPassive = !active && settings?.status === 'PASSIVE';
      const without = (ids: readonly string[]) => ids.filter((id) => id !== channelId);
      const withId = (ids: readonly string[]) => (ids.includes(channelId) ? [...ids] : [...ids, channelId]);
      const status = active ? 'VISIBLE' : 'HIDDEN';
      const changed = {
        ...stored,
        salesChannelIds: (active ? withId : without)(stored.salesChannelIds),
        ...(!isKeptPassive && {
          hiddenSalesChannelIds: (active ? without : withId)(stored.hiddenSalesChannelIds),
          salesChannels: settings ? withRecord(stored.salesChannels, { ...settings, status }) : stored.salesChannels,
        }),
      };
      return withProduct(after, changed, stored);
    }, state),
  );
}
