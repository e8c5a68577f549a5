import type { StoredAttributeValue } from '../../../drizzle/product-values.ts';
import { isId } from '../../db/sql/id.ts';
import { omitted, type OnOmission, valueOrNull } from './omission.ts';
import type { AttributeEntry } from './product-line-input.ts';
import type { AttributeRow, NamedRecords } from './named-records.ts';

const FREE_TEXT: ReadonlySet<string> = new Set(['HTML', 'TEXT', 'TABLE']);
/** Types of which a product may have several values: one for each option. */
const ENTRY_PER_OPTION: ReadonlySet<string> = new Set(['MULTIPLE_CHOICE', 'COLOR_THUMBNAIL_MULTIPLE_CHOICE']);

/** The values of attributes with names instead of ids. Null if there are none. */
export function attributeEntries(
  values: readonly StoredAttributeValue[] | null,
  { attributes }: NamedRecords,
  omit: OnOmission,
): AttributeEntry[] | null {
  return valueOrNull(
    (values ?? []).flatMap((value) => {
      const attribute = attributes.get(value.productAttributeId ?? '');
      if (!attribute) return omitted(omit, 'attributes');
      if ((value.imageIds ?? []).length > 0) omit('attributes', `has images of the attribute ${attribute.name}`);
      return attributeEntry(value, attribute) ?? omitted(omit, 'attributes', `has ids as ${attribute.name}`);
    }),
  );
}

/** The value for a file; undefined if it refers to records by their ids, which do not exist in another shop. */
function attributeEntry(stored: StoredAttributeValue, attribute: AttributeRow): AttributeEntry | undefined {
  const { productAttributeOptionId: optionId, value } = stored;
  const option = attribute.options.find(({ id }) => id === optionId);
  if ((optionId !== null && !option) || hasIds(value, attribute)) return undefined;
  return {
    attribute: attribute.name,
    type: attribute.type as AttributeEntry['type'],
    ...(attribute.tableTemplate && { tableTemplate: attribute.tableTemplate as Record<string, unknown> }),
    ...(option && { option: option.name }),
    ...(value !== null && { value }),
  };
}

function hasIds(value: string | null, { type }: AttributeRow): boolean {
  return typeof value === 'string' && !FREE_TEXT.has(type) && value.split(/[,;|\s"[\]]+/).some(isId);
}

/**
 * The values with ids. What a file does not contain stays: the images of the stored values, and stored values for which
 * no entry can be written, unless the file has another value in their place.
 */
export function attributesInput(
  entries: readonly AttributeEntry[] | null,
  stored: readonly StoredAttributeValue[] | null | undefined,
  { attributes }: NamedRecords,
): StoredAttributeValue[] {
  const values = (entries ?? []).map(({ attribute, option, value = null }) => {
    const row = attributes.find(attribute);
    const productAttributeId = row?.id ?? null;
    const productAttributeOptionId = row?.options.find(({ name }) => name === option)?.id ?? null;
    const known = stored?.find(
      (other) =>
        other.productAttributeId === productAttributeId && other.productAttributeOptionId === productAttributeOptionId,
    );
    return { productAttributeId, productAttributeOptionId, value, imageIds: known?.imageIds ?? null };
  });
  const kept = (stored ?? []).filter((value) => {
    const attribute = attributes.get(value.productAttributeId ?? '');
    return (
      !attribute || (!attributeEntry(value, attribute) && !values.some((other) => replaces(other, value, attribute)))
    );
  });
  return [...values, ...kept];
}

function replaces(value: StoredAttributeValue, stored: StoredAttributeValue, { id, type }: AttributeRow): boolean {
  if (value.productAttributeId !== id) return false;
  return !ENTRY_PER_OPTION.has(type) || value.productAttributeOptionId === stored.productAttributeOptionId;
}
