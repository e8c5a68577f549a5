import { type SQL, sql } from 'drizzle-orm';
import { productAttribute, productAttributeOption } from '../../../drizzle/attribute.ts';
import type { StoredAttributeValue } from '../../../drizzle/product-values.ts';
import { product } from '../../../drizzle/product.ts';
import { optionsByText, productIdsIn, type ValuedAttribute, valueMistake } from '../../attribute/attribute-value.ts';
import { tableOf } from '../../attribute/table-value.ts';
import type { MerchantContext } from '../../context.ts';
import type { PipelineStep } from '../../db/connection/pipeline.ts';
import { isId } from '../../db/sql/id.ts';
import { idArray, ownedBy, type Tenant } from '../../db/sql/parameter.ts';
import { argumentInvalid, type InputPath, type Issue } from '../../errors.ts';
import { mapInSlices } from '../../limits/event-loop-slices.ts';
import type { StoredProduct } from '../stored/stored-products.ts';
import { hasOwnText, otherOptions, possiblyOtherOptions, type SentValue, type ValueLists } from './choice-options.ts';
import type { ReferringProduct } from './product-references.ts';

/**
 * If the attributes of a request have more options together, values are not compared with options, because reading all
 * options would take too long.
 */
const MAX_COMPARED_OPTIONS = 50_000;
/** Likewise for the templates of tables: one can have 4 MiB. */
const MAX_TEMPLATE_BYTES = 8 * 1_048_576;
const ONE_OPTION = 'must be the only option: an attribute of the type CHOICE has one';

type SentList = readonly SentValue[] | null | undefined;
type StoredList = readonly StoredAttributeValue[] | null | undefined;

/**
 * A sent value to compare with its attribute. `isTextNew`: it has a text that the product has not stored as this value.
 * `lists`: the lists that contain the value, if it may be a second option of a CHOICE; otherwise null.
 */
type ComparedValue = {
  sent: SentValue;
  attributeId: string;
  isTextNew: boolean;
  lists: ValueLists | null;
  path: InputPath;
};

/**
 * The step that refuses values that are not of their attribute's type. A value that the product has stored already is
 * accepted: the attribute may have got another type or other options since. So are several options of a CHOICE if the same
 * list has them stored. No step if there is nothing to look up.
 */
export async function attributeValueCheck(
  ctx: MerchantContext,
  products: readonly ReferringProduct[],
): Promise<PipelineStep<Promise<void>>[]> {
  const values = (await mapInSlices(ctx, products, comparedValues)).flat();
  if (values.length === 0) return [];
  return [
    {
      statement: lookUp(ctx, values),
      read: async (rows) => {
        const issues = await issuesOf(ctx, values, rows as Found[]);
        if (issues.length > 0) throw argumentInvalid(issues);
      },
    },
  ];
}

function comparedValues({ input, path, stored }: ReferringProduct): ComparedValue[] {
  const known = storedKeys(stored);
  const inList = (sentList: SentList, storedList: StoredList, at: InputPath): ComparedValue[] => {
    const lists = { sent: sentList ?? [], stored: storedList ?? [] };
    const possiblyOther = possiblyOtherOptions(lists);
    return lists.sent.flatMap((sent, index) => {
      const attributeId = sent.productAttributeId ?? '';
      const isTextNew = hasOwnText(sent) && !known.has(keyOf(sent));
      const isCompared = isId(attributeId) && (isTextNew || possiblyOther.has(sent));
      const path = [...at, 'attributes', index];
      return isCompared ? [{ sent, attributeId, isTextNew, lists: possiblyOther.has(sent) ? lists : null, path }] : [];
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

function keyOf(value: SentValue | StoredAttributeValue): string {
  const { productAttributeId = null, productAttributeOptionId = null, value: text = null } = value;
  return JSON.stringify([productAttributeId, productAttributeOptionId, text]);
}

type Found =
  | ({ kind: 'attribute' } & Pick<typeof productAttribute.$inferSelect, 'id' | 'type' | 'tableTemplate'>)
  | { kind: 'option'; id: string; name: string; attributeId: string }
  | { kind: 'product'; id: string };

/** Attributes, their options and the products that values name, in one statement. */
function lookUp(ctx: Tenant, values: ComparedValue[]): SQL {
  const attributeIds = idArray([...new Set(values.map(({ attributeId }) => attributeId))]);
  const productIds = idArray([...new Set(values.flatMap(({ sent }) => productIdsIn(sent.value ?? '').filter(isId)))]);
  const { id, type, tableTemplate } = productAttribute;
  const option = productAttributeOption;
  const isTable = sql`${type} = 'TABLE'`;
  const templateBytes = sql`sum(octet_length(${tableTemplate}::text)) filter (where ${isTable}) over ()`;
  return sql`
    select 'attribute' as "kind", ${id} as "id", ${type} as "type",
      case when ${isTable} and ${templateBytes} <= ${MAX_TEMPLATE_BYTES} then ${tableTemplate} end as "tableTemplate",
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

async function issuesOf(ctx: MerchantContext, values: ComparedValue[], rows: Found[]): Promise<Issue[]> {
  const attributes = await attributesOf(ctx, rows);
  const products = new Set(rows.flatMap((row) => (row.kind === 'product' ? [row.id] : [])));
  const lists = new Set(values.flatMap((value) => value.lists ?? []));
  const others = new Map(await mapInSlices(ctx, lists, (one) => [one, otherOptions(one, attributes)]));
  const issues = await mapInSlices(ctx, values, ({ sent, attributeId, isTextNew, lists, path }): Issue[] => {
    const attribute = attributes.get(attributeId);
    const message = attribute && isTextNew ? valueMistake(sent.value!, attribute, products) : null;
    if (message !== null) return [{ path: [...path, 'value'], message }];
    const isById = sent.productAttributeOptionId != null;
    const isOther = lists !== null && others.get(lists)!.has(sent);
    return isOther ? [{ path: [...path, isById ? 'productAttributeOptionId' : 'value'], message: ONE_OPTION }] : [];
  });
  return issues.flat();
}

async function attributesOf(ctx: MerchantContext, rows: Found[]): Promise<ReadonlyMap<string, ValuedAttribute>> {
  const options = optionsOf(rows);
  const attributes = rows.filter((row) => row.kind === 'attribute');
  return new Map(
    await mapInSlices(ctx, attributes, ({ id, type, tableTemplate }) => [
      id,
      { type, options: optionsByText(options.get(id) ?? []), table: tableOf(tableTemplate) },
    ]),
  );
}

type FoundOption = Extract<Found, { kind: 'option' }>;

/** The options of each attribute. */
function optionsOf(rows: Found[]): Map<string, FoundOption[]> {
  const options = rows.filter((row) => row.kind === 'option');
  return options.length > MAX_COMPARED_OPTIONS ? new Map() : Map.groupBy(options, ({ attributeId }) => attributeId);
}
