-- The prices of both lists in ascending order, without duplicates.
create or replace function merged_prices(known numeric[], added numeric[]) returns numeric[]
  language sql immutable parallel safe
  as $$ select array(select distinct price from unnest(known || added) as price order by price) $$;
