import fc from 'fast-check';
import { orNull, slot, text } from './choices.ts';
import { definition, type Request } from './command.ts';
import { TIMES } from './hold.ts';
import { idAt, place, placeAt } from './inputs.ts';
import { withProduct } from './product.ts';
import { byId, changedIn, idsOf, type Place, shown, type State, type StockCount } from './state.ts';
import { countAt, withCount, withoutCount } from './stock.ts';

/** What another client changes by plain SQL; `:merchant` is the id of the merchant. */
export const SQL_COMMANDS = {
  sqlCount: definition({
    weight: 2,
    choices: fc.record({ place, stockCount: fc.constantFrom(0, 3, 12) }),
    request: (state, { place, stockCount }) => {
      const [chosen] = placesOf(state, placeAt(state, place));
      const after = chosen ? withCount(state, chosen, stockCount) : state;
      return sql(
        `update product_stock_location set stock_count = ${stockCount}, deleted = false`,
        placeAt(state, place),
        after,
      );
    },
  }),
  sqlCounts: definition({
    weight: 1,
    choices: fc.record({ place, more: fc.constantFrom(1, -2.5) }),
    request: (state, { place, more }) => {
      const { stockLocationId } = placeAt(state, place);
      const counts = shown(state.stocks).filter((one) => one.stockLocationId === stockLocationId);
      const after = counts.reduce((last, one) => withCount(last, one, countAt(state, one) + more), state);
      const text = `update product_stock_location set stock_count = stock_count + ${more}`;
      return sql(text, { stockLocationId, deleted: 'false' }, after);
    },
  }),
  sqlRemoval: definition({
    weight: 3,
    choices: place,
    request: (state, chosen) => {
      const at = placeAt(state, chosen);
      // The model does not know what a revert does with the row of a hidden count that is gone.
      const isShown = shown(placesOf(state, at)).length > 0;
      const after = isShown ? withoutCount(state, at) : state;
      return sql('delete from product_stock_location', { ...at, deleted: 'false' }, after);
    },
  }),
  sqlEndOfHold: definition({
    weight: 3,
    choices: slot,
    request: (state, chosen) => {
      const id = idAt(state.holds, chosen);
      const active = state.holds.filter((one) => one.id === id && one.status === 'ACTIVE');
      const holds = changedIn(state.holds, idsOf(active), { expiresAt: TIMES.past });
      const text = `update stock_hold set expires_at = to_timestamp(${TIMES.past} / 1000.0)`;
      return sql(text, { id, status: 'ACTIVE' }, { ...state, holds });
    },
  }),
  sqlLocation: definition({
    weight: 1,
    choices: fc.record({ slot, deleted: fc.boolean() }),
    request: (state, { slot, deleted }) => {
      const id = idAt(state.named.location, slot);
      const location = changedIn(state.named.location, [id], { deleted });
      const after = { ...state, named: { ...state.named, location } };
      return sql(`update stock_location set deleted = ${deleted}`, { id }, after);
    },
  }),
  sqlProduct: definition({
    weight: 2,
    choices: fc.record({ slot, vendorId: orNull(text), deleted: fc.boolean() }),
    request: (state, { slot, ...members }) => {
      const id = idAt(state.products, slot);
      const stored = byId(state.products, id);
      const after = stored ? withProduct(state, { ...stored, ...members }, stored) : state;
      const vendor = members.vendorId === null ? 'null' : `'${members.vendorId}'`;
      // As docs/running.md tells to: with the version and the time, where something differs.
      const text = `update product set vendor_id = ${vendor}, deleted = ${members.deleted}, updated_at = now(),
        version = version + 1`;
      const isDifferent = `(vendor_id is distinct from ${vendor} or deleted <> ${members.deleted})`;
      return sql(text, { id }, after, isDifferent);
    },
  }),
} as const;

function sql(
  text: string,
  where: Partial<Place & Record<'id' | 'status' | 'deleted', string>>,
  after: State,
  ...others: string[]
): Request {
  const conditions = Object.entries(where).map(([member, value]) => `${columnOf(member)} = '${value}'`);
  const whole = `${text} where ${[`merchant_id = ':merchant'`, ...conditions, ...others].join(' and ')}`;
  return { operation: 'sql', variables: { text: whole }, verdict: { settle: () => after } };
}

function placesOf({ stocks }: State, place: Place): StockCount[] {
  return stocks.filter((one) => place.variantId === one.variantId && place.stockLocationId === one.stockLocationId);
}

function columnOf(member: string): string {
  return member.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
