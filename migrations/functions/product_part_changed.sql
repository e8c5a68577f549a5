-- A change of a product's part is an update of the product. A row that is written unchanged is no change.
-- Page metadata refers to its record by `target_id`; if that is not a product, no event is written.
create or replace function product_part_changed() returns trigger
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
    hooks := webhooks_for_products(merchant);
    continue when cardinality(hooks) = 0;
    if tg_op = 'INSERT' then
      changed := (select jsonb_agg(to_jsonb(n)) from new_rows n where n.merchant_id = merchant);
    elsif tg_op = 'DELETE' then
      changed := (select jsonb_agg(to_jsonb(o)) from old_rows o where o.merchant_id = merchant);
    else
      changed := (
        with n as (
          select jsonb_strip_nulls(to_jsonb(n)) - 'updated_at' as part from new_rows n where n.merchant_id = merchant
        ), o as (
          select jsonb_strip_nulls(to_jsonb(o)) - 'updated_at' as part from old_rows o where o.merchant_id = merchant
        )
        select jsonb_agg(d.part)
        from ((table n except all table o) union all (table o except all table n)) d);
    end if;
    continue when changed is null;
    perform record_product_changes(
      merchant, hooks, 'updated',
      array(
        select distinct (part ->> coalesce(tg_argv[0], 'product_id'))::uuid from jsonb_array_elements(changed) part),
      '[]');
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
      create or replace trigger product_part_inserted after insert on %1$I referencing new table as new_rows
        for each statement execute function product_part_changed(%2$s)
    $definition$, part, argument);
    execute format($definition$
      create or replace trigger product_part_updated after update on %1$I
        referencing old table as old_rows new table as new_rows
        for each statement execute function product_part_changed(%2$s)
    $definition$, part, argument);
    execute format($definition$
      create or replace trigger product_part_removed after delete on %1$I referencing old table as old_rows
        for each statement execute function product_part_changed(%2$s)
    $definition$, part, argument);
  end loop;
end $$;
