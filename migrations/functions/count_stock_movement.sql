-- Before a row is written: if its count changes and the writer has not numbered a movement for it, increases
-- last_movement_number. record_stock_counts.sql then writes the movement with this number.
create or replace function count_stock_movement() returns trigger
language plpgsql set search_path = pg_catalog, public, pg_temp set jit = off as $$
begin
  new.last_movement_number := old.last_movement_number + 1;
  return new;
end $$;--> statement-breakpoint
create or replace trigger count_stock_movement before update on product_stock_location
  for each row
  when (old.stock_count <> new.stock_count and old.last_movement_number = new.last_movement_number)
  execute function count_stock_movement();
