-- What tables need before they exist: extensions, and the functions and types that defaults, generated columns,
-- indexes and other functions' signatures name. All other functions are in functions/, one a file.
do $$
declare
  extension text;
begin
  foreach extension in array '{unaccent,pg_trgm,btree_gin,fuzzystrmatch}'::text[] loop
    -- IF NOT EXISTS would not do: with Citus it wants the owner of an extension that is there.
    if not exists (select from pg_extension where extname = extension) then
      execute format('create extension %I', extension);
    end if;
  end loop;
end $$;--> statement-breakpoint
-- UUID version 7 for rows written by plain SQL; PostgreSQL has its own only from 18 on.
create function uuid_v7() returns uuid
  language sql volatile parallel safe
  as $$
    select encode(
      set_bit(
        set_bit(
          overlay(
            uuid_send(gen_random_uuid())
            placing substring(int8send((extract(epoch from clock_timestamp()) * 1000)::bigint) from 3)
            from 1 for 6
          ),
          52, 1
        ),
        53, 1
      ),
      'hex'
    )::uuid
  $$;--> statement-breakpoint
-- What two texts have in common when accents and case do not matter: "Ä" and "a", "ß" and "ss", "İ" and "i".
-- Plain ASCII has no accents and no other normal form, and the root locale lowers it as "C" does: a third of the time.
create function fold(text) returns text
  language sql immutable parallel safe
  as $$
    select case when octet_length($1) = char_length($1) then lower($1 collate "C") collate "und-x-icu"
      else lower(public.unaccent('public.unaccent'::regdictionary, normalize($1, NFC)) collate "und-x-icu") end
  $$;--> statement-breakpoint
-- Makes a tenant table a distributed one, beside the others of its merchant. Does nothing without Citus.
create function distribute(tenant_table regclass) returns void
  language plpgsql
  as $$
    begin
      if exists (select from pg_extension where extname = 'citus') then
        execute format(
          'select create_distributed_table(%L, ''merchant_id'', colocate_with => %L)',
          tenant_table,
          case when tenant_table = 'merchant'::regclass then 'none' else 'merchant' end
        );
      end if;
    end
  $$;--> statement-breakpoint
-- A payload as it is stored: whole, or without the texts whose paths `truncated` lists.
create type webhook_payload as (data text, truncated text);
