-- Queues a category with which all products of the merchant must be compared again. A category that becomes automated
-- is compared once more when older transactions have ended: they may have changed products without queuing them.
create or replace function membership_category_changed() returns trigger
  language plpgsql security definer set search_path = pg_catalog, public, pg_temp set jit = off
  as $$
    begin
      if tg_op = 'DELETE' then
        insert into membership_pending_category (merchant_id, category_id) values (old.merchant_id, old.id);
      else
        insert into membership_pending_category (merchant_id, category_id) values (new.merchant_id, new.id);
        if new.by_conditions and (tg_op = 'INSERT' or not old.by_conditions) then
          insert into membership_recheck (merchant_id, category_id) values (new.merchant_id, new.id);
        end if;
      end if;
      return null;
    end
  $$;--> statement-breakpoint

create or replace trigger membership_inserted after insert on category for each row
  when (new.by_conditions) execute function membership_category_changed();--> statement-breakpoint
create or replace trigger membership_updated after update on category for each row
  when ((old.by_conditions or new.by_conditions)
    and (old.by_conditions, old.conditions::text, coalesce(old.should_match_all_conditions, false), old.deleted)
      is distinct from
        (new.by_conditions, new.conditions::text, coalesce(new.should_match_all_conditions, false), new.deleted))
  execute function membership_category_changed();--> statement-breakpoint
create or replace trigger membership_deleted after delete on category for each row
  when (old.by_conditions) execute function membership_category_changed();
