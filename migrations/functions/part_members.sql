-- The members of a part of a change by their paths, as JSON texts; null where there was nothing. A variant's prices
-- are stored as the list that they are in its row, and shown one by one, by their price lists; its pictures are shown
-- without their addresses. Members with the same
-- value before and after are left out, except those of an erased customer: both of their values are "erased".
-- Not parallel safe: before PostgreSQL 17 no parallel query can catch exceptions, as json_differs does.
create or replace function part_members(part text, before json, after json)
returns table (path text, before text, after text)
language sql immutable as $$
  with member as (
    select side.name as side,
      case part when '' then '' when 'metaData' then 'metaData.' else part || '.' || row.key || '.' end as prefix,
      m.key as name, m.value
    from (values ('before', $2), ('after', $3)) side(name, members),
      json_each(case part when '' then json_build_object('', side.members) else side.members end) row,
      json_each(row.value) m
    where side.members is not null and m.key not in ('updatedAt', 'version')
  ), shown as (
    select m.side, m.prefix || m.name as path, m.value::text as value
    from member m
    where part <> 'variants' or m.name <> 'prices' or json_typeof(m.value) <> 'array'
    union all
    select m.side, concat(m.prefix, 'prices.', coalesce(price ->> 'priceListId', 'base'), '.', p.key), p.value::text
    from member m,
      json_array_elements(case when m.name = 'prices' and json_typeof(m.value) = 'array' then m.value end) price,
      json_each(case json_typeof(price) when 'object' then price end) p
    where part = 'variants' and p.key <> 'priceListId'
  ), sides as (
    select s.path, max(s.value) filter (where s.side = 'before' and s.value <> 'null') as before,
      max(s.value) filter (where s.side = 'after' and s.value <> 'null') as after
    from shown s group by s.path
  )
  select s.path,
    case when part = 'variants' and s.path like '%.images' then without_source_urls(s.before) else s.before end,
    case when part = 'variants' and s.path like '%.images' then without_source_urls(s.after) else s.after end
  from sides s
  where s.before is distinct from s.after and json_differs(s.before, s.after) or s.before = '"erased"'
$$;
