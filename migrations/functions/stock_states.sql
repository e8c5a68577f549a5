-- Stock counts with what is held of them now, and whether a delta may take what is available below 0, because of the
-- location or the variant. One statement, because a cluster cannot call a function with statements for each row.
create or replace function stock_states(merchant uuid, counts uuid[])
returns table (id uuid, stock_count numeric, held numeric, may_be_negative boolean, deleted boolean)
language plpgsql stable set search_path = pg_catalog, public, pg_temp as $$
#variable_conflict use_column
begin
  return query
  select c.id, c.stock_count, coalesce(h.quantity, 0), l.allows_negative_stock or v.sell_if_out_of_stock is true,
    c.deleted
  from product_stock_location c
  join stock_location l on l.merchant_id = merchant and l.id = c.stock_location_id
  join variant v on v.merchant_id = merchant and v.id = c.variant_id
  left join lateral (
    select sum(h.quantity) as quantity from stock_hold h
    where h.merchant_id = merchant and h.product_stock_location_id = c.id and h.status = 'ACTIVE'
      and h.expires_at > clock_timestamp()) h on true
  where c.merchant_id = merchant and c.id = any(counts);
end $$;
