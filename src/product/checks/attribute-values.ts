import { type SQL, sql } from 'drizzle-orm';
import { productAttribute, productAttributeOption } from '../../../drizzle/attribute.ts';
import { product } from '../../../drizzle/product.ts';
import type { StoredAttributeValue } from '../../../drizzle/product-values.ts';
import {
  nameKey,
  optionKeys,
  productIdsIn,
  type ValuedAttribute,
  valueMistake,
} from '../../attribute/attribute-value.ts';
import type { MerchantContext } from '../../context.ts';
import type { PipelineStep } from '../../db/connection/pipeline.ts';
import { isId } from '../../db/sql/id.ts';
import { idArray } from '../../db/sql/parameter.ts';
import { ownedBy, type Tenant } from '../../db/sql/tenant.ts';
import { argumentInvalid, type InputPath, type Issue } from '../../errors.ts';
import { mapInSlices } from '../../limits/event-loop-slices.ts';
import type { ProductInput } from '../input/product-input.ts';
import type { ReferringProduct } from './product-references.ts';
import type { StoredProduct } from '../stored/stored-products.ts';

/**
 * If the attributes of a request have more options together, values are not compared with options, because reading all
 * options would take too long.
 */
const MAX_COMPARED_OPTIONS = 50_000;
const ONE_OPTION = 'must be the only option: an attribute of the type CHOICE has one';

type Sent = NonNullable<ProductInput['attributes']>[number];
type StoredList = readonly StoredAttributeValue[] | null | undefined;

/**
 * A sent value to compare with its attribute. `isTextNew`: it has a text that the product has not stored as this value.
 * `isOtherOption`: see `otherOptions`.
 */
type ComparedValue = { sent: Sent; attributeId: string; isTextNew: boolean; isOtherOption: boolean; path: InputPath };

/**
 * The step that refuses values that are not of their attribute's type. A value that the product has stored already is
 * accepted: the attribute may have got another type or other options since. So are several options of a CHOICE if the same
 * list has them stored. No step if there is nothing to look up.
 */
export async function attributeValueCheck(
  ctx: MerchantContext,
  products: readonly ReferringProduct[],
): Promise<PipelineStep<void>[]> {
  const values = (await mapInSlices(ctx, products, comparedValues)).flat();
  if (values.length === 0) return [];
  return [
    {
      statement: lookUp(ctx, values),
      read: (rows) => {
        const issues = issuesOf(values, rows as Found[]);
        if (issues.length > 0) throw argumentInvalid(issues);
      },
    },
  ];
}

function comparedValues({ input, path, stored }: ReferringProduct): ComparedValue[] {
  const known = storedKeys(stored);
  const inList = (list: readonly Sent[] | null | undefined, storedList: StoredList, at: InputPath): ComparedValue[] => {
    const others = otherOptions(list ?? [], storedList);
    return (list ?? []).flatMap((sent, index) => {
      const attributeId = sent.productAttributeId ?? '';
      const isTextNew = hasOwnText(sent) && !known.has(keyOf(sent));
      const isOtherOption = others.has(sent);
      const value = { sent, attributeId, isTextNew, isOtherOption, path: [...at, 'attributes', index] };
      return isId(attributeId) && (isTextNew || isOtherOption) ? [value] : [];
    });
  };
  return [
    ...inList(input.attributes, stored?.row.attributes, path),
    ...input.variants.flatMap(({ id, attributes }, index) =>
      inList(attributes, stored?.variants.get(id ?? '')?.attributes, [...path, 'variants', index]),
    ),
  ];
}

function storedKeys(stored: StoredProduct | undefined): ReadonlySet<string> {
  const variants = stored ? [...stored.variants.values()] : [];
  const lists = [stored?.row.attributes, ...variants.map(({ attributes }) => attributes)];
  return new Set(lists.flatMap((list) => (list ?? []).map(keyOf)));
}

function keyOf(value: Sent | StoredAttributeValue): string {
  const { productAttributeId = null, productAttributeOptionId = null, value: text = null } = value;
  return JSON.stringify([productAttributeId, productAttributeOptionId, text]);
}

/**
 * Whether the text of a value has to be checked. An empty text means no value. With an option or images the text may be
 * anything, such as their name.
 */
function hasOwnText({ value, productAttributeOptionId, imageIds }: Sent): boolean {
  return (value ?? '').trim() !== '' && productAttributeOptionId == null && (imageIds ?? []).length === 0;
}

/**
 * The entries of a list that give an attribute another option than the one that it may have: the first that the list has
 * stored, or else the first. Options are compared if all are given by id, or all by name.
 */
