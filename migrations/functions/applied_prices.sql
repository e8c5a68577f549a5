-- The price of a variant in each of its price lists: the discounted one, or the one without a discount. The list of a base
-- price is the UUID of zeros. Entries that only plain SQL can have stored, without a number or with another text in the
-- place of the list's id, have no price.
create or replace function applied_prices(prices json) returns table (price_list_id uuid, price numeric)
  language sql immutable parallel safe
  as $$
    select coalesce(listed.price_list_id::uuid, '00000000-0000-0000-0000-000000000000'), listed.price::numeric
    from (
      select entry ->> 'priceListId' as price_list_id, coalesce(entry ->> 'discountPrice', entry ->> 'sellPrice') as price
      from json_array_elements(case when json_typeof(prices) = 'array' then prices end) as entry
    ) as listed
    where listed.price ~ '^\d{1,13}(\.\d{1,30})?$'
      and coalesce(listed.price_list_id ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$', true)
  $$;
