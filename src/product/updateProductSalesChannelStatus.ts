import { type SQL, sql } from 'drizzle-orm';
import { type AnyPgColumn, alias } from 'drizzle-orm/pg-core';
import { product } from '../../drizzle/product.ts';
import type { Context } from '../context.ts';
import { pipelineStep, pipeline } from '../db/connection/pipeline.ts';
import { inTransaction } from '../db/connection/transaction.ts';
import { listElements } from '../db/read/stored-list.ts';
import { idArray, ownedBy, textArray } from '../db/sql/parameter.ts';
import { referenceCheck } from '../db/write/record-types.ts';
import { changeMarks } from '../db/write/touch.ts';
import { invalidAt } from '../errors.ts';
import { parseInput } from '../field-input.ts';
import type { MutationUpdateProductSalesChannelStatusArgs } from '../graphql/generated/types.ts';
import { ownSalesChannelId } from '../sales-channel/getSalesChannel.ts';
import { updateProductSalesChannelStatusInputList } from './generated/product-input.ts';
import { lockProducts } from './stored/product-lock.ts';

export async function updateProductSalesChannelStatus(
  ctx: Context,
  args: MutationUpdateProductSalesChannelStatusArgs,
): Promise<boolean> {
  const input = parseInput(updateProductSalesChannelStatusInputList, args.input);
  return await inTransaction(ctx, async (ctx) => {
    const salesChannelId = args.salesChannelId ?? (await requiredOwnSalesChannelId(ctx));
    const check = referenceCheck(ctx, [
      { type: 'SalesChannel', ids: [{ id: salesChannelId, path: ['salesChannelId'] }] },
    ]);
    const productIds = input.map(({ productId }) => productId);
    await pipeline(ctx, [...check, lockProducts(ctx, productIds, (index) => ['input', index, 'productId'])]);
    const idsOf = (isActive: boolean) =>
      input.filter(({ active }) => active === isActive).map(({ productId }) => productId);
    await pipeline(
      ctx,
      [true, false].map((isActive) => pipelineStep(setStatus(ctx, idsOf(isActive), salesChannelId, isActive))),
    );
    return true;
  });
}

async function requiredOwnSalesChannelId(ctx: Context): Promise<string> {
  const id = await ownSalesChannelId(ctx);
  if (id !== null) return id;
  throw invalidAt(['salesChannelId'], 'must be given, because the app has no sales channel of its own');
}

/**
 * The channel is in one of the two lists, and the product's settings of the channel, if any, get the same status. A
 * channel that is PASSIVE and made inactive stays so: in `hiddenSalesChannelIds` it would be offered. In SQL, because a
 * product can have 10 MB of settings, and a request 1,000 products.
 */
function setStatus(ctx: Context, productIds: string[], salesChannelId: string, isActive: boolean): SQL {
  const stored = alias(product, 'stored');
  const isPassive = sql`exists (
    select from ${listElements(stored.salesChannels)} as listed(setting)
    where setting ->> 'id' = ${salesChannelId} and setting ->> 'status' = 'PASSIVE')`;
  const [shown, hidden] = [stored.salesChannelIds, stored.hiddenSalesChannelIds];
  const [newShown, newHidden] = isActive
    ? [withId(shown, salesChannelId), withoutId(hidden, salesChannelId)]
    : [
        withoutId(shown, salesChannelId),
        sql`case when ${isPassive} then ${hidden} else ${withId(hidden, salesChannelId)} end`,
      ];
  return sql`
    update ${product}
    set sales_channel_ids = changed.shown, hidden_sales_channel_ids = changed.hidden, sales_channels = changed.settings,
      ${changeMarks(product)}
    from (
      select ${stored.id} as id, ${newShown} as shown, ${newHidden} as hidden,
        ${settings(stored.salesChannels, salesChannelId, isActive)} as settings
      from ${product} as stored
      where ${ownedBy(ctx, stored)} and ${stored.id} = any(${idArray(productIds)})
    ) as changed
    where ${ownedBy(ctx, product)} and ${product.id} = changed.id
      and (${product.salesChannelIds}, ${product.hiddenSalesChannelIds}, ${product.salesChannels}::text)
        is distinct from (changed.shown, changed.hidden, changed.settings::text)`;
}

function withId(ids: AnyPgColumn, id: string): SQL {
  return sql`case when ${id}::uuid = any(${ids}) then ${ids} else array_append(${ids}, ${id}::uuid) end`;
}

function withoutId(ids: AnyPgColumn, id: string): SQL {
  return sql`array_remove(${ids}, ${id}::uuid)`;
}

/**
 * The settings with the channel's new status, in the text that a save stores. If the channel has the status already, the
 * text does not change.
 */
function settings(list: AnyPgColumn, salesChannelId: string, isActive: boolean): SQL {
  const kept = isActive ? ['VISIBLE'] : ['HIDDEN', 'PASSIVE'];
  const isChanged = sql`setting ->> 'id' = ${salesChannelId}
    and coalesce(setting ->> 'status', '') <> all(${textArray(kept)})`;
  const changed = sql`'{"id":' || (setting -> 'id')::text || ',"status":' || ${JSON.stringify(kept[0])} || coalesce((
    select string_agg(',' || to_json(key)::text || ':' || value::text, '' order by place)
    from json_each(setting) with ordinality as member(key, value, place) where key not in ('id', 'status')
  ), '') || '}'`;
  return sql`coalesce((
    select ('[' || string_agg(case when ${isChanged} then ${changed} else setting::text end, ',' order by place)
      || ']')::json
    from ${listElements(list)} with ordinality as listed(setting, place)
    having bool_or(${isChanged})
  ), ${list})`;
}
