-- `bench.add_groups` gives products of the first shop the values by which bench/filtered-pages.ts filters lists:
-- * Six categories: with 50 products, a twentieth and half of them, of all ages and the oldest ones.
-- * For each other filter one value (a brand, a tag, ...) that 50 products of all ages have.
-- For some filters most other products have one common value. The planner can then tell only from its statistics that
-- the value with 50 products is rare.

create function bench.attributes(number int) returns json
  language sql immutable
  as $$ select json_build_array(json_build_object('productAttributeId', bench.id('type', 0, number), 'productAttributeOptionId', null, 'value', 'x', 'imageIds', null)) $$;

-- `products` is the number of products in the shop, at least 20,000.
create function bench.add_groups(products int) returns void
  language plpgsql
  as $$
    declare
      -- Each product with a number divisible by this one is in the groups of 50.
      rare int := products / 50;
    begin
      insert into category (merchant_id, id, name)
      select bench.id('merchant', 0, 0), bench.id('category', 0, n), 'Group ' || n from generate_series(1001, 1007) as n;
      update category set parent_id = bench.id('category', 0, 1007)
      where merchant_id = bench.id('merchant', 0, 0) and id in (bench.id('category', 0, 1001), bench.id('category', 0, 1004));
      insert into product_brand (merchant_id, id, name) values (bench.id('merchant', 0, 0), bench.id('brand', 0, 1001), 'Group');
      insert into product_tag (merchant_id, id, name) values (bench.id('merchant', 0, 0), bench.id('tag', 0, 1001), 'Group');
      insert into sales_channel (merchant_id, id, name, type) values (bench.id('merchant', 0, 0), bench.id('channel', 0, 1001), 'Group', 'STOREFRONT');
      insert into stock_location (merchant_id, id, name)
      select bench.id('merchant', 0, 0), bench.id('price', 0, n), 'Group ' || n from generate_series(1001, 1002) as n;

      update product set
        category_ids = category_ids
          || case when n % rare = 0 then array[bench.id('category', 0, 1001)] else '{}' end
          || case when n % 20 = 0 then array[bench.id('category', 0, 1002)] else '{}' end
          || case when n % 2 = 0 then array[bench.id('category', 0, 1003)] else '{}' end
          || case when n <= 50 then array[bench.id('category', 0, 1004)] else '{}' end
          || case when n <= products / 20 then array[bench.id('category', 0, 1005)] else '{}' end
          || case when n <= products / 2 then array[bench.id('category', 0, 1006)] else '{}' end,
        brand_id = case when n % rare = 0 then bench.id('brand', 0, 1001) else brand_id end,
        vendor_id = case when n % rare = 0 then 'group' else 'most' end,
        type = case when n % rare = 0 then 'MEMBERSHIP' else type end,
        tag_ids = tag_ids || case when n % rare = 0 then array[bench.id('tag', 0, 1001)] else '{}' end,
        sales_channel_ids = sales_channel_ids || case when n % rare = 0 then array[bench.id('channel', 0, 1001)] else '{}' end,
        attributes = case when n % rare = 0 then bench.attributes(1002) when n % 3 = 0 then bench.attributes(1004) end,
        updated_at = case when n % rare = 0 then timestamptz '2027-01-02' else updated_at end
      from generate_series(1, products) as n where merchant_id = bench.id('merchant', 0, 0) and id = bench.id('product', 0, n);

      -- A high and a low base price, and a price in a list that all products have a price in.
      update variant set prices = json_build_array(
        json_build_object('sellPrice', case when n % rare = 0 then 1000000 when n % rare = 1 then 0.5 else 10 end, 'buyPrice', null, 'discountPrice', null, 'currency', null, 'priceListId', null),
        json_build_object('sellPrice', case when n % rare = 0 then 2000000 else n end, 'buyPrice', null, 'discountPrice', null, 'currency', null, 'priceListId', bench.id('price', 0, 1003)))
      from generate_series(1, products) as n where merchant_id = bench.id('merchant', 0, 0) and id = bench.id('variant', 0, n * 3);

      -- All variants of these products get the variant type. If only one variant of each product had it, ANALYZE, which
      -- reads a tenth of the variants, would find none of them in about one run of 25.
      update variant set
        variant_value_ids = json_build_array(json_build_object('variantTypeId', bench.id('type', 0, 1001), 'variantValueId', bench.id('value', 0, 1)))
      from generate_series(rare, products, rare) as n where merchant_id = bench.id('merchant', 0, 0) and product_id = bench.id('product', 0, n);

      -- For one variant of each product: some get an attribute, and each gets a bundle that contains one product.
      update variant set
        attributes = case when n % rare = 0 then bench.attributes(1003) when n % 4 = 0 then bench.attributes(1004) end,
        bundle_settings = json_build_object('maxBundleQuantity', null, 'minBundleQuantity', null, 'products', json_build_array(json_build_object(
          'id', bench.id('value', 0, products + n), 'productId', bench.id('tag', 0, case when n % rare = 0 then 1002 else 1003 end), 'quantity', 1, 'order', 0,
          'filteredVariantIds', json_build_array(), 'addToBundleBasePrice', null, 'discountRatio', null, 'minQuantity', null, 'maxQuantity', null)))
      from generate_series(4, products, 4) as n where merchant_id = bench.id('merchant', 0, 0) and id = bench.id('variant', 0, n * 3);

      insert into product_stock_location (merchant_id, product_id, variant_id, stock_location_id, stock_count)
      select bench.id('merchant', 0, 0), bench.id('product', 0, n), bench.id('variant', 0, n * 3), bench.id('price', 0, case when n % rare = 0 then 1001 else 1002 end), case when n % rare = 0 then 1 else 0 end
      from generate_series(1, products) as n;

      -- 50 products without brand, vendor, category and sales channel. Products of the other shops get a vendor, because
      -- Postgres keeps statistics of the whole table: otherwise products without a vendor would be frequent in them.
      update product set vendor_id = 'most' where merchant_id <> bench.id('merchant', 0, 0);
      update product set brand_id = null, vendor_id = null, category_ids = '{}', sales_channel_ids = '{}'
      from generate_series(rare / 2, products, rare) as n where merchant_id = bench.id('merchant', 0, 0) and id = bench.id('product', 0, n);
      update variant set sku = null, barcode_list = '{}', variant_value_ids = null
      from generate_series(rare / 2, products, rare) as n where merchant_id = bench.id('merchant', 0, 0) and product_id = bench.id('product', 0, n);
    end
  $$;
