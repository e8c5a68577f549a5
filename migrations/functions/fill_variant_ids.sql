-- Written by `npm run codegen` from drizzle/columns.ts. Do not edit.
-- Fills the columns with the ids inside a variant's lists, for filters and their indexes.
create or replace function fill_variant_ids() returns trigger
  language plpgsql set search_path = pg_catalog, public, pg_temp set jit = off
  as $$
    begin
      new.attribute_ids := json_texts(new.attributes, 'productAttributeId');
      new.attribute_image_ids := json_texts(new.attributes, 'imageIds') || json_text_ids(new.attributes, 'value');
      new.image_ids := json_texts(new.images, 'imageId');
      new.variant_type_ids := json_texts(new.variant_value_ids, 'variantTypeId');
      new.bundle_product_ids := json_texts(new.bundle_settings -> 'products', 'productId');
      return new;
    end
  $$;--> statement-breakpoint

create or replace trigger fill_variant_ids_inserted before insert on variant for each row
  when (num_nonnulls(
    new.attributes, new.images, new.variant_value_ids, new.bundle_settings, new.attribute_ids,
    new.attribute_image_ids, new.image_ids, new.variant_type_ids, new.bundle_product_ids) > 0)
  execute function fill_variant_ids();--> statement-breakpoint
create or replace trigger fill_variant_ids_updated before update of
    attributes, images, variant_value_ids, bundle_settings, attribute_ids, attribute_image_ids, image_ids,
    variant_type_ids, bundle_product_ids
  on variant for each row
  when ((
    old.attributes::text, old.images::text, old.variant_value_ids::text, old.bundle_settings::text, old.attribute_ids,
    old.attribute_image_ids, old.image_ids, old.variant_type_ids, old.bundle_product_ids)
    is distinct from (
    new.attributes::text, new.images::text, new.variant_value_ids::text, new.bundle_settings::text, new.attribute_ids,
    new.attribute_image_ids, new.image_ids, new.variant_type_ids, new.bundle_product_ids))
  execute function fill_variant_ids();
