-- Writes the documents that were put off since product_search_hold.
create or replace function product_search_release(merchant uuid) returns void
  language plpgsql
  as $$
    declare
      held text[] := string_to_array(current_setting('product_search.held', true), ',');
    begin
      perform set_config('product_search.held', '', true);
      perform product_search_refresh(merchant, array(select distinct id::uuid from unnest(held[2:]) as id order by 1));
    end
  $$;
