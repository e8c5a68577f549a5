-- Writes the event of a deleted row, with the values of that row and `deleted`. A product that was created in the same
-- transaction, or deleted in an earlier one, gets no event. Events are written in batches: all events of one statement
-- can be larger than 1 GiB, the maximum of an array.
create or replace function product_removed() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp set jit = off as $$
declare
  products_at_once constant integer := 250;
  bytes_at_once constant integer := 16777216;
  merchant uuid;
  merchants_done uuid[] := '{}';
  hooks webhook[];
  removed_ids uuid[];
  changes webhook_change[];
  removals refcursor;
  removal record;
  is_end boolean;
  product product;
  removed product[];
  bytes bigint;
  ids uuid[];
  datas text[];
  channels text[];
begin
  for merchant in select o.merchant_id from old_rows o loop
    continue when merchant = any(merchants_done);
    merchants_done := merchants_done || merchant;
    hooks := webhooks_for_products(merchant);
    continue when cardinality(hooks) = 0;
    removed_ids := array(select o.id from old_rows o where o.merchant_id = merchant);
    changes := array(
      select c from webhook_change c
      where c.merchant_id = merchant and c.transaction_id = pg_current_xact_id() and c.product_id = any(removed_ids));
    -- The plan may be from a statement of few rows. A nested loop would compare 20,000 rows in 400 million pairs.
    perform set_config('enable_nestloop', 'off', true);
    open removals for
      select o as product, (o.sales_channel_ids || coalesce(c.channels_left, '{}'))::text as channels,
        octet_length(o::text) as bytes
      from old_rows o left join unnest(changes) c on c.product_id = o.id
      where o.merchant_id = merchant and case (array_remove(c.actions, 'updated'))[1]
        when 'created' then false
        when 'deleted' then true
        when 'restored' then false
        else not o.deleted
      end
      order by o.id;
    perform set_config('enable_nestloop', 'on', true);
    removed := '{}';
    channels := '{}';
    bytes := 0;
    loop
      fetch removals into removal;
      is_end := not found;
      if not is_end then
        -- Converts the row: the row type of a shard is another type.
        product := removal.product;
        product.deleted := true;
        removed := removed || product;
        channels := channels || removal.channels;
        bytes := bytes + removal.bytes;
      end if;
      if is_end or cardinality(removed) = products_at_once or bytes > bytes_at_once then
        if cardinality(removed) > 0 then
          select array_agg(e.id order by e.id), array_agg(e.data order by e.id) into ids, datas
          from product_events(merchant, removed) e;
          perform write_webhook_events(merchant, hooks, 'deleted', ids, datas, channels);
        end if;
        removed := '{}';
        channels := '{}';
        bytes := 0;
      end if;
      exit when is_end;
    end loop;
    close removals;
  end loop;
  return null;
end $$;--> statement-breakpoint
create or replace trigger product_removed after delete on product referencing old table as old_rows
  for each statement execute function product_removed();
