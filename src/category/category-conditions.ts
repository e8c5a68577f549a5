import { type SQL, sql } from 'drizzle-orm';
import type { category } from '../../drizzle/category.ts';
import type { PipelineStep } from '../db/connection/pipeline.ts';
import { objectsOf } from '../db/read/stored-list.ts';
import { isId } from '../db/sql/id.ts';
import { idArray, ownedBy, type Tenant } from '../db/sql/parameter.ts';
import { isDeleted, recordTableOf, type RecordType } from '../db/write/record-types.ts';
import { argumentInvalid, type InputPath, type Issue, notFound } from '../errors.ts';
import { type ConditionType, idsIn, type RecordConditionType, valueMistake } from './condition-value.ts';
import { categoryConditionInput, type CategoryInput } from './generated/category-input.ts';

type Conditions = CategoryInput['conditions'];
type StoredConditions = (typeof category.$inferSelect)['conditions'];
type Condition = Pick<NonNullable<Conditions>[number], 'conditionType' | 'valueList'>;
type NewValue<Type = ConditionType> = { type: Type; value: string; path: InputPath };
/** An id in a value. A text without one stands for itself: it answers like the id of no record. */
type NamedRecord = { type: RecordConditionType; id: string; path: InputPath };

/** Maximum number of values in all conditions of a category. It limits how long a comparison with a product takes. */
const MAX_VALUES = 2_000;

/** The records that a condition names by id. The first type is named in errors. */
const RECORDS: Record<RecordConditionType, RecordType[]> = {
  CATEGORY: ['Category'],
  PRODUCT_ATTRIBUTE: ['ProductAttribute', 'ProductAttributeOption'],
  PRODUCT_BRAND: ['ProductBrand'],
  PRODUCT_TAG: ['ProductTag'],
  VARIANT_VALUE: ['VariantValue', 'ProductVariantType'],
};

/**
 * The step that refuses unknown and deleted records with NOT_FOUND. Conditions that cannot be answered, and values that
 * are not of their condition's type, are refused at once. What the category has stored for a condition of the type is
 * accepted: a record may have been deleted since. No step if no record is named.
 */
export function conditionCheck(
  ctx: Tenant,
  sentOrReverted: Conditions,
  storedConditions: StoredConditions,
): PipelineStep<void>[] {
  const [sent, stored] = [wholeConditions(sentOrReverted), wholeConditions(storedConditions)];
  const values = newValues(sent, stored);
  const issues = [...unanswerableIssues(sent, stored), ...values.flatMap(valueIssues)];
  if (issues.length > 0) throw argumentInvalid(issues);
  const known = storedRecords(stored);
  const named = values.filter(namesRecords).flatMap(recordsOf);
  const added = named.filter(({ type, id }) => !known.has(keyOf(type, id)));
  if (added.length === 0) return [];
  const read = (rows: readonly Record<string, unknown>[]): void =>
    refuseMissing(added, new Set(rows.map(({ key }) => key as string)));
  return [{ statement: lookUp(ctx, added), read }];
}

const conditionType = categoryConditionInput.shape.conditionType;

/** The conditions with their texts. Plain SQL can have stored any JSON: what is no condition or no text is left out. */
function wholeConditions(conditions: unknown): Condition[] {
  return objectsOf<Condition>(conditions).flatMap(({ conditionType: type, valueList }) =>
    conditionType.safeParse(type).success && Array.isArray(valueList)
      ? [{ conditionType: type, valueList: valueList.filter((value) => typeof value === 'string') }]
      : [],
  );
}

function unanswerableIssues(sent: readonly Condition[], stored: readonly Condition[]): Issue[] {
  const count = sent.reduce((sum, { valueList }) => sum + valueList.length, 0);
  const hasCampaign = stored.some(({ conditionType }) => conditionType === 'CAMPAIGN');
  const campaigns = sent.flatMap(({ conditionType }, index) =>
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

function newValues(sent: readonly Condition[], stored: readonly Condition[]): NewValue[] {
  const known = new Set(
    stored.flatMap(({ conditionType, valueList }) => valueList.map((value) => keyOf(conditionType, value))),
  );
  return sent.flatMap(({ conditionType: type, valueList }, index) =>
    valueList.flatMap((value, place) =>
      known.has(keyOf(type, value)) ? [] : [{ type, value, path: ['input', 'conditions', index, 'valueList', place] }],
    ),
  );
}

function keyOf(type: string, value: string): string {
  return `${type} ${value}`;
}

function valueIssues({ type, value, path }: NewValue): Issue[] {
  if (isRecordType(type)) return [];
  const message = valueMistake(type, value);
  return message === null ? [] : [{ path, message }];
}

function isRecordType(type: ConditionType): type is RecordConditionType {
  return type in RECORDS;
}

function namesRecords(value: NewValue): value is NewValue<RecordConditionType> {
  return isRecordType(value.type);
}

function recordsOf({ type, value, path }: NewValue<RecordConditionType>): NamedRecord[] {
  const ids = idsIn(type, value);
  return (ids.length > 0 ? ids : [value]).map((id) => ({ type, id, path }));
}

function storedRecords(stored: readonly Condition[]): ReadonlySet<string> {
  return new Set(
    stored.flatMap(({ conditionType: type, valueList }) =>
      valueList.flatMap((value) => idsIn(type, value).map((id) => keyOf(type, id))),
    ),
  );
}

/** The keys of the ids that exist, for the types that name them. */
function lookUp(ctx: Tenant, named: NamedRecord[]): SQL {
  const parts = [...Map.groupBy(named, ({ type }) => type)].flatMap(([type, records]) => {
    const ids = idArray(records.map(({ id }) => id).filter(isId));
    return RECORDS[type].map((recordType) => {
      const { table } = recordTableOf(recordType);
      return sql`
        select ${sql.raw(`'${type} '`)} || ${table.id} as "key" from ${table}
        where ${ownedBy(ctx, table)} and ${table.id} = any(${ids}) and not ${isDeleted(ctx, recordType)}`;
    });
  });
  return sql.join(parts, sql` union all `);
}

/** The error has the ids of one type, and the path of the first of them. */
function refuseMissing(named: NamedRecord[], existing: ReadonlySet<string>): void {
  const missing = named.filter(({ type, id }) => !existing.has(keyOf(type, id)));
  const [first] = missing;
  if (!first) return;
  const ids = missing.flatMap(({ type, id }) => (type === first.type ? [id] : []));
  throw notFound(RECORDS[first.type][0]!, [...new Set(ids)], first.path);
}
