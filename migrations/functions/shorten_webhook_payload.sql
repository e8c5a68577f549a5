-- Removes the longest texts of a record until it has at most 1 MiB; of texts of one length, those with the first paths.
-- Texts shorter than 256 bytes stay, so that ids are never removed. A record of many short texts can stay larger than 1
-- MiB, and one that PostgreSQL cannot read stays as it is.
create or replace function shorten_webhook_payload(document text) returns webhook_payload
language plpgsql immutable as $$
declare
  bytes_max constant integer := 1048576;
  text_bytes_min constant integer := 256;
  node jsonb;
  excess bigint;
  paths text[];
  left_out jsonb;
begin
  begin
    node := document::jsonb;
  exception when data_exception then
    return (document, null)::webhook_payload;
  end;
  excess := octet_length(node::text) - bytes_max;
  with recursive part(path, value) as (
    select '', node
    union all
    select p.path || m.key || case when jsonb_typeof(m.value) = 'string' then '' else '.' end, m.value
    from part p, lateral (
      select e.key, e.value from jsonb_each(case jsonb_typeof(p.value) when 'object' then p.value else '{}' end) e
      union all
      select (e.place - 1)::text, e.value
      from jsonb_array_elements(case jsonb_typeof(p.value) when 'array' then p.value else '[]' end)
        with ordinality as e(value, place)
    ) m
    where jsonb_typeof(m.value) in ('object', 'array', 'string') and pg_column_size(m.value) >= text_bytes_min
  ), long_text as (
    select p.path, octet_length(p.value::text) as bytes from part p where jsonb_typeof(p.value) = 'string'
  ), ranked as (
    select t.path,
      sum(t.bytes) over (order by t.bytes desc, t.path collate "C" rows unbounded preceding) - t.bytes as bytes_before
    from long_text t where t.bytes >= text_bytes_min
  )
  select array_agg(r.path order by r.path collate "C") into paths from ranked r where r.bytes_before < excess;
  if paths is null then
    return (document, null)::webhook_payload;
  end if;
  select jsonb_object_agg(t.path, 1) into left_out
  from (
    select path from unnest(paths) path
    union
    select array_to_string((string_to_array(path, '.'))[1:depth], '.') || '.'
    from unnest(paths) path, generate_series(1, cardinality(string_to_array(path, '.')) - 1) depth
  ) t;
  return (without_texts(node, '', left_out)::text, to_json(paths)::text)::webhook_payload;
end $$;
