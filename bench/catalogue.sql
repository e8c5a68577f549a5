-- Shops for measuring. Everything is drawn from hashes of row numbers, so that every run and every
-- machine has the same rows under the same ids.

create schema bench;

-- A UUID of version 7; later numbers have later ids, as rows written one after the other do.
create function bench.id(kind text, shop int, number int) returns uuid
  language sql immutable parallel safe
  as $$
    select (lpad(to_hex(1767225600000 + number), 12, '0')
      || '7' || lpad(to_hex(strpos('merchant brand category tag type value price channel product variant', kind)), 3, '0')
      || '8' || lpad(to_hex(shop), 3, '0') || lpad(to_hex(number), 12, '0'))::uuid
  $$;

-- From 0 up to 1; `draw` tells apart the numbers drawn for one row.
create function bench.random(number bigint, draw int) returns float8
  language sql immutable parallel safe
  as $$ select (hashint8extended(number, draw) & 2147483647)::float8 / 2147483648 $$;

create function bench.pick(words text[], number bigint, draw int) returns text
  language sql immutable parallel safe
  as $$ select words[1 + floor(bench.random(number, draw) * cardinality(words))::int] $$;

-- 40,000 words, the nth as frequent as 1/n of the first: small words, what things are called, and made-up ones.
create table bench.word (rank int primary key, word text not null);
with named(text) as (values (
  'the and with for of in to a is made from our your soft every day '
  'black white red blue green yellow orange purple brown grey beige navy teal olive pink silver gold ivory coral indigo '
  'cotton wool linen leather denim silk merino cashmere velvet canvas steel wooden ceramic glass bamboo copper rubber suede nylon fleece '
  'shirt jacket trousers dress skirt sweater hoodie coat scarf gloves hat cap socks boots sneakers sandals belt wallet backpack handbag '
  'watch ring necklace bracelet lamp chair table shelf sofa mirror carpet curtain pillow blanket towel candle vase bowl plate cup '
  'kettle knife pan pot bottle notebook pencil camera headphones keyboard mouse charger speaker tripod bicycle helmet tent racket ball rope'
)), syllables as (
  select string_to_array('ba be bi bo da de di do fa fe fi fo ga ge gi go ka ke ki ko la le li lo ma me mi mo na ne ni no '
    'pa pe pi po ra re ri ro sa se si so ta te ti to va ve vi vo za ze zi zo brin dor gal hen kar lum mar nor pel quin ros sten tor ven wick', ' ') as all
), made(rank, word) as (
  select 0, word from named, string_to_table(text, ' ') as word
  union all
  select n, concat(bench.pick(syllables.all, n, 1), bench.pick(syllables.all, n, 2), bench.pick(syllables.all, n, 3),
    case when n % 3 > 0 then bench.pick(syllables.all, n, 4) end)
  from syllables, generate_series(1, 60000) as n
)
insert into bench.word
select row_number() over (order by min(rank), min(place)), word
from (select rank, row_number() over (order by rank) as place, word from made) as numbered
group by word order by min(rank), min(place) limit 40000;
analyze bench.word;

create table bench.sentence (number int primary key, text text not null);
insert into bench.sentence
select number, string_agg(word.word, ' ' order by place)
from generate_series(0, 19999) as number, generate_series(1, 9) as place
join bench.word as word on true
where word.rank = floor(power(40000, bench.random(number * 16 + place, 1)))::int
group by number;

