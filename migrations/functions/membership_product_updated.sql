-- Queues a product to be compared with the conditions of automated categories, if the merchant has such categories and a
-- member has changed that conditions compare. The trigger is for each row, so that an update of other members costs no
-- more than the WHEN condition.
create or replace function membership_product_updated() returns trigger
  language plpgsql
  as $$
    begin
      if exists (select from category c where c.merchant_id = new.merchant_id and c.by_conditions) then
        insert into membership_pending_product (merchant_id, product_id) values (new.merchant_id, new.id);
      end if;
      return null;
    end
  $$;--> statement-breakpoint

create or replace trigger membership_updated after update on product for each row
  when ((old.name, old.brand_id, old.tag_ids, old.category_ids, old.attributes::text, old.deleted, old.created_at)
    is distinct from (new.name, new.brand_id, new.tag_ids, new.category_ids, new.attributes::text, new.deleted, new.created_at))
  execute function membership_product_updated();
