-- The sums of both objects' counts, member by member.
create or replace function summed_counts(one json, other json) returns json
language sql immutable parallel safe as $$
  select json_object_agg(key, count order by key)
  from (
    select key, sum(value::bigint) as count
    from (select * from json_each_text(one) union all select * from json_each_text(other)) as both_counts
    group by key) as sums
$$;
