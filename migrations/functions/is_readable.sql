-- Whether the members of a document can be read. A column of type json can have escapes that no text can contain:
-- \u0000 and half of a surrogate pair. A backslash that is itself escaped does not begin an
-- escape, so pairs of backslashes are removed first.
create or replace function is_readable(document json) returns boolean
language plpgsql immutable parallel safe as $$
begin
  return strpos(document::text, '\u') = 0 or regexp_replace(
    replace(document::text, '\\', ' '), '\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}', ' ', 'g'
  ) !~ '\\u(0000|[dD][89a-fA-F])';
end $$;
