-- Fills the columns with the ids inside a variant's lists, for filters and their indexes.
create or replace function fill_variant_ids() returns trigger
  language plpgsql set search_path = pg_catalog, public, pg_temp
  as $$
    begin
      new.image_ids := json_texts(new.images, 'imageId');
      new.variant_type_ids := json_texts(new.variant_value_ids, 'variantTypeId');
      new.attribute_ids := json_texts(new.attributes, 'productAttributeId');
      new.attribute_image_ids := json_texts(new.attributes, 'imageIds');
      new.bundle_product_ids := json_texts(new.bundle_settings -> 'products', 'productId');
      return new;
    end
  $$;--> statement-breakpoint

create or replace trigger fill_variant_ids_inserted before insert on variant for each row
  when (num_nonnulls(new.images, new.variant_value_ids, new.attributes, new.bundle_settings, new.image_ids, new.variant_type_ids, new.attribute_ids, new.attribute_image_ids, new.bundle_product_ids) > 0)
  execute function fill_variant_ids();--> statement-breakpoint
create or replace trigger fill_variant_ids_updated before update of images, variant_value_ids, attributes, bundle_settings, image_ids, variant_type_ids, attribute_ids, attribute_image_ids, bundle_product_ids on variant for each row
  when ((old.images::text, old.variant_value_ids::text, old.attributes::text, old.bundle_settings::text, old.image_ids, old.variant_type_ids, old.attribute_ids, old.attribute_image_ids, old.bundle_product_ids)
    is distinct from (new.images::text, new.variant_value_ids::text, new.attributes::text, new.bundle_settings::text, new.image_ids, new.variant_type_ids, new.attribute_ids, new.attribute_image_ids, new.bundle_product_ids))
  execute function fill_variant_ids();
