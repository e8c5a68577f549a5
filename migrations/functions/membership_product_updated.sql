-- Queues a changed product, so that the worker compares it with the conditions of automated categories. Nothing is queued
-- for a merchant without such categories. The trigger fires for a row only if its WHEN condition finds a change of a member that
-- conditions use, so that an update of other members costs no more than this condition.
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
