-- Written by `npm run codegen` from the fields of StockHold in schema/ and src/. Do not edit.
create or replace function stock_hold_events(merchant uuid, records stock_hold[]) returns table (id uuid, data text)
language plpgsql stable as $$
#variable_conflict use_column
begin
  return query
  select r.id, row_to_json(d)::text
  from unnest(records) r, lateral (
    select
      r.id as "id",
      trim_scale(r.quantity) as "quantity",
      r.key as "key",
      r.reference as "reference",
      r.status as "status",
      (extract(epoch from r.created_at) * 1000)::bigint as "createdAt",
      (extract(epoch from r.expires_at) * 1000)::bigint as "expiresAt",
      r.variant_id as "variantId",
      r.stock_location_id as "stockLocationId"
  ) d;
end $$;
