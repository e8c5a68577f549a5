-- Returns the entries whose hold is refused. Each entry is checked as if the entries before it that are not refused
-- were held. Product, Variant, StockLocation: it does not exist. PAST, FAR: `expiresAt` is not in the future, or more
-- than 30 days ahead. BUNDLE: the variant is a bundle, and `detail` lists its products. AVAILABLE: too little is
-- available; `actual` is how much. VARIANT_FULL, MERCHANT_FULL: there are too many holds. Entries that an earlier
-- request held are not checked. The caller has locked the counts.
create or replace function refused_holds(
  merchant uuid, numbers integer[], counts uuid[], products uuid[], variants uuid[], locations uuid[],
  quantities numeric[], expiries_ms bigint[], are_done boolean[])
returns table (entry integer, problem text, actual numeric, detail text)
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare
  holds_max constant integer := 10000;
  -- In hours, because the day on which summer time begins has 23 hours.
  longest constant interval := interval '720 hours';
  now_at timestamptz := clock_timestamp();
  is_full boolean;
  known record;
  available numeric[];
  -- By the first entry of each variant.
  taken integer[];
  sent record;
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
  available := known.available;
  taken := array_fill(0, array[cardinality(variants)]);
  select m.is_stock_held_full into is_full from merchant m where m.merchant_id = merchant;
  for sent in
    -- Materialized, so that the holds of a variant are counted once, and not for each entry.
    with own_variant as materialized (
      select v.id, d.place, h.holds,
        case when v.bundle_settings is not null then array_to_string(v.bundle_product_ids, ', ') end as parts
      from (
        select u.id, min(u.place)::integer as place from unnest(variants) with ordinality as u(id, place)
        group by u.id) d
      cross join lateral (select * from variant v where v.merchant_id = merchant and v.id = d.id limit 1) v
      cross join lateral (
        select count(*) as holds from (
          select from stock_hold h
          where h.merchant_id = merchant and h.variant_id = v.id and h.status = 'ACTIVE'
            and h.expires_at > clock_timestamp()
          limit holds_max) counted) h
    )
    select u.n, u.quantity, to_timestamp(u.expires_ms / 1000.0) as expires_at, c.place::integer,
      v.place as variant_place, v.holds, v.parts
    from unnest(numbers, counts, variants, quantities, expiries_ms, are_done)
      as u(n, id, variant_id, quantity, expires_ms, is_done)
    left join unnest(known.ids) with ordinality as c(id, place) on c.id = u.id
    left join own_variant v on v.id = u.variant_id
    where not u.is_done
    order by u.n
  loop
    -- A place without a stock count has no place in the list.
    actual := coalesce(available[sent.place], 0);
    problem := case
      when sent.expires_at <= now_at then 'PAST'
      when sent.expires_at > now_at + longest then 'FAR'
      when sent.parts is not null then 'BUNDLE'
      when actual < sent.quantity then 'AVAILABLE'
      when sent.holds + taken[sent.variant_place] >= holds_max then 'VARIANT_FULL'
      when is_full then 'MERCHANT_FULL'
    end;
    if problem is null then
      available[sent.place] := actual - sent.quantity;
      taken[sent.variant_place] := taken[sent.variant_place] + 1;
    else
      entry := sent.n;
      detail := sent.parts;
      return next;
    end if;
  end loop;
end $$;
