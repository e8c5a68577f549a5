-- A change of a product's part is an update of the product. A row that is written unchanged is no change.
-- Page metadata refers to its record by `target_id`; if that is not a product, no event is written. Only ids are
-- collected, because the rows of a statement can be larger than an array of them may be.
create or replace function product_part_changed() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp set jit = off as $$
declare
  merchants uuid[];
  merchant uuid;
  hooks webhook[];
  products uuid[];
begin
  if tg_op = 'UPDATE' then
    merchants := array(select distinct n.merchant_id from new_rows n);
  else
    merchants := array(select distinct r.merchant_id from changed_rows r);
  end if;
  foreach merchant in array merchants loop
    hooks := webhooks_for_products(merchant);
    continue when cardinality(hooks) = 0;
    if tg_op <> 'UPDATE' then
      if tg_argv[0] = 'target_id' then
        products := array(select distinct r.target_id from changed_rows r where r.merchant_id = merchant);
      else
        products := array(select distinct r.product_id from changed_rows r where r.merchant_id = merchant);
      end if;
    else
      -- The plan may be from a statement of few rows. A nested loop would compare 20,000 rows in 400 million pairs.
      perform set_config('enable_nestloop', 'off', true);
      if tg_argv[0] = 'target_id' then
        products := array(
          select distinct product.id
          from new_rows n join old_rows o on o.merchant_id = n.merchant_id and o.id = n.id,
            unnest(array[n.target_id, o.target_id]) product(id)
          where n.merchant_id = merchant and comparable_row(n) <> comparable_row(o));
      else
        products := array(
          select distinct product.id
          from new_rows n join old_rows o on o.merchant_id = n.merchant_id and o.id = n.id,
            unnest(array[n.product_id, o.product_id]) product(id)
          where n.merchant_id = merchant and comparable_row(n) <> comparable_row(o));
      end if;
      perform set_config('enable_nestloop', 'on', true);
    end if;
    continue when cardinality(products) = 0;
    perform record_product_changes(merchant, hooks, 'updated', products);
  end loop;
  return null;
end $$;--> statement-breakpoint
do $$
declare
  part text;
  -- The column that refers to the product; the default of the trigger function is product_id.
  argument text;
begin
  foreach part in array '{variant,html_meta_data}'::text[] loop
    argument := case part when 'html_meta_data' then '''target_id''' else '' end;
    execute format($definition$
      create or replace trigger product_part_inserted after insert on %1$I referencing new table as changed_rows
        for each statement execute function product_part_changed(%2$s)
    $definition$, part, argument);
    execute format($definition$
      create or replace trigger product_part_updated after update on %1$I
        referencing old table as old_rows new table as new_rows
        for each statement execute function product_part_changed(%2$s)
    $definition$, part, argument);
    execute format($definition$
      create or replace trigger product_part_removed after delete on %1$I referencing old table as changed_rows
        for each statement execute function product_part_changed(%2$s)
    $definition$, part, argument);
  end loop;
end $$;
