-- Queues products to be compared with the conditions of automated categories, if the merchant has such categories.
create or replace function membership_mark(merchant uuid, products uuid[]) returns void
  language plpgsql
  as $$
    begin
      if exists (select from category c where c.merchant_id = merchant and c.by_conditions) then
        insert into membership_pending_product (merchant_id, product_id) select merchant, product_id from unnest(products) as product_id;
      end if;
    end
  $$;
