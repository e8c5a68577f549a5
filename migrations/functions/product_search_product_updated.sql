-- Queues a product for indexing when a member of its document has changed. A row trigger: most updates then cost only
-- its WHEN condition.
create or replace function product_search_product_updated() returns trigger
  language plpgsql
  as $$
    begin
      insert into product_search_pending (merchant_id, product_id) values (new.merchant_id, new.id);
      return null;
    end
  $$;--> statement-breakpoint

create or replace trigger product_search_updated after update on product for each row
  when (old.name is distinct from new.name or old.description is distinct from new.description or old.brand_id is distinct from new.brand_id
    or old.tag_ids is distinct from new.tag_ids or old.category_ids is distinct from new.category_ids
    or old.translations::text is distinct from new.translations::text or old.attributes::text is distinct from new.attributes::text
    or old.deleted is distinct from new.deleted)
  execute function product_search_product_updated();
