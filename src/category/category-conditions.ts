import { type SQL, sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import { productAttribute, productAttributeOption } from '../../drizzle/attribute.ts';
import { productBrand } from '../../drizzle/brand.ts';
import { category } from '../../drizzle/category.ts';
import { productTag } from '../../drizzle/tag.ts';
import { variantType, variantValue } from '../../drizzle/variant-type.ts';
import type { PipelineStep } from '../db/connection/pipeline.ts';
import type { TenantTable } from '../db/read/projection.ts';
import { idArray } from '../db/sql/parameter.ts';
import { ownedBy, type Tenant } from '../db/sql/tenant.ts';
import { argumentInvalid, type InputPath } from '../errors.ts';
import type { CategoryInput } from './category-input.ts';
import { type ConditionType, idIn, valueMistake } from './condition-value.ts';

type Conditions = CategoryInput['conditions'];
type StoredConditions = (typeof category.$inferSelect)['conditions'];
type NewValue = { type: ConditionType; value: string; path: InputPath };
type Issue = { path: InputPath; message: string };
type RecordTable = TenantTable & { id: AnyPgColumn; deleted: AnyPgColumn };

/** Maximum number of values in all conditions of a category. It limits how long a comparison with a product takes. */
const MAX_VALUES = 2_000;

/** The tables whose records a condition names by id. */
const TABLES: Partial<Record<ConditionType, RecordTable[]>> = {
  CATEGORY: [category],
  PRODUCT_ATTRIBUTE: [productAttribute, productAttributeOption],
  PRODUCT_BRAND: [productBrand],
  PRODUCT_TAG: [productTag],
  VARIANT_VALUE: [variantValue, variantType],
};

/**
 * The step that refuses conditions that cannot be answered, and values that are not of their condition's type. What the
 * category has stored for a condition of the type is accepted: a record may have been deleted since. No step if no
 * record is named.
 */
export function conditionCheck(ctx: Tenant, sent: Conditions, stored: StoredConditions): PipelineStep<void>[] {
  const unanswerable = unanswerableIssues(sent, stored);
  const values = newValues(sent, stored);
  const named = values.filter(({ type, value }) => TABLES[type] && idIn(type, value) !== null);
  const check = (existing: ReadonlySet<string>): void => refuse([...unanswerable, ...valueIssues(values, existing)]);
  if (named.length === 0) {
    check(new Set());
    return [];
  }
  return [
    {
      statement: lookUp(ctx, named),
      read: (rows) => check(new Set((rows as { key: string }[]).map(({ key }) => key))),
    },
  ];
}

function unanswerableIssues(sent: Conditions, stored: StoredConditions): Issue[] {
  const conditions = sent ?? [];
  const count = conditions.reduce((sum, { valueList }) => sum + valueList.length, 0);
  const hasCampaign = (stored ?? []).some(({ conditionType }) => conditionType === 'CAMPAIGN');
  const campaigns = conditions.flatMap(({ conditionType }, index) =>
    conditionType === 'CAMPAIGN' && !hasCampaign
      ? [
          {
            path: ['input', 'conditions', index, 'conditionType'],
            message: 'must not be CAMPAIGN: the service has no campaigns',
          },
        ]
      : [],
  );
  return count > MAX_VALUES
    ? [{ path: ['input', 'conditions'], message: `must have at most ${MAX_VALUES} values together` }, ...campaigns]
    : campaigns;
}

function newValues(sent: Conditions, stored: StoredConditions): NewValue[] {
  const known = new Set(
    (stored ?? []).flatMap(({ conditionType, valueList }) => valueList.map((value) => keyOf(conditionType, value))),
  );
  return (sent ?? []).flatMap(({ conditionType: type, valueList }, index) =>
    valueList.flatMap((value, place) =>
      known.has(keyOf(type, value)) ? [] : [{ type, value, path: ['input', 'conditions', index, 'valueList', place] }],
    ),
  );
}

function keyOf(type: string, value: string): string {
  return `${type} ${value}`;
}

/** The keys of the ids that exist, for the types that name them. */
function lookUp(ctx: Tenant, named: NewValue[]): SQL {
  const types = [...new Set(named.map(({ type }) => type))];
  const parts = types.flatMap((type) => {
    const ids = idArray(named.flatMap((value) => (value.type === type ? [idIn(type, value.value)!] : [])));
    return TABLES[type]!.map(
      (table) => sql`
        select ${sql.raw(`'${type} '`)} || ${table.id} as "key" from ${table}
        where ${ownedBy(ctx, table)} and ${table.id} = any(${ids}) and not ${table.deleted}`,
    );
  });
  return sql.join(parts, sql` union all `);
}

function valueIssues(values: NewValue[], existing: ReadonlySet<string>): Issue[] {
  return values.flatMap(({ type, value, path }) => {
    const id = idIn(type, value);
    const message = valueMistake(type, value, id !== null && existing.has(keyOf(type, id)));
    return message === null ? [] : [{ path, message }];
  });
}

function refuse(issues: Issue[]): void {
  if (issues.length > 0) throw argumentInvalid(issues);
}
