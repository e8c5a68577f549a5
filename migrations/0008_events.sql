set local citus.multi_shard_modify_mode = 'sequential';--> statement-breakpoint
set local citus.enable_unsafe_triggers = on;--> statement-breakpoint
-- The one way into the queue, for the trigger on the ledger and for the service alike. A job is there at
-- most once a delivery. One that a worker holds is left to it, unless the caller is that worker (`owned`).
-- The queue's own table is named instead of pgboss.job, as pg-boss does it itself: routing a row to its
-- partition costs as much as writing it.
do $migration$
begin
  execute format($definition$
    create function queue_webhook_deliveries(merchants uuid[], deliveries uuid[], endpoints text[], due timestamptz, lane integer, owned boolean)
    returns integer language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $body$
    declare
      queued integer;
      now_ms bigint := extract(epoch from clock_timestamp()) * 1000;
    begin
      insert into pgboss.%1$I as job (
        id, name, data, group_id, priority, start_after, created_on, keep_until, policy, dead_letter,
        retry_limit, retry_delay, retry_backoff, retry_delay_max, expire_seconds, heartbeat_seconds, deletion_seconds)
      select wanted.delivery, queue.name, jsonb_build_object('merchantId', wanted.merchant), md5(wanted.endpoint), lane, due, now(),
        due + make_interval(secs => queue.retention_seconds), queue.policy, queue.dead_letter,
        queue.retry_limit, queue.retry_delay, queue.retry_backoff, queue.retry_delay_max, queue.expire_seconds,
        queue.heartbeat_seconds, queue.deletion_seconds
      from pgboss.queue, unnest(merchants, deliveries, endpoints) as wanted(merchant, delivery, endpoint)
      where queue.name = 'webhook-delivery'
      on conflict (name, id) do update set
        state = 'created', priority = excluded.priority, start_after = excluded.start_after, created_on = excluded.created_on,
        keep_until = excluded.keep_until, started_on = null, heartbeat_on = null, completed_on = null, retry_count = 0, output = null
      where owned or job.state > 'active' or job.start_after > excluded.start_after;
      get diagnostics queued = row_count;
      if queued = 0 and not exists (select from pgboss.queue where queue.name = 'webhook-delivery') then
        raise exception 'The queue webhook-delivery is missing, so this change cannot be told to its webhooks.' using errcode = 'WH001';
      end if;
      -- Commits that notify wait for one lock, a write to the disk long. Few have to do: a worker that was woken stays awake a while.
      if due <= now() and now_ms > coalesce(pg_sequence_last_value('webhook_wake_up'::regclass), 0) + 20 then
        perform setval('webhook_wake_up'::regclass, now_ms), pg_notify('webhook_delivery', '');
      end if;
      return queued;
    end $body$
  $definition$, (select queue.table_name from pgboss.queue where queue.name = 'webhook-delivery'));
end $migration$;--> statement-breakpoint
-- Hands jobs that a worker took and neither finished nor gave back to whoever asks next.
do $migration$
begin
  execute format($definition$
    create function release_lapsed_webhook_jobs(lapsed_after interval) returns integer
    language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $body$
    declare
      released integer;
    begin
      update pgboss.%1$I as job set state = 'created', start_after = now(), started_on = null, heartbeat_on = null, retry_count = 0
      where job.name = 'webhook-delivery' and job.state = 'active' and job.group_id is not null
        and job.started_on < now() - lapsed_after;
      get diagnostics released = row_count;
      return released;
    end $body$
  $definition$, (select queue.table_name from pgboss.queue where queue.name = 'webhook-delivery'));
end $migration$;--> statement-breakpoint
revoke execute on function queue_webhook_deliveries, release_lapsed_webhook_jobs from public;--> statement-breakpoint
-- The one trigger that is left out where tables are distributed: shards cannot reach the queue.
create function webhook_delivery_inserted() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  merchants uuid[];
  deliveries uuid[];
  endpoints text[];
begin
  select array_agg(i.merchant_id), array_agg(i.id), array_agg(i.endpoint) into merchants, deliveries, endpoints
  from inserted i where i.next_attempt_at is not null;
  if deliveries is not null then
    perform queue_webhook_deliveries(merchants, deliveries, endpoints, now(), 0, false);
  end if;
  return null;
