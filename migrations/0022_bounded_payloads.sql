set local citus.multi_shard_modify_mode = 'sequential';--> statement-breakpoint
set local citus.enable_unsafe_triggers = on;--> statement-breakpoint
ALTER TABLE "webhook_delivery" ADD COLUMN "truncated" json;--> statement-breakpoint
create type webhook_payload as (data text, truncated text);--> statement-breakpoint
-- A document without the texts of which the paths are members of `left_out`. The paths of the objects and lists around
-- them are members too, with a final dot: everything else is taken over as it is.
create function without_texts(node jsonb, prefix text, left_out jsonb) returns jsonb language plpgsql immutable parallel safe as $$
begin
  if jsonb_typeof(node) = 'array' then
    return (
      select coalesce(jsonb_agg(
        case when left_out ? (prefix || e.place || '.') then without_texts(e.value, prefix || e.place || '.', left_out) else e.value end order by e.place), '[]')
      from (select t.value, t.place - 1 as place from jsonb_array_elements(node) with ordinality as t(value, place)) e
      where not left_out ? (prefix || e.place));
  end if;
  return (
    select coalesce(jsonb_object_agg(
      m.key, case when left_out ? (prefix || m.key || '.') then without_texts(m.value, prefix || m.key || '.', left_out) else m.value end), '{}')
    from jsonb_each(node) m
    where not left_out ? (prefix || m.key));
end $$;--> statement-breakpoint
-- Leaves out the longest texts of a record until it has at most 1 MiB; of texts of one length, the first paths. Texts of
-- less than 256 bytes stay, so that no id is left out: a record of many small parts may stay larger.
create function shorten_webhook_payload(document text) returns webhook_payload language plpgsql immutable parallel safe as $$
declare
  bytes_max constant integer := 1048576;
  text_bytes_min constant integer := 256;
  node jsonb := document::jsonb;
  excess bigint := octet_length(node::text) - bytes_max;
  paths text[];
  left_out jsonb;
begin
  with recursive part(path, value) as (
    select '', node
    union all
    select p.path || m.key || case when jsonb_typeof(m.value) = 'string' then '' else '.' end, m.value
    from part p, lateral (
      select e.key, e.value from jsonb_each(case jsonb_typeof(p.value) when 'object' then p.value else '{}' end) e
      union all
      select (e.place - 1)::text, e.value
      from jsonb_array_elements(case jsonb_typeof(p.value) when 'array' then p.value else '[]' end) with ordinality as e(value, place)
    ) m
    where jsonb_typeof(m.value) in ('object', 'array', 'string') and pg_column_size(m.value) >= text_bytes_min
  ), long_text as (
    select p.path, octet_length(p.value::text) as bytes from part p where jsonb_typeof(p.value) = 'string'
  ), ranked as (
    select t.path, sum(t.bytes) over (order by t.bytes desc, t.path collate "C" rows unbounded preceding) - t.bytes as bytes_before
    from long_text t where t.bytes >= text_bytes_min
  )
  select array_agg(r.path order by r.path collate "C") into paths from ranked r where r.bytes_before < excess;
  if paths is null then
    return (document, null)::webhook_payload;
  end if;
  select jsonb_object_agg(t.path, 1) into left_out
  from (
    select path from unnest(paths) path
    union
    select array_to_string((string_to_array(path, '.'))[1:depth], '.') || '.'
    from unnest(paths) path, generate_series(1, cardinality(string_to_array(path, '.')) - 1) depth
  ) t;
  return (without_texts(node, '', left_out)::text, to_json(paths)::text)::webhook_payload;
