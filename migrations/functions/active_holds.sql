-- How many holds of a variant are active now, counted up to a number.
create or replace function active_holds(merchant uuid, variant uuid, up_to integer) returns bigint
language plpgsql stable set search_path = pg_catalog, public, pg_temp as $$
begin
  return (
    select count(*) from (
      select from stock_hold h
      where h.merchant_id = merchant and h.variant_id = variant and h.status = 'ACTIVE'
        and h.expires_at > clock_timestamp()
      limit up_to
    ) h);
end $$;
