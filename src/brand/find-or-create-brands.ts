import type { Translation } from '../../drizzle/columns.ts';
import { productBrand } from '../../drizzle/brand.ts';
import type { Context } from '../context.ts';
import { newId } from '../db/sql/id.ts';
import { findOrCreateByName } from '../db/write/find-or-create.ts';
import { savePageMetadata } from '../page-metadata/save-page-metadata.ts';

type WantedBrand = {
  name: string;
  description?: string | null;
  imageId?: string | null;
  translations?: Translation[] | null;
};

/** The ids of the brands by name. Members besides the name are used only for a brand that is created. */
export async function findOrCreateBrands(ctx: Context, brands: readonly WantedBrand[]): Promise<Map<string, string>> {
  // The first entry with texts counts: exports write them with the first product of a brand.
  const byName = new Map(brands.map((brand) => [brand.name, brand]));
  for (const brand of brands.toReversed())
    if (brand.description != null || brand.translations != null) byName.set(brand.name, brand);
  const { ids, created } = await findOrCreateByName(ctx, productBrand, [...byName.keys()], (name) => ({
    id: newId(),
    name,
    description: byName.get(name)!.description ?? null,
    imageId: byName.get(name)!.imageId ?? null,
    translations: byName.get(name)!.translations ?? null,
  }));
  await savePageMetadata(
    ctx,
    'BRAND',
    created.map((name) => ({ targetId: ids.get(name)!, name, isNew: true })),
  );
  return ids;
}
