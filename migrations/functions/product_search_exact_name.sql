-- A name in the form that is compared as a whole.
create or replace function product_search_exact_name(name text) returns text
  language sql immutable parallel safe
  as $$ select left(btrim(regexp_replace(product_search_fold(name, 1024), '\s+', ' ', 'g')), 255) $$;
