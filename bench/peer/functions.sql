-- PostGraphile offers this function as a mutation that creates a product with its variants in one statement. Its manual
-- recommends such functions instead of nested mutations.
create or replace function public.create_whole_product(owner uuid, data json) returns public.product
language plpgsql volatile as $$
declare
  created public.product;
begin
  insert into product (merchant_id, name, type, brand_id)
  values (owner, data ->> 'name', data ->> 'type', (data ->> 'brandId')::uuid)
  returning * into created;
  insert into product_category (merchant_id, product_id, category_id, position)
  select owner, created.id, value::uuid, ordinality - 1
  from json_array_elements_text(data -> 'categoryIds') with ordinality;
  insert into product_tag_relation (merchant_id, product_id, tag_id, position)
  select owner, created.id, value::uuid, ordinality - 1
  from json_array_elements_text(data -> 'tagIds') with ordinality;
  with sent as materialized (
    select uuid_v7() as id, value, ordinality - 1 as position
    from json_array_elements(data -> 'variants') with ordinality
  ), saved as (
    insert into variant (merchant_id, id, product_id, position, sku, barcode_list)
    select owner, id, created.id, position, value ->> 'sku',
      array(select json_array_elements_text(value -> 'barcodeList'))
    from sent
  )
  insert into product_price (merchant_id, product_id, variant_id, sell_price, buy_price)
  select owner, created.id, sent.id, (price ->> 'sellPrice')::numeric, (price ->> 'buyPrice')::numeric
  from sent, json_array_elements(value -> 'prices') as price;
  return created;
end
$$;
