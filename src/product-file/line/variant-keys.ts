import { createHash } from 'node:crypto';
import type { VariantLine } from './product-line-input.ts';

/** Maximum length of a source id, in code points. */
const MAX_KEY_LENGTH = 255;
const LONE_VARIANT = 'Default Title';

type VariantIdentity = { variantValues: readonly { name: string }[]; sku: string | null };
type Identifying = Pick<VariantLine, 'sourceId' | 'sku' | 'variantValues'>;
type StoredIdentity = VariantIdentity & { sourceId: string | null };

/** Identifies a variant in its product: its values, or else its sku. */
export function variantKey({ variantValues, sku }: VariantIdentity): string {
  const key = variantValues.map(({ name }) => name).join(' / ') || sku || LONE_VARIANT;
  return key.length <= MAX_KEY_LENGTH ? key : createHash('sha256').update(key).digest('hex');
}

/** What identifies a variant of a file. Its source id is the key that an export has given it. */
export function identityOf({ sourceId, sku = null, variantValues = [] }: Identifying) {
  const identity = { sku, variantValues: variantValues.map(({ variantValueName }) => ({ name: variantValueName })) };
  return { ...identity, key: sourceId ?? variantKey(identity) };
}

/** The keys of a product's stored variants: their source ids, or else a generated unique key. */
export function storedKeys(variants: readonly StoredIdentity[]): string[] {
  const taken = new Set(variants.map(({ sourceId }) => sourceId));
  return variants.map((variant) => {
    if (variant.sourceId !== null) return variant.sourceId;
    const key = variantKey(variant);
    let free = key;
    for (let number = 2; taken.has(free); number++) free = `${key} #${number}`;
    taken.add(free);
    return free;
  });
}

/** The variants by the keys that `storedKeys` gives them. If several have one source id, it means the first. */
function variantsByKey<Stored extends StoredIdentity>(variants: readonly Stored[]): ReadonlyMap<string, Stored> {
  const keys = storedKeys(variants);
  return new Map(variants.map((variant, index) => [keys[index]!, variant] as const).toReversed());
}

/** The stored variant of each variant in the file: by key, else by values, else by a unique sku. */
export function findStoredVariants<Stored extends StoredIdentity>(
  variants: readonly (VariantIdentity & { key: string })[],
  stored: readonly Stored[],
): (Stored | undefined)[] {
  if (stored.length === 0) return variants.map(() => undefined);
  const byKey = variantsByKey(stored);
  const found = variants.map(({ key }) => byKey.get(key));
  for (const identify of [valuesOf, ({ sku }: VariantIdentity) => sku]) {
    const taken = new Set(found);
    const free = Map.groupBy(
      stored.filter((variant) => !taken.has(variant)),
      identify,
    );
    for (const [index, variant] of variants.entries()) {
      const value = identify(variant);
      const alike = found[index] || value === null ? [] : (free.get(value) ?? []);
      if (alike.length !== 1) continue;
      found[index] = alike[0];
      free.delete(value);
    }
  }
  return found;
}

function valuesOf({ variantValues }: VariantIdentity): string {
  return JSON.stringify(variantValues.map(({ name }) => name).sort());
}
