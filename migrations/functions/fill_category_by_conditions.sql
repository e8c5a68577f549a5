-- Fills category.by_conditions: true for an automated category that has conditions. Checks the type of the JSON,
-- because plain SQL may store any.
create or replace function fill_category_by_conditions() returns trigger
  language plpgsql set search_path = pg_catalog, public, pg_temp set jit = off
  as $$
    begin
      new.by_conditions := coalesce(new.is_automated, false)
        and case when json_typeof(new.conditions) = 'array' then json_array_length(new.conditions) > 0 else false end;
      return new;
    end
  $$;--> statement-breakpoint

create or replace trigger fill_category_by_conditions_inserted before insert on category for each row
  when (new.is_automated or new.by_conditions)
  execute function fill_category_by_conditions();--> statement-breakpoint
create or replace trigger fill_category_by_conditions_updated
  before update of is_automated, conditions, by_conditions on category for each row
  execute function fill_category_by_conditions();
