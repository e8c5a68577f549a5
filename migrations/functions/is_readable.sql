-- Whether the members of a document can be read. A column of type json can have escapes that no text can contain:
-- \u0000 and half of a surrogate pair.
create or replace function is_readable(document json) returns boolean
language plpgsql immutable parallel safe as $$
begin
  return strpos(document::text, '\u') = 0 or pg_input_is_valid(document::text, 'jsonb');
end $$;