end $$;--> statement-breakpoint
create trigger queue_webhook_deliveries after insert on webhook_delivery
  referencing new table as inserted for each statement execute function webhook_delivery_inserted();--> statement-breakpoint

create function webhook_action_bit(action text) returns integer language sql immutable parallel safe as $$
  select case action when 'created' then 1 when 'deleted' then 4 else 2 end
$$;--> statement-breakpoint
-- What several changes of a record in one transaction come to.
create function merge_webhook_actions(earlier text, later text) returns text language sql immutable parallel safe as $$
  select case when earlier = 'created' then 'created' when earlier = 'deleted' and later = 'updated' then 'deleted' else later end
$$;--> statement-breakpoint
-- Writes one event for each record and each app that listens: the record's number goes up by one for the
-- app, unless the same transaction has told it of the record already; then that event takes the new state.
-- `channels` are the sales channels that each record is in, as the text of an array; null: it belongs to none.
create function record_webhook_events(merchant uuid, hooks webhook[], action text, ids uuid[], datas text[], channels text[]) returns void
language plpgsql as $$
declare
  this_transaction xid8 := pg_current_xact_id();
begin
  with changed as (
    select r.id, r.data, r.channels::uuid[] as channels from unnest(ids, datas, channels) as r(id, data, channels)
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
    (merchant_id, id, webhook_id, authorized_app_id, scope, endpoint, record_id, sequence, data, next_attempt_at)
  select merchant, k.delivery_id, h.id, k.authorized_app_id, h.scope, h.endpoint, k.record_id, k.sequence, c.data,
    case h.status when 'ACTIVE' then now() end
  from counted k
  join changed c on c.id = k.record_id
  join hook h on h.authorized_app_id = k.authorized_app_id and h.bit = webhook_action_bit(k.action)
  where k.is_counted
  on conflict (merchant_id, id) do update set
    webhook_id = excluded.webhook_id, scope = excluded.scope, endpoint = excluded.endpoint, data = excluded.data;
end $$;--> statement-breakpoint

-- Set off the triggers below for the first time.
create function webhook_registered() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  perform nextval('customer_webhooks'::regclass) from registered r where r.scope like 'store/customer/%' limit 1;
  perform nextval('product_webhooks'::regclass) from registered r where r.scope like 'store/product/%' limit 1;
  perform nextval('stock_webhooks'::regclass) from registered r where r.scope like 'store/stock/%' limit 1;
  return null;
end $$;--> statement-breakpoint
create trigger count_registrations after insert on webhook
  referencing new table as registered for each statement execute function webhook_registered();--> statement-breakpoint
-- Whoever writes a record reads these.
grant select, usage on sequence customer_webhooks, product_webhooks, stock_webhooks to public;--> statement-breakpoint

-- A member that is null and one that is absent from a document are the same: neither is a change.
create function customer_changed() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  merchant uuid;
  merchants_done uuid[] := '{}';
  hooks webhook[];
  changed_ids uuid[];
  ids uuid[];
  datas text[];
begin
  for merchant in select n.merchant_id from new_rows n loop
    continue when merchant = any(merchants_done);
    merchants_done := merchants_done || merchant;
    hooks := array(
      select w from webhook w
      where w.merchant_id = merchant and w.scope in ('store/customer/created', 'store/customer/updated'));
    continue when hooks = '{}';
    if tg_op = 'UPDATE' then
      changed_ids := array(
        select n.id from new_rows n join old_rows o on o.merchant_id = n.merchant_id and o.id = n.id
        where n.merchant_id = merchant and jsonb_strip_nulls(to_jsonb(n)) - 'updated_at' <> jsonb_strip_nulls(to_jsonb(o)) - 'updated_at');
      continue when changed_ids = '{}';
    end if;
    select array_agg(n.id), array_agg(row_to_json(d)::text) into ids, datas
    from new_rows n, lateral (
      select
        n.id as "id",
        n.first_name as "firstName",
        n.last_name as "lastName",
        n.full_name as "fullName",
        n.email as "email",
        n.phone as "phone",
        n.note as "note",
        n.ip as "ip",
        n.user_agent as "userAgent",
        n.preferred_language as "preferredLanguage",
        n.price_list_id as "priceListId",
        n.last_price_list_id as "lastPriceListId",
        n.last_storefront_routing_id as "lastStorefrontRoutingId",
        n.sequence as "customerSequence",
        n.order_count as "orderCount",
        trim_scale(n.total_order_price) as "totalOrderPrice",
        n.is_email_verified as "isEmailVerified",
        n.is_phone_verified as "isPhoneVerified",
        (extract(epoch from n.birth_date) * 1000)::bigint as "birthDate",
        (extract(epoch from n.account_status_updated_at) * 1000)::bigint as "accountStatusUpdatedAt",
        (extract(epoch from n.email_verified_date) * 1000)::bigint as "emailVerifiedDate",
        (extract(epoch from n.phone_verified_date) * 1000)::bigint as "phoneVerifiedDate",
        (extract(epoch from n.password_update_date) * 1000)::bigint as "passwordUpdateDate",
        (extract(epoch from n.first_order_date) * 1000)::bigint as "firstOrderDate",
        (extract(epoch from n.last_order_date) * 1000)::bigint as "lastOrderDate",
        (extract(epoch from n.subscription_status_updated_at) * 1000)::bigint as "subscriptionStatusUpdatedAt",
        (extract(epoch from n.sms_subscription_status_updated_at) * 1000)::bigint as "smsSubscriptionStatusUpdatedAt",
        (extract(epoch from n.phone_subscription_status_updated_at) * 1000)::bigint as "phoneSubscriptionStatusUpdatedAt",
        n.tag_ids as "tagIds",
        n.customer_group_ids as "customerGroupIds",
        n.customer_segment_ids as "customerSegmentIds",
        n.gender as "gender",
        n.account_status as "accountStatus",
        n.b2b_status as "b2bStatus",
        n.registration_source as "registrationSource",
        n.subscription_status as "subscriptionStatus",
        n.sms_subscription_status as "smsSubscriptionStatus",
        n.phone_subscription_status as "phoneSubscriptionStatus",
        n.addresses as "addresses",
        n.attributes as "attributes",
        n.price_list_rules as "priceListRules",
        (extract(epoch from n.created_at) * 1000)::bigint as "createdAt",
        (extract(epoch from n.updated_at) * 1000)::bigint as "updatedAt",
        n.deleted as "deleted"
    ) d
    where n.merchant_id = merchant and (changed_ids is null or n.id = any(changed_ids));
    perform record_webhook_events(
      merchant, hooks, case tg_op when 'INSERT' then 'created' else 'updated' end, ids, datas, array_fill(null::text, array[cardinality(ids)]));
  end loop;
  return null;
end $$;--> statement-breakpoint
create trigger customer_inserted after insert on customer referencing new table as new_rows
  for each statement when (pg_sequence_last_value('customer_webhooks'::regclass) is not null) execute function customer_changed();--> statement-breakpoint
create trigger customer_updated after update on customer referencing old table as old_rows new table as new_rows
  for each statement when (pg_sequence_last_value('customer_webhooks'::regclass) is not null) execute function customer_changed();--> statement-breakpoint

create function product_stock_location_changed() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  merchant uuid;
  merchants_done uuid[] := '{}';
  hooks webhook[];
  changed_ids uuid[];
  product_ids uuid[];
  ids uuid[];
  datas text[];
  channels text[];
begin
  for merchant in select n.merchant_id from new_rows n loop
    continue when merchant = any(merchants_done);
    merchants_done := merchants_done || merchant;
    hooks := array(
      select w from webhook w
      where w.merchant_id = merchant and w.scope in ('store/stock/created', 'store/stock/updated'));
    continue when hooks = '{}';
    if tg_op = 'UPDATE' then
      changed_ids := array(
        select n.id from new_rows n join old_rows o on o.merchant_id = n.merchant_id and o.id = n.id
        where n.merchant_id = merchant and jsonb_strip_nulls(to_jsonb(n)) - 'updated_at' <> jsonb_strip_nulls(to_jsonb(o)) - 'updated_at');
      continue when changed_ids = '{}';
    end if;
    select array_agg(n.id order by n.id), array_agg(n.product_id order by n.id), array_agg(row_to_json(d)::text order by n.id)
    into ids, product_ids, datas
    from new_rows n, lateral (
      select
        n.id as "id",
        n.product_id as "productId",
        n.variant_id as "variantId",
        n.stock_location_id as "stockLocationId",
        trim_scale(n.stock_count) as "stockCount",
        (extract(epoch from n.created_at) * 1000)::bigint as "createdAt",
        (extract(epoch from n.updated_at) * 1000)::bigint as "updatedAt",
        n.deleted as "deleted"
    ) d
    where n.merchant_id = merchant and (changed_ids is null or n.id = any(changed_ids));
    -- A count is of its product's sales channels.
    channels := array(
      select coalesce(array_agg(c.sales_channel_id) filter (where c.listed), '{}')::text
      from unnest(product_ids) with ordinality as p(id, place)
      left join product_sales_channel c on c.merchant_id = merchant and c.product_id = p.id
      group by p.place order by p.place);
    perform record_webhook_events(merchant, hooks, case tg_op when 'INSERT' then 'created' else 'updated' end, ids, datas, channels);
  end loop;
  return null;
end $$;--> statement-breakpoint
create trigger product_stock_location_inserted after insert on product_stock_location referencing new table as new_rows
  for each statement when (pg_sequence_last_value('stock_webhooks'::regclass) is not null)
  execute function product_stock_location_changed();--> statement-breakpoint
create trigger product_stock_location_updated after update on product_stock_location referencing old table as old_rows new table as new_rows
  for each statement when (pg_sequence_last_value('stock_webhooks'::regclass) is not null)
  execute function product_stock_location_changed();--> statement-breakpoint

-- Products as GraphQL answers them, and the sales channels each is in.
create function product_events(merchant uuid, products product[]) returns table (id uuid, data text, channels uuid[])
language plpgsql stable as $$
#variable_conflict use_column
begin
  return query
  select p.id, row_to_json(d)::text,
    array(select c.sales_channel_id from product_sales_channel c where c.merchant_id = merchant and c.product_id = p.id and c.listed)
  from unnest(products) p, lateral (
    select
      p.id as "id",
      p.name as "name",
      p.type as "type",
      coalesce((
        select json_agg(v.data order by v.position)
        from (
          select v.position, json_build_object(
            'id', v.id,
            'sku', v.sku,
            'barcodeList', v.barcode_list,
            'isActive', v.is_active,
            'prices', coalesce((
              select json_agg(json_build_object(
                'sellPrice', trim_scale(price.sell_price),
                'buyPrice', trim_scale(price.buy_price),
                'discountPrice', trim_scale(price.discount_price),
                'currency', coalesce(price.currency, case when price.price_list_id is null then m.currency_code else l.currency end),
                'currencyCode', coalesce(price.currency, case when price.price_list_id is null then m.currency_code else coalesce(l.currency_code, l.currency) end),
                'currencySymbol', case
                  when price.price_list_id is null then case when coalesce(price.currency = m.currency_code, true) then m.currency_symbol end
                  when coalesce(price.currency in (l.currency, l.currency_code), true) then l.currency_symbol
                end,
                'priceListId', price.price_list_id
              ) order by price.price_list_id nulls first)
              from product_price price
              join merchant m on m.merchant_id = merchant
              left join price_list l on l.merchant_id = merchant and l.id = price.price_list_id
              where price.merchant_id = merchant and price.product_id = p.id and price.variant_id = v.id), '[]'),
            'stocks', coalesce((
              select json_agg(json_build_object(
                'id', s.id,
                'productId', s.product_id,
                'variantId', s.variant_id,
                'stockLocationId', s.stock_location_id,
                'stockCount', trim_scale(s.stock_count),
                'createdAt', (extract(epoch from s.created_at) * 1000)::bigint,
                'updatedAt', (extract(epoch from s.updated_at) * 1000)::bigint,
                'deleted', s.deleted
              ) order by s.id)
              from product_stock_location s
              where s.merchant_id = merchant and s.product_id = p.id and s.variant_id = v.id and not s.deleted), '[]'),
            'images', coalesce((
              select json_agg(json_build_object(
                'imageId', i.image_id,
                'fileName', i.file_name,
                'isMain', i.is_main,
                'isVideo', i.is_video,
                'order', trim_scale(i."order")
              ) order by i."order", i.position)
              from variant_image i
              where i.merchant_id = merchant and i.product_id = p.id and i.variant_id = v.id), '[]'),
            'attributes', coalesce((
              select json_agg(json_build_object(
                'productAttributeId', a.product_attribute_id,
                'productAttributeOptionId', a.product_attribute_option_id,
                'value', a.value,
                'imageIds', a.image_ids
              ) order by a.position)
              from product_attribute_value a
              where a.merchant_id = merchant and a.product_id = p.id and a.variant_id = v.id), '[]'),
            'variantValueIds', coalesce((
              select json_agg(json_build_object('variantTypeId', r.variant_type_id, 'variantValueId', r.variant_value_id) order by r.position)
              from variant_value_relation r
              where r.merchant_id = merchant and r.product_id = p.id and r.variant_id = v.id), '[]'),
            'sellIfOutOfStock', v.sell_if_out_of_stock,
            'weight', trim_scale(v.weight),
            'unit', v.unit,
            'hsCode', v.hs_code,
            'fileId', v.file_id,
            'bundleSettings', case when v.bundle_settings is not null then json_build_object(
              'maxBundleQuantity', v.bundle_settings -> 'maxBundleQuantity',
              'minBundleQuantity', v.bundle_settings -> 'minBundleQuantity',
              'products', coalesce((
                select json_agg(json_build_object(
                  'id', b.id,
                  'productId', b.contained_product_id,
                  'quantity', trim_scale(b.quantity),
                  'order', trim_scale(b."order"),
                  'filteredVariantIds', b.filtered_variant_ids,
                  'addToBundleBasePrice', b.add_to_bundle_base_price,
                  'discountRatio', trim_scale(b.discount_ratio),
                  'minQuantity', trim_scale(b.min_quantity),
                  'maxQuantity', trim_scale(b.max_quantity)
                ) order by b.position)
                from bundle_product b
                where b.merchant_id = merchant and b.product_id = p.id and b.variant_id = v.id), '[]')) end,
            'subscriptionPlanId', v.subscription_plan_id,
            'createdAt', (extract(epoch from v.created_at) * 1000)::bigint,
            'updatedAt', (extract(epoch from v.updated_at) * 1000)::bigint,
            'deleted', v.deleted
          ) as data
          from variant v
          where v.merchant_id = merchant and v.product_id = p.id and not v.deleted
        ) v), '[]') as "variants",
      coalesce((
        select json_agg(json_build_object(
          'productAttributeId', a.product_attribute_id,
          'productAttributeOptionId', a.product_attribute_option_id,
          'value', a.value,
          'imageIds', a.image_ids
        ) order by a.position)
        from product_attribute_value a
        where a.merchant_id = merchant and a.product_id = p.id and a.variant_id is null), '[]') as "attributes",
      p.base_unit as "baseUnit",
      (
        select json_build_object(
          'id', b.id,
          'name', b.name,
          'createdAt', (extract(epoch from b.created_at) * 1000)::bigint,
          'updatedAt', (extract(epoch from b.updated_at) * 1000)::bigint,
          'deleted', b.deleted)
        from product_brand b
        where b.merchant_id = merchant and b.id = p.brand_id
      ) as "brand",
      p.brand_id as "brandId",
      coalesce((
        select json_agg(json_build_object(
          'id', c.id,
          'name', c.name,
          'parentId', c.parent_id,
          'createdAt', (extract(epoch from c.created_at) * 1000)::bigint,
          'updatedAt', (extract(epoch from c.updated_at) * 1000)::bigint,
          'deleted', c.deleted
        ) order by r.position)
        from product_category r join category c on c.merchant_id = merchant and c.id = r.category_id
        where r.merchant_id = merchant and r.product_id = p.id), '[]') as "categories",
      array(
        select r.category_id from product_category r
        where r.merchant_id = merchant and r.product_id = p.id order by r.position) as "categoryIds",
      p.description as "description",
      p.short_description as "shortDescription",
      array(
        select r.price_list_id from product_dynamic_price_list r
        where r.merchant_id = merchant and r.product_id = p.id order by r.position) as "dynamicPriceListIds",
      p.google_taxonomy_id as "googleTaxonomyId",
      p.group_variants_by_variant_type_id as "groupVariantsByVariantTypeId",
      array(
        select c.sales_channel_id from product_sales_channel c
        where c.merchant_id = merchant and c.product_id = p.id and c.hidden order by c.position) as "hiddenSalesChannelIds",
      array(
        select c.sales_channel_id from product_sales_channel c
        where c.merchant_id = merchant and c.product_id = p.id and c.listed order by c.position) as "salesChannelIds",
      coalesce((
        select json_agg(json_build_object(
          'id', c.sales_channel_id,
          'status', c.status,
          'maxQuantityPerCart', trim_scale(c.max_quantity_per_cart),
          'minQuantityPerCart', trim_scale(c.min_quantity_per_cart),
          'productVolumeDiscountId', c.product_volume_discount_id,
          'quantitySettings', c.quantity_settings
        ) order by c.position)
        from product_sales_channel c
        where c.merchant_id = merchant and c.product_id = p.id and c.status is not null), '[]') as "salesChannels",
      trim_scale(p.max_quantity_per_cart) as "maxQuantityPerCart",
      (
        select json_build_object(
          'id', h.id,
          'slug', h.slug,
          'pageTitle', h.page_title,
          'description', h.description,
          'canonicals', h.canonicals,
          'disableIndex', h.disable_index,
          'redirectTo', h.redirect_to,
          'targetId', h.target_id,
          'targetType', h.target_type,
          'metadataOverrides', h.metadata_overrides,
          'translations', h.translations,
          'createdAt', (extract(epoch from h.created_at) * 1000)::bigint,
          'updatedAt', (extract(epoch from h.updated_at) * 1000)::bigint,
          'deleted', h.deleted)
        from html_meta_data h
        where h.merchant_id = merchant and h.target_id = p.id
      ) as "metaData",
      p.product_option_set_id as "productOptionSetId",
      coalesce((
        select json_agg(json_build_object(
          'id', t.id,
          'name', t.name,
          'selectionType', t.selection_type,
          'translations', t.translations,
          'values', coalesce((
            select json_agg(json_build_object(
              'id', value.id,
              'name', value.name,
              'colorCode', value.color_code,
              'thumbnailImageId', value.thumbnail_image_id,
              'createdAt', (extract(epoch from value.created_at) * 1000)::bigint,
              'updatedAt', (extract(epoch from value.updated_at) * 1000)::bigint,
              'deleted', value.deleted
            ) order by value.position)
            from variant_value value
            where value.merchant_id = merchant and value.variant_type_id = t.id and not value.deleted), '[]'),
          'order', trim_scale(r."order"),
          'variantTypeId', t.id,
          'variantValueIds', array(
            select used.variant_value_id from product_variant_value used
            where used.merchant_id = merchant and used.product_id = p.id and used.variant_type_id = t.id order by used.position),
          'createdAt', (extract(epoch from t.created_at) * 1000)::bigint,
          'updatedAt', (extract(epoch from t.updated_at) * 1000)::bigint,
          'deleted', t.deleted
        ) order by r.position)
        from product_variant_type r join variant_type t on t.merchant_id = merchant and t.id = r.variant_type_id
        where r.merchant_id = merchant and r.product_id = p.id), '[]') as "productVariantTypes",
      p.product_volume_discount_id as "productVolumeDiscountId",
      (extract(epoch from p.release_date) * 1000)::bigint as "releaseDate",
      p.subscription_plan_id as "subscriptionPlanId",
      array(
        select r.tag_id from product_tag_relation r
        where r.merchant_id = merchant and r.product_id = p.id order by r.position) as "tagIds",
      coalesce((
        select json_agg(json_build_object(
          'id', t.id,
          'name', t.name,
          'createdAt', (extract(epoch from t.created_at) * 1000)::bigint,
          'updatedAt', (extract(epoch from t.updated_at) * 1000)::bigint,
          'deleted', t.deleted
        ) order by r.position)
        from product_tag_relation r join product_tag t on t.merchant_id = merchant and t.id = r.tag_id
        where r.merchant_id = merchant and r.product_id = p.id), '[]') as "tags",
      (
        select trim_scale(coalesce(sum(s.stock_count), 0))
        from product_stock_location s
        join variant v on v.merchant_id = merchant and v.product_id = p.id and v.id = s.variant_id and not v.deleted
        where s.merchant_id = merchant and s.product_id = p.id and not s.deleted
      ) as "totalStock",
      p.translations as "translations",
      p.vendor_id as "vendorId",
      trim_scale(p.weight) as "weight",
      p.version as "version",
      (extract(epoch from p.created_at) * 1000)::bigint as "createdAt",
      (extract(epoch from p.updated_at) * 1000)::bigint as "updatedAt",
      p.deleted as "deleted"
  ) d;
end $$;--> statement-breakpoint

-- Tells of products, as they stand now, what became of them. `channels_left` are pairs of a product and a
-- sales channel it was in before: who listens to a channel also learns that a product left it.
create function record_product_events(merchant uuid, hooks webhook[], action text, product_ids uuid[], channels_left jsonb) returns void
language plpgsql as $$
declare
  products product[];
  ids uuid[];
  datas text[];
  channels text[];
begin
  -- A part of a product may be changed without it. Held to the end of the transaction, the product makes the
  -- events of its parts' changes follow each other, each with the state that the one before left behind.
  perform from product p where p.merchant_id = merchant and p.id = any(product_ids) order by p.id for no key update;
  products := array(select p from product p where p.merchant_id = merchant and p.id = any(product_ids));
  select array_agg(e.id), array_agg(e.data), array_agg((
    e.channels || array(select (l ->> 1)::uuid from jsonb_array_elements(channels_left) l where (l ->> 0)::uuid = e.id))::text)
  into ids, datas, channels
  from product_events(merchant, products) e;
  if ids is not null then
    perform record_webhook_events(merchant, hooks, action, ids, datas, channels);
  end if;
end $$;--> statement-breakpoint

create function product_hooks(merchant uuid) returns webhook[] language plpgsql stable as $$
begin
  return array(
    select w from webhook w
    where w.merchant_id = merchant and w.scope in ('store/product/created', 'store/product/updated', 'store/product/deleted'));
end $$;--> statement-breakpoint

create function product_changed() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  merchant uuid;
  merchants_done uuid[] := '{}';
  hooks webhook[];
  change record;
begin
  for merchant in select n.merchant_id from new_rows n loop
    continue when merchant = any(merchants_done);
    merchants_done := merchants_done || merchant;
    hooks := product_hooks(merchant);
    continue when hooks = '{}';
    if tg_op = 'INSERT' then
      perform record_product_events(
        merchant, hooks, 'created', array(select n.id from new_rows n where n.merchant_id = merchant), '[]');
      continue;
    end if;
    for change in
      select c.action, array_agg(c.id) as ids
      from (
        select n.id, case when n.deleted = o.deleted then 'updated' when n.deleted then 'deleted' else 'restored' end as action
        from new_rows n join old_rows o on o.merchant_id = n.merchant_id and o.id = n.id
        where n.merchant_id = merchant
          and jsonb_strip_nulls(to_jsonb(n)) - '{updated_at,version}'::text[] <> jsonb_strip_nulls(to_jsonb(o)) - '{updated_at,version}'::text[]
      ) c
      group by c.action
    loop
      perform record_product_events(merchant, hooks, change.action, change.ids, '[]');
    end loop;
  end loop;
  return null;
end $$;--> statement-breakpoint
create trigger product_inserted after insert on product referencing new table as new_rows
  for each statement when (pg_sequence_last_value('product_webhooks'::regclass) is not null) execute function product_changed();--> statement-breakpoint
create trigger product_updated after update on product referencing old table as old_rows new table as new_rows
  for each statement when (pg_sequence_last_value('product_webhooks'::regclass) is not null) execute function product_changed();--> statement-breakpoint

-- A product that is gone for good is told as deleted, with what its own row still says.
create function product_removed() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  merchant uuid;
  merchants_done uuid[] := '{}';
  hooks webhook[];
  ids uuid[];
  datas text[];
  removed product[];
begin
  for merchant in select o.merchant_id from old_rows o loop
    continue when merchant = any(merchants_done);
    merchants_done := merchants_done || merchant;
    hooks := product_hooks(merchant);
    continue when hooks = '{}';
    removed := array(select o from old_rows o where o.merchant_id = merchant and not o.deleted);
    select array_agg(e.id), array_agg((e.data::jsonb || '{"deleted": true}')::text) into ids, datas
    from product_events(merchant, removed) e;
    continue when ids is null;
    perform record_webhook_events(merchant, hooks, 'deleted', ids, datas, array_fill(null::text, array[cardinality(ids)]));
  end loop;
  return null;
end $$;--> statement-breakpoint
create trigger product_removed after delete on product referencing old table as old_rows
  for each statement when (pg_sequence_last_value('product_webhooks'::regclass) is not null) execute function product_removed();--> statement-breakpoint

-- A change of what belongs to a product is an update of the product. Rows that are written as they were do not count.
create function product_part_changed() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  merchants uuid[];
  merchant uuid;
  hooks webhook[];
  changed jsonb;
begin
  if tg_op = 'DELETE' then
    merchants := array(select distinct o.merchant_id from old_rows o);
  else
    merchants := array(select distinct n.merchant_id from new_rows n);
  end if;
  foreach merchant in array merchants loop
    hooks := product_hooks(merchant);
    continue when hooks = '{}';
    if tg_op = 'INSERT' then
      changed := (select jsonb_agg(to_jsonb(n)) from new_rows n where n.merchant_id = merchant);
    elsif tg_op = 'DELETE' then
      changed := (select jsonb_agg(to_jsonb(o)) from old_rows o where o.merchant_id = merchant);
    else
      changed := (
        with n as (select jsonb_strip_nulls(to_jsonb(n)) - 'updated_at' as part from new_rows n where n.merchant_id = merchant),
          o as (select jsonb_strip_nulls(to_jsonb(o)) - 'updated_at' as part from old_rows o where o.merchant_id = merchant)
        select jsonb_agg(d.part)
        from ((table n except all table o) union all (table o except all table n)) d);
    end if;
    continue when changed is null;
    perform record_product_events(
      merchant, hooks, 'updated',
      array(select distinct (part ->> coalesce(tg_argv[0], 'product_id'))::uuid from jsonb_array_elements(changed) part),
      coalesce((
        select jsonb_agg(jsonb_build_array(part -> 'product_id', part -> 'sales_channel_id')) from jsonb_array_elements(changed) part
        where tg_table_name = 'product_sales_channel' and (part ->> 'listed')::boolean), '[]'));
  end loop;
  return null;
end $$;--> statement-breakpoint
do $migration$
declare
  part text;
  -- What metadata belongs to is named `target_id` and need not be a product: then no product has the id.
  argument text;
begin
  foreach part in array '{variant,product_price,bundle_product,product_attribute_value,product_category,product_tag_relation,product_dynamic_price_list,product_sales_channel,product_variant_type,product_variant_value,variant_image,variant_value_relation,html_meta_data}'::text[] loop
    argument := case part when 'html_meta_data' then '''target_id''' else '' end;
    execute format($definition$
      create trigger product_part_inserted after insert on %1$I referencing new table as new_rows
        for each statement when (pg_sequence_last_value('product_webhooks'::regclass) is not null) execute function product_part_changed(%2$s)
    $definition$, part, argument);
    execute format($definition$
      create trigger product_part_updated after update on %1$I referencing old table as old_rows new table as new_rows
        for each statement when (pg_sequence_last_value('product_webhooks'::regclass) is not null) execute function product_part_changed(%2$s)
    $definition$, part, argument);
    execute format($definition$
      create trigger product_part_removed after delete on %1$I referencing old table as old_rows
        for each statement when (pg_sequence_last_value('product_webhooks'::regclass) is not null) execute function product_part_changed(%2$s)
    $definition$, part, argument);
  end loop;
end $migration$;--> statement-breakpoint

-- Truncating fires none of these triggers, so it may not happen.
create function refuse_truncate() returns trigger language plpgsql as $$
begin
  raise exception 'The table % cannot be truncated: its webhooks would not learn of it. Delete its rows instead.', tg_table_name;
end $$;--> statement-breakpoint
create trigger refuse_truncate before truncate on customer for each statement execute function refuse_truncate();--> statement-breakpoint
create trigger refuse_truncate before truncate on product for each statement execute function refuse_truncate();--> statement-breakpoint
create trigger refuse_truncate before truncate on product_stock_location for each statement execute function refuse_truncate();
