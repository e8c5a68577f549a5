-- Queues a product if a member has changed that conditions compare. The trigger is for each row, so that an update of
-- other members costs no more than the WHEN condition.
create or replace function membership_product_updated() returns trigger
  language plpgsql
  as $$
    begin
      perform membership_mark(new.merchant_id, array[new.id]);
      return null;
    end
  $$;--> statement-breakpoint

create or replace trigger membership_updated after update on product for each row
  when ((old.name, old.brand_id, old.tag_ids, old.category_ids, old.attributes::text, old.deleted, old.created_at)
    is distinct from (new.name, new.brand_id, new.tag_ids, new.category_ids, new.attributes::text, new.deleted, new.created_at))
  execute function membership_product_updated();
