-- All changes of records: the rows of `change`, and the movements of stock counts. A change of a count is stored only as
-- its movement. The first movement of a count is the change CREATED. A movement that older ones were folded into is not
-- a change. `before` and `after` are the values of a movement; those of other changes are in `change_part`.
create view recorded_change with (security_invoker) as
select c.merchant_id, c.id, c.record_type, c.record_id, c.number, c.kind, c.change_transaction_id, c.change_set_id,
  c.authorized_app_id, c.truncated, c.created_at, false as is_movement, null::json as before, null::json as after
from change c
union all
select m.merchant_id, m.id, 'PRODUCT_STOCK_LOCATION'::text, m.product_stock_location_id, m.change_number,
  case when m.sequence = 1 then 'CREATED' else 'UPDATED' end, m.change_transaction_id, m.change_set_id,
  m.authorized_app_id, false, m.created_at, true,
  case when m.sequence > 1 then json_build_object('stockCount', trim_scale(m.count_after - m.delta)) end,
  case
    when m.sequence > 1 then json_build_object('stockCount', trim_scale(m.count_after))
    else json_build_object(
      'productId', m.product_id, 'variantId', m.variant_id, 'stockLocationId', m.stock_location_id,
      'stockCount', trim_scale(m.count_after), 'createdAt', (extract(epoch from m.count_created_at) * 1000)::bigint,
      'deleted', coalesce(m.count_deleted, false))
  end
from stock_movement m where m.change_number is not null;
