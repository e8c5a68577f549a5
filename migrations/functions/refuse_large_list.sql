-- Makes a statement fail whose answer would contain a list of too many bytes. It returns text only because an
-- expression that calls it needs a value; it never returns.
create or replace function refuse_large_list(bytes bigint) returns text
language plpgsql immutable parallel safe as $$
begin
  raise exception 'A list of the answer would have % bytes.', bytes using errcode = 'program_limit_exceeded';
end $$;