end $$;--> statement-breakpoint
-- Writes one event for each record and each app that listens: the record's number goes up by one for the
-- app, unless the same transaction has told it of the record already; then that event takes the new state.
-- `channels` are the sales channels that each record is in, as the text of an array; null: it belongs to none. A record of
-- more than 1 MiB is stored without its longest texts.
create or replace function record_webhook_events(merchant uuid, hooks webhook[], action text, ids uuid[], datas text[], channels text[]) returns void
language plpgsql as $$
declare
  this_transaction xid8 := pg_current_xact_id();
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
      (merchant_id, authorized_app_id, record_id, sequence, transaction_id, action, listens, is_counted, delivery_id)
    select merchant, l.authorized_app_id, l.record_id, (l.listens & webhook_action_bit(action) <> 0)::integer, this_transaction,
      action, l.listens, l.listens & webhook_action_bit(action) <> 0, uuid_v7()
    from listening l
    -- One order for all, so that two bulk updates wait for each other instead of locking up.
    order by l.record_id, l.authorized_app_id
    on conflict (merchant_id, authorized_app_id, record_id) do update set
      sequence = known.sequence + case
        when known.transaction_id <> excluded.transaction_id then excluded.is_counted
        else not known.is_counted and excluded.listens & webhook_action_bit(merge_webhook_actions(known.action, excluded.action)) <> 0
      end::integer,
      is_counted = case
        when known.transaction_id <> excluded.transaction_id then excluded.is_counted
        else known.is_counted or excluded.listens & webhook_action_bit(merge_webhook_actions(known.action, excluded.action)) <> 0
      end,
      -- An event that was counted keeps its kind where the app does not listen to the later one.
      action = case
        when known.transaction_id <> excluded.transaction_id then excluded.action
        when known.is_counted and excluded.listens & webhook_action_bit(merge_webhook_actions(known.action, excluded.action)) = 0 then known.action
        else merge_webhook_actions(known.action, excluded.action)
      end,
      listens = excluded.listens,
      delivery_id = case when known.transaction_id <> excluded.transaction_id then excluded.delivery_id else known.delivery_id end,
      transaction_id = excluded.transaction_id
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
end $$;--> statement-breakpoint
-- Writes the events of the products of a transaction, each as the product stands at its end. A product may have megabytes,
-- and a transaction a thousand of them: as many are put together as fit into memory.
create or replace function webhook_changes_ended() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  products_at_once constant integer := 250;
  bytes_at_once constant integer := 16777216;
  merchant uuid := new.merchant_id;
  hooks webhook[] := product_hooks(new.merchant_id);
  changes webhook_change[];
  products product[];
  first integer;
  told record;
  action text;
  ids uuid[];
  datas text[];
  channels text[];
  bytes bigint;
begin
  with ended as (
    delete from webhook_change c where c.merchant_id = merchant and c.transaction_id = new.transaction_id returning c
  )
  select array_agg(e.c order by (e.c).product_id) into changes from ended e;
  -- A part of a product may be changed without it. Held to the end of the transaction, the product makes the
  -- events of its parts' changes follow each other, each with the state that the one before left behind.
  perform from product p
  where p.merchant_id = merchant and p.id = any(array(select c.product_id from unnest(changes) c)) order by p.id for no key update;
  for first in select generate_series(1, cardinality(changes), products_at_once) loop
    products := array(
      select p from product p
      where p.merchant_id = merchant
        and p.id = any(array(select c.product_id from unnest(changes[first : first + products_at_once - 1]) c)));
    ids := '{}';
    for told in
      select a.action, e.id, e.data, (e.channels || c.channels_left)::text as channels
      from product_events(merchant, products) e
      join unnest(changes[first : first + products_at_once - 1]) c on c.product_id = e.id
      cross join unnest(c.actions) with ordinality as a(action, place)
      order by a.place, a.action, e.id
    loop
      if ids <> '{}' and (told.action <> action or bytes > bytes_at_once) then
        perform record_webhook_events(merchant, hooks, action, ids, datas, channels);
        ids := '{}';
      end if;
      if ids = '{}' then
        action := told.action;
        datas := '{}';
        channels := '{}';
        bytes := 0;
      end if;
      ids := ids || told.id;
      datas := datas || told.data;
      channels := channels || told.channels;
      bytes := bytes + octet_length(told.data);
    end loop;
    if ids <> '{}' then
      perform record_webhook_events(merchant, hooks, action, ids, datas, channels);
    end if;
  end loop;
  return null;
end $$;
