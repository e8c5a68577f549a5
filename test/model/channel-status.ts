import { hasTwins, withProduct } from './product.ts';
import { byId, canRefer, refusedWith, type State, type Verdict } from './state.ts';

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
        const added = active ? 'salesChannelIds' : 'hiddenSalesChannelIds';
        const removed = active ? 'hiddenSalesChannelIds' : 'salesChannelIds';
        const changed = {
          ...stored,
          [added]: stored[added].includes(channelId) ? stored[added] : [...stored[added], channelId],
          [removed]: stored[removed].filter((id) => id !== channelId),
        };
        return withProduct(after, changed, stored);
      }, state),
  };
}
