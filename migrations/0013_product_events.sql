set local citus.multi_shard_modify_mode = 'sequential';--> statement-breakpoint
set local citus.enable_unsafe_triggers = on;--> statement-breakpoint
-- Empty whenever no transaction is under way, so there is nothing a crash could take from it.
CREATE UNLOGGED TABLE "webhook_change" (
	"merchant_id" uuid NOT NULL,
	"transaction_id" "xid8" NOT NULL,
	"product_id" uuid NOT NULL,
	"actions" text[] NOT NULL,
	"channels_left" uuid[] NOT NULL,
	"is_first" boolean NOT NULL,
	CONSTRAINT "webhook_change_merchant_id_transaction_id_product_id_pk" PRIMARY KEY("merchant_id","transaction_id","product_id")
);--> statement-breakpoint
select distribute('webhook_change');--> statement-breakpoint
-- Notes what became of products, to be told at the end of the transaction: a save is many statements, and
-- a product is long. `channels_left` are pairs of a product and a sales channel that it was in before.
create or replace function record_product_events(merchant uuid, hooks webhook[], action text, product_ids uuid[], channels_left jsonb) returns void
language plpgsql as $$
declare
  this_transaction xid8 := pg_current_xact_id();
  is_first boolean := not exists (select from webhook_change c where c.merchant_id = merchant and c.transaction_id = this_transaction);
begin
  insert into webhook_change as known (merchant_id, transaction_id, product_id, actions, channels_left, is_first)
  select merchant, this_transaction, p.id, array[action], coalesce(l.channels, '{}'), is_first and p.place = 1
  from unnest(product_ids) with ordinality as p(id, place)
  left join (
    select (pair ->> 0)::uuid as product_id, array_agg((pair ->> 1)::uuid) as channels from jsonb_array_elements(channels_left) pair group by 1
  ) l on l.product_id = p.id
  on conflict (merchant_id, transaction_id, product_id) do update set
    actions = case
      when merge_webhook_actions(known.actions[cardinality(known.actions)], excluded.actions[1]) = known.actions[cardinality(known.actions)] then known.actions
      else known.actions || excluded.actions
    end,
    channels_left = known.channels_left || excluded.channels_left
  where excluded.channels_left <> '{}'
    or merge_webhook_actions(known.actions[cardinality(known.actions)], excluded.actions[1]) <> known.actions[cardinality(known.actions)];
end $$;--> statement-breakpoint
-- Tells of products, as they stand at the end of the transaction, what became of them in it.
create function webhook_changes_ended() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  merchant uuid := new.merchant_id;
  hooks webhook[] := product_hooks(new.merchant_id);
  changes webhook_change[];
  products product[];
  told record;
begin
  with ended as (
    delete from webhook_change c where c.merchant_id = merchant and c.transaction_id = new.transaction_id returning c
  )
  select array_agg(e.c) into changes from ended e;
  -- A part of a product may be changed without it. Held to the end of the transaction, the product makes the
  -- events of its parts' changes follow each other, each with the state that the one before left behind.
  perform from product p
  where p.merchant_id = merchant and p.id = any(array(select c.product_id from unnest(changes) c)) order by p.id for no key update;
  products := array(select p from product p where p.merchant_id = merchant and p.id = any(array(select c.product_id from unnest(changes) c)));
  for told in
    select a.action, array_agg(e.id) as ids, array_agg(e.data) as datas, array_agg((e.channels || c.channels_left)::text) as channels
    from product_events(merchant, products) e
    join unnest(changes) c on c.product_id = e.id
    cross join unnest(c.actions) with ordinality as a(action, place)
    group by a.place, a.action order by a.place
  loop
    perform record_webhook_events(merchant, hooks, told.action, told.ids, told.datas, told.channels);
  end loop;
  return null;
end $$;--> statement-breakpoint
create constraint trigger tell_product_events after insert on webhook_change deferrable initially deferred
  for each row when (new.is_first) execute function webhook_changes_ended();
--> statement-breakpoint
-- A product that is gone for good is told as deleted, with what its own row still says. One that came in the
-- same transaction is not told of at all.
create or replace function product_removed() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  merchant uuid;
  merchants_done uuid[] := '{}';
  hooks webhook[];
  ids uuid[];
  datas text[];
  created uuid[];
  removed product[];
begin
  for merchant in select o.merchant_id from old_rows o loop
    continue when merchant = any(merchants_done);
    merchants_done := merchants_done || merchant;
    hooks := product_hooks(merchant);
    continue when hooks = '{}';
    created := array(
      select c.product_id from webhook_change c
      where c.merchant_id = merchant and c.transaction_id = pg_current_xact_id() and c.actions[1] = 'created');
    removed := array(select o from old_rows o where o.merchant_id = merchant and not o.deleted and o.id <> all(created));
    select array_agg(e.id), array_agg((e.data::jsonb || '{"deleted": true}')::text) into ids, datas
    from product_events(merchant, removed) e;
    continue when ids is null;
    perform record_webhook_events(merchant, hooks, 'deleted', ids, datas, array_fill(null::text, array[cardinality(ids)]));
  end loop;
  return null;
end $$;