function otherOptions(list: readonly Sent[], storedList: StoredList): ReadonlySet<Sent> {
  const several = [...optionsIn(list)].filter(([, given]) => given.some(({ option }) => option !== given[0]!.option));
  if (several.length === 0) return new Set();
  const stored = optionsIn(storedList ?? []);
  const others = several.flatMap(([group, given]) => {
    const known = new Set(stored.get(group)?.map(({ option }) => option));
    const kept = given.find(({ option }) => known.has(option)) ?? given[0]!;
    return given.filter(({ option }) => option !== kept.option && !known.has(option));
  });
  return new Set(others.map(({ entry }) => entry));
}

type GivenOption<Entry> = { group: string; option: string; entry: Entry };

/** The options that the entries give, by attribute and by how they are given. */
function optionsIn<Entry extends Sent>(list: readonly Entry[]): Map<string, GivenOption<Entry>[]> {
  const given = list.flatMap((entry) => {
    const { productAttributeId, productAttributeOptionId: id, value } = entry;
    const option = id ?? (hasOwnText(entry) ? nameKey(value!) : null);
    return option === null ? [] : [{ group: `${id == null ? 'name' : 'id'} ${productAttributeId}`, option, entry }];
  });
  return Map.groupBy(given, ({ group }) => group);
}

type Found =
  | ({ kind: 'attribute'; id: string } & Pick<ValuedAttribute, 'type' | 'tableTemplate'>)
  | { kind: 'option'; id: string; name: string; attributeId: string }
  | { kind: 'product'; id: string };

/** Attributes, their options and the products that values name, in one statement. */
function lookUp(ctx: Tenant, values: ComparedValue[]): SQL {
  const attributeIds = idArray([...new Set(values.map(({ attributeId }) => attributeId))]);
  const productIds = idArray([...new Set(values.flatMap(({ sent }) => productIdsIn(sent.value ?? '').filter(isId)))]);
  const { id, type, tableTemplate } = productAttribute;
  const option = productAttributeOption;
  return sql`
    select 'attribute' as "kind", ${id} as "id", ${type} as "type", ${tableTemplate} as "tableTemplate",
      null as "name", null::uuid as "attributeId"
    from ${productAttribute} where ${ownedBy(ctx, productAttribute)} and ${id} = any(${attributeIds})
    union all
    (select 'option', ${option.id}, null, null, ${option.name}, ${option.attributeId}
    from ${option}
    where ${ownedBy(ctx, option)} and ${option.attributeId} = any(${attributeIds}) and not ${option.deleted}
    limit ${MAX_COMPARED_OPTIONS + 1})
    union all
    select 'product', ${product.id}, null, null, null, null
    from ${product} where ${ownedBy(ctx, product)} and ${product.id} = any(${productIds}) and not ${product.deleted}`;
}

function issuesOf(values: ComparedValue[], rows: Found[]): Issue[] {
  const options = optionsOf(rows);
  const attributes = new Map<string, ValuedAttribute>();
  for (const row of rows)
    if (row.kind === 'attribute') attributes.set(row.id, { ...row, options: options.get(row.id) ?? new Set() });
  const products = new Set(rows.flatMap((row) => (row.kind === 'product' ? [row.id] : [])));
  return values.flatMap((value) => {
    const attribute = attributes.get(value.attributeId);
    return attribute ? issueOf(value, attribute, products) : [];
  });
}

/** The keys of the options of each attribute. */
function optionsOf(rows: Found[]): Map<string, Set<string>> {
  const keys = new Map<string, Set<string>>();
  const options = rows.filter((row) => row.kind === 'option');
  if (options.length > MAX_COMPARED_OPTIONS) return keys;
  for (const option of options) {
    const known = keys.get(option.attributeId) ?? new Set();
    for (const key of optionKeys(option)) known.add(key);
    keys.set(option.attributeId, known);
  }
  return keys;
}

function issueOf(value: ComparedValue, attribute: ValuedAttribute, products: ReadonlySet<string>): Issue[] {
  const { sent, path, isTextNew, isOtherOption } = value;
  const message = isTextNew ? valueMistake(sent.value!, attribute, products) : null;
  if (message !== null) return [{ path: [...path, 'value'], message }];
  const isById = sent.productAttributeOptionId != null;
  if (attribute.type !== 'CHOICE' || !isOtherOption || !(isById || attribute.options.size > 0)) return [];
  return [{ path: [...path, isById ? 'productAttributeOptionId' : 'value'], message: ONE_OPTION }];
}
