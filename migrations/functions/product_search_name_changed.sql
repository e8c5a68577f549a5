-- Documents contain brands, categories, tags and options by id. A new name changes only the words of its record and is
-- found at once, however many products have it.
create or replace function product_search_name_changed() returns trigger
  language plpgsql security definer set search_path = pg_catalog, public, pg_temp set jit = off
  as $$
    declare
      merchant uuid;
      merchants uuid[];
      ids uuid[];
      labels text[];
    begin
      if tg_op = 'UPDATE' then
        select array_agg(c.merchant_id), array_agg(c.id), array_agg(c.label) into merchants, ids, labels from (
          select n.merchant_id, n.id, product_search_label(n) as label from new_rows n
          except all select o.merchant_id, o.id, product_search_label(o) from old_rows o) as c;
      elsif tg_op = 'INSERT' then
        select array_agg(n.merchant_id), array_agg(n.id), array_agg(product_search_label(n))
          into merchants, ids, labels
          from new_rows n;
      else
        select array_agg(o.merchant_id), array_agg(o.id), array_agg(null::text)
          into merchants, ids, labels
          from old_rows o;
      end if;
      for merchant in select distinct m from unnest(merchants) as m loop
        perform product_search_name(merchant, array_agg(c.id), array_agg(c.label))
          from unnest(merchants, ids, labels) as c(merchant_id, id, label) where c.merchant_id = merchant;
      end loop;
      return null;
    end
  $$;--> statement-breakpoint
do $$
declare
  record_table text;
begin
  foreach record_table in array
    '{product_brand,category,product_tag,product_attribute_option,variant_value}'::text[]
  loop
    execute format($definition$
      create or replace trigger product_search_inserted after insert on %1$I referencing new table as new_rows
        for each statement execute function product_search_name_changed()
    $definition$, record_table);
    execute format($definition$
      create or replace trigger product_search_updated after update on %1$I
        referencing old table as old_rows new table as new_rows
        for each statement execute function product_search_name_changed()
    $definition$, record_table);
    execute format($definition$
      create or replace trigger product_search_deleted after delete on %1$I referencing old table as old_rows
        for each statement execute function product_search_name_changed()
    $definition$, record_table);
  end loop;
end $$;
