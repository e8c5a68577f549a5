-- Until product_search_release in the same transaction, changed products are only noted: a product that is written with its
-- variants and tags gets its document once. The note holds the merchant's id and the products' ids.
create or replace function product_search_hold(merchant uuid) returns void
  language plpgsql
  as $$ begin perform set_config('product_search.held', merchant::text, true); end $$;
