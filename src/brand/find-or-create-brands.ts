import { productBrand } from '../../drizzle/brand.ts';
import type { Context } from '../context.ts';
import { newId } from '../db/sql/id.ts';
import { findOrCreateByName } from '../db/write/find-or-create.ts';
import { savePageMetadata } from '../page-metadata/save-page-metadata.ts';

type WantedBrand = { name: string; description?: string | null; imageId?: string | null };

/** The ids of the brands by name. `description` and `imageId` are used only for a brand that is created. */
export async function findOrCreateBrands(ctx: Context, brands: readonly WantedBrand[]): Promise<Map<string, string>> {
  const byName = new Map(brands.map((brand) => [brand.name, brand]));
  const { ids, created } = await findOrCreateByName(ctx, productBrand, [...byName.keys()], (name) => ({
    id: newId(),
    name,
    description: byName.get(name)!.description ?? null,
    imageId: byName.get(name)!.imageId ?? null,
  }));
  await savePageMetadata(
    ctx,
    'BRAND',
    created.map((name) => ({ targetId: ids.get(name)!, name, isNew: true })),
  );
  return ids;
}
