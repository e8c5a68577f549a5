-- Queues products after an insert or delete of their variants: for new search documents, and for the conditions of
-- automated categories. A search document does not contain variants without a code, an option or an attribute, so these
-- need no new document. A new product has been queued before by queue_inserted_products. It is queued again here,
-- because a second row costs less than to look for the first one.
create or replace function queue_products_of_variants() returns trigger
  language plpgsql security definer set search_path = pg_catalog, public, pg_temp set jit = off
  as $$
    declare
      changed record;
    begin
      for changed in
        select r.merchant_id, array_agg(distinct r.product_id) as compared,
          array_agg(distinct r.product_id) filter (
            where not r.deleted
              and (r.sku is not null or r.barcode_list <> '{}'
                or r.variant_value_ids is not null or r.attributes is not null)
          ) as searched
        from changed_rows r group by r.merchant_id
      loop
        if changed.searched is not null then
          insert into product_search_pending (merchant_id, product_id)
            select changed.merchant_id, product_id from unnest(changed.searched) as product_id;
        end if;
        if exists (select from category c where c.merchant_id = changed.merchant_id and c.by_conditions) then
          insert into membership_pending_product (merchant_id, product_id)
            select changed.merchant_id, product_id from unnest(changed.compared) as product_id;
        end if;
      end loop;
      return null;
    end
  $$;--> statement-breakpoint

create or replace trigger product_queued after insert on variant
  referencing new table as changed_rows
  for each statement execute function queue_products_of_variants();--> statement-breakpoint
create or replace trigger product_queued_deleted after delete on variant
  referencing old table as changed_rows
  for each statement execute function queue_products_of_variants();
