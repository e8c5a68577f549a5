-- Writes documents now, or notes the products if product_search_hold is in force.
create or replace function product_search_changed(merchant uuid, products uuid[]) returns void
  language plpgsql
  as $$
    declare
      held text := current_setting('product_search.held', true);
    begin
      if starts_with(held, merchant::text) then
        perform set_config('product_search.held', concat_ws(',', held, array_to_string(products, ',')), true);
      else
        perform product_search_refresh(merchant, products);
      end if;
    end
  $$;
