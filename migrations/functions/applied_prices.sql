-- The price of a variant in each of its price lists: the discounted one, or the one without a discount. The list of a
-- base price is the UUID of zeros. Three values that only plain SQL can have stored have no price: an entry without a
-- number, an entry whose `priceListId` is not a UUID, and a list with a \u escape, because \u0000 cannot become text.
-- Regular expressions would take half of the time again.
create or replace function applied_prices(prices json) returns table (price_list_id uuid, price numeric)
  language sql immutable parallel safe
  as $$
    select checked.price_list_id, checked.price
    from (
      select
        case
          when listed.price_list_id is null then '00000000-0000-0000-0000-000000000000'::uuid
          when listed.price_list_id like '________-____-____-____-____________'
            and translate(listed.price_list_id, '0123456789abcdef', '') = '----' then listed.price_list_id::uuid
        end as price_list_id,
        case
          when octet_length(listed.price) between 1 and 44 and translate(listed.price, '0123456789', '') in ('', '.')
            and listed.price <> '.' then listed.price::numeric
        end as price
      from (
        select entry ->> 'priceListId' as price_list_id,
          coalesce(entry ->> 'discountPrice', entry ->> 'sellPrice') as price
        from json_array_elements(
          case when json_typeof(prices) = 'array' and strpos(prices::text, '\u') = 0 then prices end) as entry
        offset 0
      ) as listed
      offset 0
    ) as checked
    where checked.price_list_id is not null and checked.price < 1e13
  $$;
