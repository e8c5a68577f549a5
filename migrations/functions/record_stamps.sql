-- The times of the last save of records, and the versions of products; null for records that are gone.
create or replace function record_stamps(merchant uuid, ids uuid[], types text[])
returns table (place bigint, updated_at timestamptz, version integer)
language plpgsql stable set search_path = pg_catalog, public, pg_temp as $$
#variable_conflict use_column
declare
  found_type text;
begin
  for found_type in select distinct t from unnest(types) t loop
    return query execute format(
      $statement$
        select r.place, s.updated_at, %s
        from unnest($1, $2) with ordinality as r(id, type, place)
        left join %I s on s.merchant_id = $3 and s.id = r.id
        where r.type = $4
      $statement$,
      case found_type when 'PRODUCT' then 's.version' else 'null::integer' end,
      case found_type when 'PRODUCT_VARIANT_TYPE' then 'variant_type' else lower(found_type) end)
    using ids, types, merchant, found_type;
  end loop;
end $$;
