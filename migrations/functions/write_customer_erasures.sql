-- Writes one event for each erased customer and listening app, without values: as `erased` to the apps that have a
-- webhook for it, and as `updated` to the others, which learn by it that they have to forget the customer.
create or replace function write_customer_erasures(merchant uuid, hooks webhook[], customers customer[]) returns void
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare
  ids uuid[];
  datas text[];
  apps uuid[] := array(select h.authorized_app_id from unnest(hooks) h where h.scope = 'store/customer/erased');
  chosen webhook[];
  action text;
begin
  select array_agg(d.id), array_agg(row_to_json(d)::text) into ids, datas
  from (
    select c.id, (extract(epoch from c.created_at) * 1000)::bigint as "createdAt",
      (extract(epoch from c.updated_at) * 1000)::bigint as "updatedAt", c.deleted
    from unnest(customers) c
  ) d;
  foreach action in array '{erased,updated}'::text[] loop
    chosen := array(select h from unnest(hooks) h where (h.authorized_app_id = any(apps)) = (action = 'erased'));
    continue when cardinality(chosen) = 0;
    perform write_webhook_events(
      merchant, chosen, action, ids, datas, array_fill(null::text, array[cardinality(ids)]));
  end loop;
end $$;
