-- Writes one event for each record and each listening app. The record's sequence number for the app increases by one,
-- unless the same transaction already wrote an event of the record: then that event gets the new state. A transaction
-- is known by its id and its beginning: after a move to another node of a cluster, or a restore on another server,
-- another transaction can have the id that was stored.
-- `channels` are the sales channels of each record as the text of an array; null for records that have none.
-- `details` are the members that bodies of some scopes have beside the data.
-- A record of more than 1 MiB is stored without its longest texts.
-- A statement for each table, and not one with CTEs: on a cluster a CTE that inserts into a distributed table is
-- planned anew and copied through files for each call, so that the change of one record took 15 ms instead of 2.
create or replace function write_webhook_events(
  merchant uuid, hooks webhook[], action text, ids uuid[], datas text[], channels text[],
  details text[] default null)
returns void language plpgsql as $$
declare
  this_transaction xid8 := pg_current_xact_id();
  began_at timestamptz := now();
  app_ids uuid[];
  record_ids uuid[];
  listens integer[];
  event record;
  delivery_ids uuid[] := '{}';
  event_app_ids uuid[] := '{}';
  event_record_ids uuid[] := '{}';
  sequences bigint[] := '{}';
  actions text[] := '{}';
  changes text[];
  left_out text[];
begin
  select array_agg(l.app_id), array_agg(l.record_id), array_agg(l.listens) into app_ids, record_ids, listens
  from (
    select h.authorized_app_id as app_id, r.id as record_id,
      coalesce(bit_or(webhook_action_bit(split_part(h.scope, '/', 3))) filter (
        where h.sales_channel_ids = '{}' or r.channels is null or h.sales_channel_ids && r.channels::uuid[]
      ), 0) as listens
    from unnest(ids, channels) as r(id, channels) cross join unnest(hooks) h
    group by h.authorized_app_id, r.id
  ) l;
  for event in
    insert into webhook_record as known
      (merchant_id, authorized_app_id, record_id, sequence, transaction_id, transaction_began_at, action, listens,
        is_counted, delivery_id)
    select merchant, l.app_id, l.record_id, (l.listens & webhook_action_bit(action) <> 0)::integer, this_transaction,
      began_at, action, l.listens, l.listens & webhook_action_bit(action) <> 0, uuid_v7()
    from unnest(app_ids, record_ids, listens) as l(app_id, record_id, listens)
    -- All transactions write in one order, which prevents deadlocks of bulk updates.
    order by l.record_id, l.app_id
    on conflict (merchant_id, authorized_app_id, record_id) do update set
      sequence = known.sequence + case
        when known.transaction_id <> excluded.transaction_id
          or known.transaction_began_at <> excluded.transaction_began_at then excluded.is_counted
        else not known.is_counted
          and excluded.listens & webhook_action_bit(merge_webhook_actions(known.action, excluded.action)) <> 0
      end::integer,
      is_counted = case
        when known.transaction_id <> excluded.transaction_id
          or known.transaction_began_at <> excluded.transaction_began_at then excluded.is_counted
        else known.is_counted
          or excluded.listens & webhook_action_bit(merge_webhook_actions(known.action, excluded.action)) <> 0
      end,
      -- An event that has a number keeps its action if the app does not listen to the later action.
      action = case
        when known.transaction_id <> excluded.transaction_id
          or known.transaction_began_at <> excluded.transaction_began_at then excluded.action
        when known.is_counted
          and excluded.listens & webhook_action_bit(merge_webhook_actions(known.action, excluded.action)) = 0
          then known.action
        else merge_webhook_actions(known.action, excluded.action)
      end,
      listens = excluded.listens,
      delivery_id = case
        when known.transaction_id <> excluded.transaction_id
          or known.transaction_began_at <> excluded.transaction_began_at then excluded.delivery_id
        else known.delivery_id
      end,
      transaction_id = excluded.transaction_id,
      transaction_began_at = excluded.transaction_began_at
    returning known.authorized_app_id, known.record_id, known.sequence, known.action, known.is_counted,
      known.delivery_id
  loop
    continue when not event.is_counted;
    delivery_ids := delivery_ids || event.delivery_id;
    event_app_ids := event_app_ids || event.authorized_app_id;
    event_record_ids := event_record_ids || event.record_id;
    sequences := sequences || event.sequence;
    actions := actions || event.action;
  end loop;
  if exists (select from unnest(hooks) h where h.include_changes) then
    select array_agg(c.changes order by r.place), array_agg(c.left_out order by r.place) into changes, left_out
    from unnest(ids, datas) with ordinality as r(id, data, place)
    cross join lateral recorded_changes(
      merchant, r.id,
      case
        when action in ('held', 'released') then null
        when split_part(hooks[1].scope, '/', 2) = 'customer' then 'CUSTOMER'
        when split_part(hooks[1].scope, '/', 2) = 'product' then 'PRODUCT'
        else 'PRODUCT_STOCK_LOCATION'
      end,
      1048576 - octet_length(r.data)) c;
  end if;
  insert into webhook_delivery as delivery
    (merchant_id, id, webhook_id, authorized_app_id, scope, endpoint, record_id, sequence, data, details, changes,
      truncated, next_attempt_at)
  -- Materialized, so that a text is shortened once and not for each column that is read from the result.
  with changed as materialized (
    select r.id, r.data, r.details, r.changes, r.left_out,
      case when octet_length(r.data) > 1048576 then shorten_webhook_payload(r.data) end as short
    from unnest(ids, datas, details, changes, left_out) as r(id, data, details, changes, left_out)
  )
  select merchant, e.id, h.id, e.app_id, h.scope, h.endpoint, e.record_id, e.sequence,
    coalesce((c.short).data, c.data),
    case when h.scope in ('store/stock/updated', 'store/stock/released') then c.details::json end,
    case when h.include_changes then c.changes::json end,
    case
      when h.include_changes and c.left_out is not null
        then (coalesce((c.short).truncated::jsonb, '[]') || c.left_out::jsonb)::json
      else (c.short).truncated::json
    end,
    case h.status when 'ACTIVE' then began_at end
  from unnest(delivery_ids, event_app_ids, event_record_ids, sequences, actions)
    as e(id, app_id, record_id, sequence, action)
  join changed c on c.id = e.record_id
  join unnest(hooks) h on h.authorized_app_id = e.app_id
    and webhook_action_bit(split_part(h.scope, '/', 3)) = webhook_action_bit(e.action)
  on conflict (merchant_id, id) do update set
    webhook_id = excluded.webhook_id, scope = excluded.scope, endpoint = excluded.endpoint,
    data = excluded.data, details = excluded.details, changes = excluded.changes, truncated = excluded.truncated,
    next_attempt_at = coalesce(delivery.next_attempt_at, excluded.next_attempt_at);
end $$;
