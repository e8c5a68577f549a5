import type { StoredAttributeValue } from '../../../drizzle/product-values.ts';
import { nameKey, optionOf, type ValuedAttribute } from '../../attribute/attribute-value.ts';
import type { ProductInput } from '../input/product-input.ts';

export type SentValue = NonNullable<ProductInput['attributes']>[number];

/** The values of a product or a variant, sent and stored. */
export type ValueLists = { readonly sent: readonly SentValue[]; readonly stored: readonly StoredAttributeValue[] };

/**
 * Whether the text of a value has to be checked. An empty text means no value. With an option or images the text may be
 * anything, such as their name.
 */
export function hasOwnText({ value, productAttributeOptionId, imageIds }: SentValue): boolean {
  // Plain SQL can have stored a value of another type.
  const hasText = typeof value === 'string' && value.trim() !== '';
  return hasText && productAttributeOptionId == null && (imageIds ?? []).length === 0;
}

/** The entries that may be a second option of an attribute of the type CHOICE. Entries that are stored already may not. */
export function possiblyOtherOptions({ sent, stored }: ValueLists): ReadonlySet<SentValue> {
  const given = Map.groupBy(sent.filter(givesOption), ({ productAttributeId }) => productAttributeId);
  const several = [...given.values()].filter((entries) => new Set(entries.map(givenText)).size > 1).flat();
  if (several.length === 0) return new Set();
  const keyOf = (entry: SentValue) => JSON.stringify([entry.productAttributeId, givenText(entry)]);
  const known = new Set(stored.filter(givesOption).map(keyOf));
  return new Set(several.filter((entry) => !known.has(keyOf(entry))));
}

/**
 * The entries that are a second option of an attribute of the type CHOICE. The one option that such an attribute may have is
 * the first entry that is stored, or else the first entry. If the attribute has no options, its texts are no options.
 */
export function otherOptions(
  { sent, stored }: ValueLists,
  attributes: ReadonlyMap<string, ValuedAttribute>,
): ReadonlySet<SentValue> {
  const known = optionsIn(stored, attributes);
  const others = [...optionsIn(sent, attributes)].flatMap(([attributeId, given]) => {
    const storedOptions = new Set(known.get(attributeId)?.map(({ option }) => option));
    const kept = given.find(({ option }) => storedOptions.has(option)) ?? given[0]!;
    return given.filter(({ option }) => option !== kept.option && !storedOptions.has(option));
  });
  return new Set(others.map(({ entry }) => entry));
}

type GivenOption = { attributeId: string; option: string; entry: SentValue };

/** The options that the entries give to attributes of the type CHOICE. */
function optionsIn(
  list: readonly SentValue[],
  attributes: ReadonlyMap<string, ValuedAttribute>,
): Map<string, GivenOption[]> {
  const given = list.filter(givesOption).flatMap((entry): GivenOption[] => {
    const attributeId = entry.productAttributeId ?? '';
    const attribute = attributes.get(attributeId);
    const isById = entry.productAttributeOptionId != null;
    if (attribute?.type !== 'CHOICE' || !(isById || attribute.options.size > 0)) return [];
    const option = isById ? entry.productAttributeOptionId! : optionOf(entry.value!, attribute);
    return [{ attributeId, option: option ?? givenText(entry), entry }];
  });
  return Map.groupBy(given, ({ attributeId }) => attributeId);
}

function givesOption(entry: SentValue): boolean {
  return entry.productAttributeOptionId != null || hasOwnText(entry);
}

function givenText({ productAttributeOptionId, value }: SentValue): string {
  return productAttributeOptionId ?? nameKey(value!);
}
