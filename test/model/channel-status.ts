import { hasTwins, withProduct } from './product.ts';
import { byId, canRefer, refusedWith, type State, type Verdict, withRecord } from './state.ts';

export function setActive(
  state: State,
  channelId: string,
  entries: readonly { productId: string; active: boolean }[],
): Verdict {
  const refused = refusedWith(
    !canRefer(state, 'channel', [channelId], []) && 'NOT_FOUND',
    entries.some(({ productId }) => byId(state.products, productId)?.deleted !== false) && 'NOT_FOUND',
    hasTwins(entries.map(({ productId }) => productId)) && 'ARGUMENT_VALIDATION_ERROR',
  );
  if (refused) return refused;
  return {
    settle: () =>
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
  };
}
