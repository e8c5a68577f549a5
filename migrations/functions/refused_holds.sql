-- Returns the entries whose hold is refused. Each entry is checked as if all entries before it were held. Product,
-- Variant, StockLocation: it does not exist. PAST, FAR: `expiresAt` is not in the future, or more than 30 days ahead.
-- BUNDLE: the variant is a bundle, and `detail` lists its products. AVAILABLE: too little is available; `actual` is
-- how much. VARIANT_FULL, MERCHANT_FULL: there are too many holds. Entries that an earlier request held are not
-- checked. The caller has locked the counts.
create or replace function refused_holds(
  merchant uuid, numbers integer[], counts uuid[], products uuid[], variants uuid[], locations uuid[],
  quantities numeric[], expiries_ms bigint[], are_done boolean[])
returns table (entry integer, problem text, actual numeric, detail text)
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare
  holds_max constant integer := 10000;
  longest constant interval := interval '30 days';
  now_at timestamptz := clock_timestamp();
  is_full boolean;
  known record;
begin
  return query select u.entry, u.problem, null::numeric, null::text
  from unknown_stock(merchant, numbers, counts, products, variants, locations) u
  join unnest(numbers, are_done) as e(n, is_done) on e.n = u.entry where not e.is_done;
  if found then
    return;
  end if;
  -- In a separate statement: Citus cannot call a function that reads tables within a query on distributed tables.
  select array_agg(c.id) as ids, array_agg(c.stock_count - c.held) as available into known
  from stock_states(merchant, counts) c;
  select m.is_stock_held_full into is_full from merchant m where m.merchant_id = merchant;
  return query
  -- Materialized, so that the holds of a variant are counted once, and not for each entry.
  with own_variant as materialized (
    select v.id, h.holds,
      case when v.bundle_settings is not null then array_to_string(v.bundle_product_ids, ', ') end as parts
    from (select distinct u.id from unnest(variants) as u(id)) d
    cross join lateral (select * from variant v where v.merchant_id = merchant and v.id = d.id limit 1) v
    cross join lateral (
      select count(*) as holds from (
        select from stock_hold h
        where h.merchant_id = merchant and h.variant_id = v.id and h.status = 'ACTIVE'
          and h.expires_at > clock_timestamp()
        limit holds_max) counted) h
  )
  select r.n, r.problem, r.available, r.parts
  from (
    select e.n, coalesce(c.available, 0) - e.quantities_before as available, v.parts,
      case
        when to_timestamp(e.expires_ms / 1000.0) <= now_at then 'PAST'
        when to_timestamp(e.expires_ms / 1000.0) > now_at + longest then 'FAR'
        when v.parts is not null then 'BUNDLE'
        when coalesce(c.available, 0) - e.quantities_before < e.quantity then 'AVAILABLE'
        when v.holds + e.variant_place > holds_max then 'VARIANT_FULL'
        when is_full then 'MERCHANT_FULL'
      end as problem
    from (
      select u.*, sum(u.quantity) over counted - u.quantity as quantities_before,
        row_number() over (partition by u.variant_id order by u.n) as variant_place
      from unnest(numbers, counts, variants, locations, quantities, expiries_ms, are_done)
        as u(n, id, variant_id, location_id, quantity, expires_ms, is_done)
      where not u.is_done
      -- Not by the id, which all places without a stock count have in common: null.
      window counted as (partition by u.variant_id, u.location_id order by u.n)
    ) e
    left join unnest(known.ids, known.available) as c(id, available) on c.id = e.id
    left join own_variant v on v.id = e.variant_id
  ) r
  where r.problem is not null;
end $$;
