-- What the tables need: extensions, and the functions and types used in defaults, generated columns, indexes and the
-- signatures of other functions. All other functions are in functions/, one per file.
do $$
declare
  extension text;
begin
  foreach extension in array '{unaccent,pg_trgm,btree_gin,fuzzystrmatch}'::text[] loop
    -- Not IF NOT EXISTS: with Citus it requires the owner of an extension that exists.
    if not exists (select from pg_extension where extname = extension) then
      execute format('create extension %I', extension);
    end if;
  end loop;
end $$;--> statement-breakpoint
-- UUID version 7 for rows written by plain SQL. PostgreSQL has a function for it only since version 18.
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
-- Folds case and accents: "Ä" becomes "a", "ß" becomes "ss", "İ" becomes "i". "Σ" becomes "σ" in all places: at the end
-- of a word it is lowered to "ς", so that a longer word would not contain it. ASCII takes a short cut that needs a third
-- of the time: it has no accents and one normal form, and the root locale lowers it as "C" does.
create function fold(text) returns text
  language sql immutable parallel safe
  as $$
    select case when octet_length($1) = char_length($1) then lower($1 collate "C") collate "und-x-icu"
      else translate(lower(public.unaccent('public.unaccent'::regdictionary, normalize($1, NFC)) collate "und-x-icu"), 'ς', 'σ') end
  $$;--> statement-breakpoint
-- Whether tables are distributed. Functions and migrations that differ on a cluster call this function.
create function has_citus() returns boolean
  language sql stable
  as $$ select exists (select from pg_catalog.pg_extension where extname = 'citus') $$;--> statement-breakpoint
-- Distributes a tenant table by merchant, colocated with the other tenant tables. Does nothing without Citus.
create function distribute(tenant_table regclass) returns void
  language plpgsql
  as $$
    begin
      if has_citus() then
        execute format(
          'select create_distributed_table(%L, ''merchant_id'', colocate_with => %L)',
          tenant_table,
          case when tenant_table = 'merchant'::regclass then 'none' else 'merchant' end
        );
      end if;
    end
  $$;--> statement-breakpoint
-- A stored payload: complete, or without the texts whose paths are in `truncated`.
create type webhook_payload as (data text, truncated text);
