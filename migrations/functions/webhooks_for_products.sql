-- The merchant's webhooks for events of products.
create or replace function webhooks_for_products(merchant uuid) returns webhook[] language plpgsql stable as $$
begin
  return array(
    select w from webhook w
    where w.merchant_id = merchant
      and w.scope in ('store/product/created', 'store/product/updated', 'store/product/deleted'));
end $$;
