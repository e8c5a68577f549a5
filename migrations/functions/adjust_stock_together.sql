-- Adds the deltas of several requests, one each, to stock counts in one transaction. Each is decided by itself, as if
-- those before it had been executed; a refused one changes nothing. Returns a row for each entry: its movement, made
-- now or by an earlier request with its key; or what is wrong with it, as adjust_stock.sql does; or the problem ALONE,
-- if it needs a transaction of its own. If others hold a lock for longer than `lock_wait`, the statement fails, so that
-- the lock delays only those who need it; but not on a cluster, whose nodes do not get this setting.
create or replace function adjust_stock_together(merchant uuid, entries json)
returns table (entry integer, problem text, actual numeric, movement_id uuid)
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
#variable_conflict use_variable
declare
  lock_wait constant text := '100ms';
  sent record;
  places uuid[];
  known record;
  used record;
  place integer;
  at_key integer;
  chosen integer[] := '{}';
  set_ids uuid[];
  made uuid[];
  transaction_key uuid := uuid_v7();
begin
  select array_agg(e.n order by e.n) as numbers, array_agg(e.key order by e.n) as keys,
    array_agg(e.hash order by e.n) as hashes, array_agg(e.product order by e.n) as products,
    array_agg(e.variant order by e.n) as variants, array_agg(e.location order by e.n) as locations,
    array_agg(e.delta order by e.n) as deltas, array_agg(e.kind order by e.n) as kinds,
    array_agg(e.reason order by e.n) as reasons, array_agg(e.reference order by e.n) as refs,
    array_agg(e.expected order by e.n) as expecteds, array_agg(e.allowed order by e.n) as allowances,
    array_agg(e.set_id order by e.n) as set_ids, array_agg(e.app_id order by e.n) as app_ids,
    array_agg(e.request_id order by e.n) as request_ids, array_agg(e.actor order by e.n) as actors
  into sent
  from json_to_recordset(entries) as e(
    n integer, key text, hash text, product uuid, variant uuid, location uuid, delta numeric, kind text, reason text,
    reference text, expected numeric, allowed boolean, set_id uuid, app_id uuid, request_id text, actor text);
  places := stock_places(merchant, sent.products, sent.variants, sent.locations);
  perform set_config('lock_timeout', lock_wait, true);
  perform lock_stock_counts(merchant, places);
  -- In later statements, which see all that was committed before the locks.
  select array_agg(c.id) as ids, array_agg(c.stock_count) as counts, array_agg(c.held) as held,
    array_agg(c.deleted) as deleted, array_agg(c.may_be_negative) as allowed
  into known
  from stock_states(merchant, places) c;
  select array_agg(k.key) as keys, array_agg(k.content_hash) as hashes, array_agg(k.record_ids[1]) as made into used
  from stock_key k where k.merchant_id = merchant and k.key = any(sent.keys);
  for n in 1..cardinality(sent.numbers) loop
    entry := sent.numbers[n];
    problem := null;
    actual := null;
    movement_id := null;
    place := array_position(known.ids, places[n]);
    at_key := array_position(used.keys, sent.keys[n]);
    if place is null or known.deleted[place] or sent.keys[n] = any(sent.keys[1:n - 1]) then
      problem := 'ALONE';
    elsif at_key is not null and used.hashes[at_key] = sent.hashes[n] then
      movement_id := used.made[at_key];
    elsif at_key is not null then
      problem := 'KEY';
    else
      problem := refused_delta(
        known.counts[place], known.held[place], sent.deltas[n], sent.expecteds[n],
        sent.allowances[n] is true or known.allowed[place]);
      actual := case problem when 'AVAILABLE' then known.counts[place] - known.held[place] else known.counts[place] end;
      if problem is null then
        known.counts[place] := known.counts[place] + sent.deltas[n];
        chosen := chosen || n;
        continue;
      end if;
    end if;
    return next;
  end loop;
  if cardinality(chosen) = 0 then
    return;
  end if;
  set_ids := array(select sent.set_ids[c] from unnest(chosen) c);
  insert into change_transaction
    (merchant_id, transaction_id, id, change_set_id, change_set_ids, authorized_app_id, operation, request_id, actor)
  values
    (merchant, pg_current_xact_id(), transaction_key, set_ids[1], set_ids, sent.app_ids[chosen[1]], 'adjustStock',
      sent.request_ids[chosen[1]], sent.actors[chosen[1]]);
  insert into change_set (merchant_id, id, authorized_app_id, operation, request_id, actor, created_at)
  select merchant, sent.set_ids[c], sent.app_ids[c], 'adjustStock', sent.request_ids[c], sent.actors[c], now()
  from unnest(chosen) c;
  made := append_stock_movements(
    merchant, array(select places[c] from unnest(chosen) c), array(select sent.deltas[c] from unnest(chosen) c),
    array(select sent.kinds[c] from unnest(chosen) c), array(select sent.reasons[c] from unnest(chosen) c),
    array(select sent.refs[c] from unnest(chosen) c), array(select sent.keys[c] from unnest(chosen) c),
    set_ids, array(select sent.app_ids[c] from unnest(chosen) c));
  perform use_stock_keys(
    merchant, array(select sent.numbers[c] from unnest(chosen) c), array(select sent.keys[c] from unnest(chosen) c),
    array(select sent.hashes[c] from unnest(chosen) c), '{}', made);
  if found then
    raise exception 'another transaction has used a key meanwhile' using errcode = 'serialization_failure';
  end if;
  return query select sent.numbers[c.n], null::text, null::numeric, made[c.place]
  from unnest(chosen) with ordinality as c(n, place);
end $$;
