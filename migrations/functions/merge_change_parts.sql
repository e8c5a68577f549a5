-- Merges what several statements of a transaction changed in the same part of a record: the values before the first and
-- after the last. What is equal then is left out, and a part of which nothing is left is removed.
-- `marks`: the deletions and restorations of a part, in their order. They decide whether a truncated part, whose values
-- are not known, is deleted or restored.
-- The plan may be from a transaction of few records. A nested loop would compare 20,000 parts in 400 million pairs.
create or replace function merge_change_parts(merchant uuid, transaction_key uuid) returns void
language plpgsql set search_path = pg_catalog, public, pg_temp set enable_nestloop = off as $$
declare
  parts change_part[];
  ids uuid[];
  types text[];
  names text[];
  statements integer[];
  row_changes text[];
  befores text[];
  afters text[];
  are_truncated boolean[];
  same_part record;
begin
  parts := array(
    with repeated as (
      select p.record_id, p.record_type, p.part, min(p.statement) as statement, bool_or(p.truncated) as truncated,
        array_agg(p.row_change order by p.statement) as row_changes,
        array_agg(p.row_change order by p.statement) filter (where p.row_change in ('DELETED', 'RESTORED')) as marks
      from change_part p where p.merchant_id = merchant and p.change_transaction_id = transaction_key
      group by p.record_id, p.record_type, p.part having count(*) > 1
    ), row_side as (
      -- The rows of each part by their ids; the record's own row has the id ''.
      select p.record_id, p.record_type, p.part, p.statement, side.name as side, coalesce(r.key, '') as row_id,
        r.value as members
      from change_part p
      join repeated on (repeated.record_id, repeated.record_type, repeated.part) = (p.record_id, p.record_type, p.part),
        lateral (values ('before', p.before), ('after', p.after)) side(name, members),
        lateral json_each(case p.part when '' then json_build_object('', side.members) else side.members end) r
      where p.merchant_id = merchant and p.change_transaction_id = transaction_key and side.members is not null
    ), row_change as (
      select r.record_id, r.record_type, r.part, r.statement, r.row_id,
        bool_or(r.side = 'after' and r.members -> 'createdAt' is not null)
          and not bool_or(r.side = 'before' and r.members -> 'createdAt' is not null) as is_created,
        bool_or(r.side = 'before' and r.members -> 'createdAt' is not null)
          and not bool_or(r.side = 'after') as is_removed
      from row_side r group by r.record_id, r.record_type, r.part, r.statement, r.row_id
    ), row_life as (
      select c.record_id, c.record_type, c.part, c.row_id,
        (array_agg(c.is_created order by c.statement))[1] as is_new,
        (array_agg(c.is_removed order by c.statement desc))[1] as is_gone,
        max(c.statement) filter (where c.is_created) as created_by,
        min(c.statement) filter (where c.is_removed) as removed_by
      from row_change c group by c.record_id, c.record_type, c.part, c.row_id
    ), member as (
      select r.record_id, r.record_type, r.part, r.row_id, m.key,
        (array_agg(m.value::text order by r.statement) filter (
          where r.side = 'before' and not l.is_new and (l.removed_by is null or r.statement <= l.removed_by)))[1]
          as before,
        (array_agg(m.value::text order by r.statement desc) filter (
          where r.side = 'after' and not l.is_gone and (l.created_by is null or r.statement >= l.created_by)))[1]
          as after
      from row_side r
      join row_life l on (l.record_id, l.record_type, l.part, l.row_id)
        = (r.record_id, r.record_type, r.part, r.row_id),
        lateral json_each(r.members) m
      group by r.record_id, r.record_type, r.part, r.row_id, m.key
    ), merged_row as (
      select m.record_id, m.record_type, m.part, m.row_id,
        json_object_agg(m.key, m.before::json) filter (where m.before is not null) as before,
        json_object_agg(m.key, m.after::json) filter (where m.after is not null) as after,
        bool_or(m.key not in ('updatedAt', 'version')) as is_visible
      from member m where m.before is distinct from m.after and json_differs(m.before, m.after)
      group by m.record_id, m.record_type, m.part, m.row_id
    ), merged as (
      select r.record_id, r.record_type, r.part,
        case r.part when '' then (array_agg(r.before))[1]
          else json_object_agg(r.row_id, r.before) filter (where r.before is not null) end as before,
        case r.part when '' then (array_agg(r.after))[1]
          else json_object_agg(r.row_id, r.after) filter (where r.after is not null) end as after,
        bool_or(r.is_visible) as is_visible
      from merged_row r group by r.record_id, r.record_type, r.part
    )
    select row(
      merchant, transaction_key, o.record_id, o.record_type, o.statement, o.part,
      case
        when o.row_changes[1] = 'INSERTED' and o.row_changes[cardinality(o.row_changes)] = 'REMOVED' then null
        when o.row_changes[1] = 'INSERTED' then 'INSERTED'
        when o.row_changes[cardinality(o.row_changes)] = 'REMOVED' then 'REMOVED'
        when o.truncated then case
          when 'STAMPED' = all(o.row_changes) then 'STAMPED'
          when o.marks[1] = o.marks[cardinality(o.marks)] then o.marks[1]
          else 'UPDATED'
        end
        when not m.is_visible then 'STAMPED'
        when m.before ->> 'deleted' = 'false' then 'DELETED'
        when m.before ->> 'deleted' = 'true' then 'RESTORED'
        else 'UPDATED'
      end,
      case when not o.truncated then m.before end, case when not o.truncated then m.after end, o.truncated
    )::change_part
    from repeated o
    left join merged m on (m.record_id, m.record_type, m.part) = (o.record_id, o.record_type, o.part));
  if cardinality(parts) = 0 then
    return;
  end if;
  -- Arrays and no subqueries, so that Citus sends each statement to the shard of the merchant.
  select array_agg(r.record_id), array_agg(r.record_type), array_agg(r.part), array_agg(r.statement),
    array_agg(r.row_change), array_agg(r.before::text), array_agg(r.after::text), array_agg(r.truncated)
  into ids, types, names, statements, row_changes, befores, afters, are_truncated
  from unnest(parts) r;
  -- By the primary key: each row would be compared with each element of an array of other keys.
  for same_part in
    select r.record_type, r.part, array_agg(r.record_id) as ids from unnest(parts) r group by r.record_type, r.part
  loop
    delete from change_part p
    where p.merchant_id = merchant and p.change_transaction_id = transaction_key and p.record_id = any(same_part.ids)
      and p.record_type = same_part.record_type and p.part = same_part.part;
  end loop;
  insert into change_part
    (merchant_id, change_transaction_id, record_id, record_type, statement, part, row_change, before, after, truncated)
  select merchant, transaction_key, r.id, r.type, r.statement, r.name, r.row_change, r.before::json, r.after::json,
    r.truncated
  from unnest(ids, types, names, statements, row_changes, befores, afters, are_truncated)
    as r(id, type, name, statement, row_change, before, after, truncated)
  where r.row_change is not null and (r.before is not null or r.after is not null or r.truncated);
end $$;
