-- The entries whose keys were used for entries with another content.
create or replace function wrong_stock_keys(merchant uuid, numbers integer[], keys text[], hashes text[])
returns table (entry integer) language plpgsql stable set search_path = pg_catalog, public, pg_temp as $$
begin
  return query select e.n
  from unnest(numbers, keys, hashes) as e(n, key, hash)
  cross join lateral (
    select k.content_hash from stock_key k where k.merchant_id = merchant and k.key = e.key limit 1) k
  where k.content_hash <> e.hash;
end $$;
