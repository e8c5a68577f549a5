-- Queues a changed product as queue_inserted_products queues a new one. A row trigger, which fires only if a member of
-- the search document or of a condition has changed: most updates cost no more than its WHEN condition. Search
-- documents do not contain `created_at`: a product that is queued without need gets the same document.
create or replace function queue_updated_product() returns trigger
  language plpgsql security definer set search_path = pg_catalog, public, pg_temp set jit = off
  as $$
    begin
      insert into product_search_pending (merchant_id, product_id) values (new.merchant_id, new.id);
      if (old.name, old.brand_id, old.tag_ids, old.category_ids, old.attributes::text, old.deleted, old.created_at)
        is distinct from
          (new.name, new.brand_id, new.tag_ids, new.category_ids, new.attributes::text, new.deleted, new.created_at)
        and exists (select from category c where c.merchant_id = new.merchant_id and c.by_conditions) then
        insert into membership_pending_product (merchant_id, product_id) values (new.merchant_id, new.id);
      end if;
      return null;
    end
  $$;--> statement-breakpoint

create or replace trigger product_queued_updated after update on product for each row
  when (old.name is distinct from new.name or old.description is distinct from new.description
    or old.brand_id is distinct from new.brand_id
    or old.tag_ids is distinct from new.tag_ids or old.category_ids is distinct from new.category_ids
    or old.translations::text is distinct from new.translations::text
    or old.attributes::text is distinct from new.attributes::text
    or old.deleted is distinct from new.deleted or old.created_at is distinct from new.created_at)
  execute function queue_updated_product();
