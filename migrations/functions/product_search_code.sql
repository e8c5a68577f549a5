-- A SKU or barcode in the form that is compared as a whole.
create or replace function product_search_code(text) returns text
  language sql immutable parallel safe
  as $$ select left(btrim(fold($1)), 255) $$;
