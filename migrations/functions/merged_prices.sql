-- The prices of both lists, each once and in ascending order.
create or replace function merged_prices(known numeric[], added numeric[]) returns numeric[]
  language sql immutable parallel safe
  as $$ select array(select distinct price from unnest(known || added) as price order by price) $$;
