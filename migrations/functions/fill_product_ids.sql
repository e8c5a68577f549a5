-- Written by `npm run codegen` from drizzle/columns.ts. Do not edit.
-- Fills the columns with the ids inside a product's lists, for filters and their indexes.
create or replace function fill_product_ids() returns trigger
  language plpgsql set search_path = pg_catalog, public, pg_temp set jit = off
  as $$
    begin
      new.attribute_ids := json_texts(new.attributes, 'productAttributeId');
      new.attribute_image_ids := json_texts(new.attributes, 'imageIds') || json_text_ids(new.attributes, 'value');
      return new;
    end
  $$;--> statement-breakpoint

create or replace trigger fill_product_ids_inserted before insert on product for each row
  when (num_nonnulls(
    new.attributes, new.attribute_ids, new.attribute_image_ids) > 0)
  execute function fill_product_ids();--> statement-breakpoint
create or replace trigger fill_product_ids_updated before update of
    attributes, attribute_ids, attribute_image_ids
  on product for each row
  when ((
    old.attributes::text, old.attribute_ids, old.attribute_image_ids)
    is distinct from (
    new.attributes::text, new.attribute_ids, new.attribute_image_ids))
  execute function fill_product_ids();
