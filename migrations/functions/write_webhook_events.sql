-- Writes one event for each record and each listening app. The record's sequence number for the app increases by one,
-- unless the same transaction already wrote an event of the record: then that event gets the new state. A transaction is
-- known by its id and its beginning: after a move to another node of a cluster, or a restore on another server, another
-- transaction can have the id that was stored.
-- `channels` are the sales channels of each record as the text of an array; null for records that have none.
-- A record of more than 1 MiB is stored without its longest texts.
create or replace function write_webhook_events(merchant uuid, hooks webhook[], action text, ids uuid[], datas text[], channels text[]) returns void
language plpgsql as $$
declare
  this_transaction xid8 := pg_current_xact_id();
  began_at timestamptz := now();
begin
  with changed as (
    select r.id, r.data, r.channels::uuid[] as channels, case when octet_length(r.data) > 1048576 then shorten_webhook_payload(r.data) end as short
    from unnest(ids, datas, channels) as r(id, data, channels)
  ), hook as (
    select h.id, h.authorized_app_id, h.scope, h.endpoint, h.status, h.sales_channel_ids,
      webhook_action_bit(split_part(h.scope, '/', 3)) as bit
    from unnest(hooks) h
  ), listening as (
    select h.authorized_app_id, c.id as record_id,
      coalesce(sum(h.bit) filter (where h.sales_channel_ids = '{}' or c.channels is null or h.sales_channel_ids && c.channels), 0)::integer as listens
    from changed c cross join hook h
    group by h.authorized_app_id, c.id
  ), counted as (
    insert into webhook_record as known
      (merchant_id, authorized_app_id, record_id, sequence, transaction_id, transaction_began_at, action, listens, is_counted, delivery_id)
    select merchant, l.authorized_app_id, l.record_id, (l.listens & webhook_action_bit(action) <> 0)::integer, this_transaction,
      began_at, action, l.listens, l.listens & webhook_action_bit(action) <> 0, uuid_v7()
    from listening l
    -- All transactions write in one order, which prevents deadlocks of bulk updates.
    order by l.record_id, l.authorized_app_id
    on conflict (merchant_id, authorized_app_id, record_id) do update set
      sequence = known.sequence + case
        when known.transaction_id <> excluded.transaction_id or known.transaction_began_at <> excluded.transaction_began_at then excluded.is_counted
        else not known.is_counted and excluded.listens & webhook_action_bit(merge_webhook_actions(known.action, excluded.action)) <> 0
      end::integer,
      is_counted = case
        when known.transaction_id <> excluded.transaction_id or known.transaction_began_at <> excluded.transaction_began_at then excluded.is_counted
        else known.is_counted or excluded.listens & webhook_action_bit(merge_webhook_actions(known.action, excluded.action)) <> 0
      end,
      -- An event that has a number keeps its action if the app does not listen to the later action.
      action = case
        when known.transaction_id <> excluded.transaction_id or known.transaction_began_at <> excluded.transaction_began_at then excluded.action
        when known.is_counted and excluded.listens & webhook_action_bit(merge_webhook_actions(known.action, excluded.action)) = 0 then known.action
        else merge_webhook_actions(known.action, excluded.action)
      end,
      listens = excluded.listens,
      delivery_id = case when known.transaction_id <> excluded.transaction_id or known.transaction_began_at <> excluded.transaction_began_at then excluded.delivery_id else known.delivery_id end,
      transaction_id = excluded.transaction_id,
      transaction_began_at = excluded.transaction_began_at
    returning known.authorized_app_id, known.record_id, known.sequence, known.action, known.is_counted, known.delivery_id
  )
  insert into webhook_delivery as delivery
    (merchant_id, id, webhook_id, authorized_app_id, scope, endpoint, record_id, sequence, data, truncated, next_attempt_at)
  select merchant, k.delivery_id, h.id, k.authorized_app_id, h.scope, h.endpoint, k.record_id, k.sequence,
    coalesce((c.short).data, c.data), (c.short).truncated::json, case h.status when 'ACTIVE' then now() end
  from counted k
  join changed c on c.id = k.record_id
  join hook h on h.authorized_app_id = k.authorized_app_id and h.bit = webhook_action_bit(k.action)
  where k.is_counted
  on conflict (merchant_id, id) do update set
    webhook_id = excluded.webhook_id, scope = excluded.scope, endpoint = excluded.endpoint, data = excluded.data, truncated = excluded.truncated;
end $$;
