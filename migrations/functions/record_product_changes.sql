-- Records changes of products. The events are written at the end of the transaction, because one save is many
-- statements and a product's document is large. `channels_left` are the sales channels that each product left, as the
-- text of an array; null for a product that left none.
-- Sequential scans are off; `begin_stock_movements` says why.
create or replace function record_product_changes(
  merchant uuid, hooks webhook[], action text, product_ids uuid[], channels_left text[] default null)
returns void language plpgsql set enable_seqscan = off as $$
declare
  this_transaction xid8 := pg_current_xact_id();
  is_first boolean := not exists (
    select from webhook_change c where c.merchant_id = merchant and c.transaction_id = this_transaction);
begin
  insert into webhook_change as known (merchant_id, transaction_id, product_id, actions, channels_left, is_first)
  select merchant, this_transaction, p.id, array[action], coalesce(p.channels_left::uuid[], '{}'),
    is_first and p.place = 1
  from unnest(product_ids, channels_left) with ordinality as p(id, channels_left, place)
  on conflict (merchant_id, transaction_id, product_id) do update set
    actions = case
      when merge_webhook_actions(known.actions[cardinality(known.actions)], excluded.actions[1])
        = known.actions[cardinality(known.actions)] then known.actions
      else known.actions || excluded.actions
    end,
    channels_left = known.channels_left || excluded.channels_left
  where excluded.channels_left <> '{}'
    or merge_webhook_actions(known.actions[cardinality(known.actions)], excluded.actions[1])
      <> known.actions[cardinality(known.actions)];
end $$;
