-- Returns the first of these products, until their texts together have 256 KiB. The product that reaches this limit
-- is included, so at least one is returned. Documents of 256 KiB of words that no other product has take 2 s of CPU. A
-- loop stops reading at the limit; a query would read the JSON of all products to know its length.
create or replace function product_search_batch(merchant uuid, products uuid[]) returns uuid[]
  language plpgsql stable
  as $$
    declare
      max_bytes constant int := 262144;
      bytes bigint := 0;
      first uuid[] := '{}';
      product record;
    begin
      for product in
        select listed.id,
          (select coalesce(octet_length(p.description), 0) + coalesce(octet_length(p.translations::text), 0)
              + coalesce(octet_length(p.attributes::text), 0)
            from product p where p.merchant_id = merchant and p.id = listed.id) as own,
          (select sum(octet_length(v.barcode_list::text) + coalesce(octet_length(v.attributes::text), 0)
              + coalesce(octet_length(v.variant_value_ids::text), 0))
            from variant v where v.merchant_id = merchant and v.product_id = listed.id and not v.deleted) as of_variants
        from unnest(products) as listed(id)
      loop
        exit when bytes >= max_bytes;
        first := first || product.id;
        bytes := bytes + coalesce(product.own, 0) + coalesce(product.of_variants, 0);
      end loop;
      return first;
    end
  $$;
