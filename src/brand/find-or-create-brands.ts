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
  const wanted = wantedBrands(brands);
  const { ids, created } = await findOrCreateByName(ctx, productBrand, [...wanted.keys()], (name) => ({
    id: newId(),
    name,
    description: wanted.get(name)!.description ?? null,
    imageId: wanted.get(name)!.imageId ?? null,
    translations: wanted.get(name)!.translations ?? null,
  }));
  await savePageMetadata(
    ctx,
    'BRAND',
    created.map((name) => ({ targetId: ids.get(name)!, name, isNew: true })),
  );
  return ids;
}

/** The brands by name, each with the first value that an entry has for a member: not every product repeats them. */
function wantedBrands(brands: readonly WantedBrand[]): Map<string, WantedBrand> {
  const wanted = new Map<string, WantedBrand>();
  for (const brand of brands) {
    const known = wanted.get(brand.name) ?? brand;
    wanted.set(brand.name, {
      name: brand.name,
      description: known.description ?? brand.description,
      imageId: known.imageId ?? brand.imageId,
      translations: known.translations ?? brand.translations,
    });
  }
  return wanted;
}
