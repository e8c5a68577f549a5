-- Whether two JSON texts have different values. The order of members and spaces make no difference, and neither does a
-- null in place of nothing, see comparable_row. jsonb refuses some texts of type json, such as \u0000 and half of a
-- surrogate pair: they are compared as texts. Callers compare all texts first, which costs less.
create or replace function json_differs(before text, after text) returns boolean
language plpgsql immutable as $$
begin
  if before is null or after is null then
    return coalesce(before, 'null') <> coalesce(after, 'null');
  end if;
  begin
    return jsonb_strip_nulls(before::jsonb) <> jsonb_strip_nulls(after::jsonb);
  exception when data_exception then
    return before <> after;
  end;
end $$;
