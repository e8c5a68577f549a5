import { createHash } from 'node:crypto';
import type { PortableVariant } from './portable-variant.ts';

/** The limit of a source id. */
const MAX_KEY_LENGTH = 255;
const LONE_VARIANT = 'Default Title';

export type VariantIdentity = { variantValues: readonly { name: string }[]; sku: string | null };

/** Identifies a variant in its product: its values, or else its sku. */
export function variantKey({ variantValues, sku }: VariantIdentity): string {
  const key = variantValues.map(({ name }) => name).join(' / ') || sku || LONE_VARIANT;
  return key.length <= MAX_KEY_LENGTH ? key : createHash('sha256').update(key).digest('hex');
}

/** The keys of a product's stored variants: their source ids, or else a generated unique key. */
export function storedKeys(variants: readonly PortableVariant[]): string[] {
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

/** The stored variant of each variant in the file: by key, else by values, else by a unique sku. */
export function matchVariants(
  csvVariants: readonly (VariantIdentity & { key: string })[],
  stored: readonly PortableVariant[],
): (PortableVariant | undefined)[] {
  const keys = storedKeys(stored);
  const free = new Set(stored);
  const take = (variant: PortableVariant | undefined): PortableVariant | undefined => {
    if (variant) free.delete(variant);
    return variant;
  };
  const found = csvVariants.map(({ key }) => take(stored[keys.indexOf(key)]));
  const rules: ((identity: VariantIdentity, variant: PortableVariant) => boolean)[] = [
    (identity, variant) => valuesOf(identity) === valuesOf(variant),
    ({ sku }, variant) => sku !== null && sku === variant.sku,
  ];
  for (const isSame of rules) {
    for (const [index, identity] of csvVariants.entries()) {
      const alike = found[index] ? [] : [...free].filter((variant) => isSame(identity, variant));
      if (alike.length === 1) found[index] = take(alike[0]);
    }
  }
  return found;
}

function valuesOf({ variantValues }: VariantIdentity): string {
  return JSON.stringify(variantValues.map(({ name }) => name).sort());
}
