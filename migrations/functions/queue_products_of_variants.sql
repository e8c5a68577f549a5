-- Queues the products whose variants were inserted or deleted, as queue_inserted_products does with new products. A
-- search document contains a variant only if the variant has a code, an option or an attribute. A new product is queued
-- a second time by its variants: a second row costs less than checking for the first.
create or replace function queue_products_of_variants() returns trigger
  language plpgsql
  as $$
    declare
      changed record;
    begin
      for changed in
        select r.merchant_id, array_agg(distinct r.product_id) as compared,
          array_agg(distinct r.product_id) filter (
            where not r.deleted
              and (r.sku is not null or r.barcode_list <> '{}' or r.variant_values is not null or r.attributes is not null)
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
  referencing new table as changed_rows for each statement execute function queue_products_of_variants();--> statement-breakpoint
create or replace trigger product_queued_deleted after delete on variant
  referencing old table as changed_rows for each statement execute function queue_products_of_variants();
