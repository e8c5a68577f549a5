-- Writes the rows of category_product for the category ids that a product was saved with. Each row is one INSERT ...
-- VALUES, which Citus sends directly to the shard. Deletes the rows by conditions of a deleted product; if the product
-- is restored, the worker writes them again.
create or replace function category_product_changed() returns trigger
  language plpgsql security definer set search_path = pg_catalog, public, pg_temp set jit = off
  as $$
    declare
      category uuid;
    begin
      if tg_op <> 'INSERT' then
        delete from category_product c
        where c.merchant_id = old.merchant_id and c.category_id = any(old.category_ids) and not c.by_conditions
          and c.created_at = old.created_at and c.product_id = old.id;
        if tg_op = 'DELETE' or old.deleted <> new.deleted or old.created_at <> new.created_at then
          delete from category_product c
          where c.merchant_id = old.merchant_id and c.product_id = old.id and c.by_conditions;
        end if;
      end if;
      if tg_op = 'DELETE' or new.deleted then
        return null;
      end if;
      foreach category in array new.category_ids loop
        insert into category_product (merchant_id, category_id, created_at, product_id)
        values (new.merchant_id, category, new.created_at, new.id) on conflict do nothing;
      end loop;
      return null;
    end
  $$;--> statement-breakpoint

create or replace trigger category_product_inserted after insert on product
  for each row when (cardinality(new.category_ids) > 0)
  execute function category_product_changed();--> statement-breakpoint
create or replace trigger category_product_updated after update on product
  for each row when (
    (old.category_ids, old.deleted, old.created_at) is distinct from (new.category_ids, new.deleted, new.created_at))
  execute function category_product_changed();--> statement-breakpoint
create or replace trigger category_product_deleted after delete on product
  for each row execute function category_product_changed();