-- One merchant with an app and that many products. Each product has a brand, one to three categories, up to three
-- tags, a sales channel and three variants in sizes; each variant a sku, a barcode, a base price and every third a
-- price of a price list.
create function bench.load_shop(shop int, products int) returns uuid
  language plpgsql
  as $$
    declare
      owner uuid := bench.id('merchant', shop, 0);
      brands int := 500;
      categories int := 200;
      tags int := 300;
      sizes text[] := '{XS,S,M,L,XL,XXL}';
      colours text[] := (select array_agg(word order by rank) from bench.word where rank between 17 and 36);
      materials text[] := (select array_agg(word order by rank) from bench.word where rank between 37 and 56);
      things text[] := (select array_agg(word order by rank) from bench.word where rank between 57 and 116);
    begin
      insert into merchant (merchant_id, sequence, email, first_name, last_name, merchant_name)
      values (owner, nextval('merchant_sequence'), 'owner@example.com', 'Ada', 'Lovelace', 'Shop ' || shop);

      insert into price_list (merchant_id, id, name, currency, currency_code, currency_symbol)
      values (owner, bench.id('price', shop, 0), 'Wholesale', 'EUR', 'EUR', '€');
      insert into sales_channel (merchant_id, id, name, type) values (owner, bench.id('channel', shop, 0), 'Online store', 'STOREFRONT');

      insert into product_brand (merchant_id, id, name)
      select owner, bench.id('brand', shop, n), initcap(word) from generate_series(1, brands) as n join bench.word on rank = 200 + n * 3;
      insert into product_tag (merchant_id, id, name)
      select owner, bench.id('tag', shop, n), word from generate_series(1, tags) as n join bench.word on rank = 2000 + n * 5;
      insert into category (merchant_id, id, name, parent_id, path)
      select owner, bench.id('category', shop, n), initcap(word),
        case when n > 20 then bench.id('category', shop, 1 + n % 20) end,
        case when n > 20 then array[bench.id('category', shop, 1 + n % 20)] else '{}' end
      from generate_series(1, categories) as n join bench.word on rank = 20 + n order by n;
      insert into variant_type (merchant_id, id, name, selection_type) values (owner, bench.id('type', shop, 0), 'Size', 'choice');
      insert into variant_value (merchant_id, id, variant_type_id, position, name)
      select owner, bench.id('value', shop, n::int), bench.id('type', shop, 0), n - 1, size
      from unnest(sizes) with ordinality as sizes(size, n);

      insert into product (merchant_id, id, name, type, brand_id, category_ids, tag_ids, sales_channel_ids, product_variant_types, description, weight, created_at, updated_at)
      select owner, bench.id('product', shop, n),
        initcap(concat_ws(' ', made_up.word, bench.pick(colours, n, 2), bench.pick(materials, n, 3), bench.pick(things, n, 4))),
        case when n % 10 = 0 then 'DIGITAL' else 'PHYSICAL' end,
        bench.id('brand', shop, 1 + floor(power(brands, bench.random(n, 5)))::int % brands),
        array(
          select bench.id('category', shop, drawn.number) from (
            select floor(bench.random(n, 20 + place) * categories + 1)::int as number, min(place) as place from generate_series(0, n % 3) as place group by 1
          ) as drawn order by drawn.place),
        array(
          select bench.id('tag', shop, drawn.number) from (
            select floor(power(tags, bench.random(n, 30 + place)))::int as number, min(place) as place from generate_series(1, n % 4) as place group by 1
          ) as drawn order by drawn.place),
        array[bench.id('channel', shop, 0)],
        -- As the service writes JSON: without white space.
        format('[{"variantTypeId":"%s","order":0,"variantValueIds":["%s"]}]', bench.id('type', shop, 0),
          (select string_agg(bench.id('value', shop, 1 + (n + place) % 6)::text, '","' order by place) from generate_series(0, 2) as place))::json,
        (select '<p>' || string_agg(sentence.text, '. ') || '</p>' from generate_series(1, 4) as part
          join bench.sentence on sentence.number = floor(bench.random(n, 10 + part) * 20000)::int),
        round((bench.random(n, 6) * 10)::numeric, 2),
        timestamptz '2026-01-01' + n * interval '1 minute', timestamptz '2026-01-01' + n * interval '1 minute'
      from generate_series(1, products) as n
      join bench.word as made_up on made_up.rank = 117 + floor(power(39000, bench.random(n, 1)))::int
      order by n;

      insert into variant (merchant_id, id, product_id, position, sku, barcode_list, variant_value_ids, prices, created_at, updated_at)
      select owner, bench.id('variant', shop, n * 3 + place), bench.id('product', shop, n), place,
        format('SKU-%s-%s', lpad(n::text, 6, '0'), sizes[1 + (n + place) % 6]),
        array['869' || lpad(shop::text, 2, '0') || lpad((n * 3 + place)::text, 8, '0')],
        format('[{"variantTypeId":"%s","variantValueId":"%s"}]', bench.id('type', shop, 0), bench.id('value', shop, 1 + (n + place) % 6))::json,
        (select format('[%s]', string_agg(format('{"sellPrice":%s,"buyPrice":%s,"discountPrice":null,"currency":null,"priceListId":%s}',
            trim_scale(round((1 + bench.random(n * 4 + place, 40 + list) * 200)::numeric, 2)),
            trim_scale(round((1 + bench.random(n * 4 + place, 42) * 100)::numeric, 2)),
            case when list = 1 then '"' || bench.id('price', shop, 0) || '"' else 'null' end), ',' order by list))
          from generate_series(0, case when place = 0 then 1 else 0 end) as list)::json,
        timestamptz '2026-01-01' + n * interval '1 minute', timestamptz '2026-01-01' + n * interval '1 minute'
      from generate_series(1, products) as n, generate_series(0, 2) as place order by n, place;
      analyze product, variant;
      while product_search_write_pending(owner, 500) > 0 loop end loop;
      return owner;
    end
  $$;
