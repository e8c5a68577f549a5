-- Written by `npm run codegen` from the fields of ProductStockLocation in schema/ and src/. Do not edit.
create or replace function product_stock_location_events(merchant uuid, records product_stock_location[]) returns table (id uuid, data text)
language plpgsql stable as $$
#variable_conflict use_column
begin
  return query
  select r.id, row_to_json(d)::text
  from unnest(records) r, lateral (
    select
      r.id as "id",
      r.product_id as "productId",
      r.variant_id as "variantId",
      r.stock_location_id as "stockLocationId",
      trim_scale(r.stock_count) as "stockCount",
      (extract(epoch from r.created_at) * 1000)::bigint as "createdAt",
      (extract(epoch from r.updated_at) * 1000)::bigint as "updatedAt",
      r.deleted as "deleted"
  ) d;
end $$;
