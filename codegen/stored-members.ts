import { getTableName } from 'drizzle-orm';
import { type AnyPgTable, getTableConfig } from 'drizzle-orm/pg-core';
import {
  getNamedType,
  getNullableType,
  type GraphQLInputField,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLSchema,
  isInputObjectType,
  isListType,
  isNonNullType,
} from 'graphql';
import * as tables from '../drizzle/index.ts';
import { recordTypes } from '../src/db/write/record-types.ts';
import { directiveOf } from '../src/graphql/directives.ts';
import { indented } from './event-value.ts';
import { usedMembers } from './input-types.ts';
import { currentSdl, schemaOf } from './schema-review/sdl-version.ts';

/** The inputs whose members are stored in columns of the same names. */
const STORED = {
  ProductInput: tables.product,
  VariantInput: tables.variant,
  CategoryInput: tables.category,
  ProductBrandInput: tables.productBrand,
  ProductTagInput: tables.productTag,
  ProductAttributeInput: tables.productAttribute,
  VariantTypeInput: tables.variantType,
  PriceListInput: tables.priceList,
  SalesChannelInput: tables.salesChannel,
  StockLocationInput: tables.stockLocation,
  WebhookInput: tables.webhook,
};

/** They name nothing, and no statement looks into them. */
const UNCHECKED = ['ProductAttributeInput.tableTemplate', 'StockLocationInput.address'];
/** Values in products. Some of their members may be missing in rows that plain SQL or an earlier version wrote. */
const MAY_LACK_MEMBERS = ['ProductBaseUnitModelInput', 'VariantUnitModelInput', 'ProductTranslationInput'];
/** Rows of plain SQL may lack it. */
const OPTIONAL = ['ProductBaseUnitModelInput.baseAmount'];
/** Optional in inputs, but never missing in a row: a save without it keeps the stored value, or stores a default. */
const ALWAYS_STORED = ['ProductSalesChannelInput.status'];
/** Members that are stored and not sent. */
const ADDED: Readonly<Record<string, string>> = { ProductImageInput: 'sourceUrl: nullable(text)' };
const RULES = ['boolean', 'id', 'list', 'nullable', 'number', 'object', 'optional', 'partOf', 'text'];

/** A graphql-codegen plugin: writes the rules by which `doctor --references` checks what the columns of records hold. */
export function plugin(): string {
  const schema = schemaOf(currentSdl());
  const records = Object.entries(STORED).map(([name, table]) => recordRules(schema, name, table));
  const body = records.join('');
  const used = (names: readonly string[]): string[] =>
    names.filter((name) => new RegExp(`\\b${name}[(),.]`).test(body));
  return `// Written by \`npm run codegen\` from schema/ and drizzle/. Do not edit.
import { ${used(Object.keys(recordTypes).map(tableOf)).join(', ')} } from '../../../../drizzle/index.ts';
import { ${used(RULES).join(', ')} } from '../rules/rule.ts';

/** What the service stores in columns that neither a foreign key nor their type checks. */
export const storedMembers = {
${body}};
`;
}

function recordRules(schema: GraphQLSchema, name: string, table: AnyPgTable): string {
  const type = schema.getType(name) as GraphQLInputObjectType;
  const unguarded = unguardedColumns(table);
  const members = usedMembers(type).filter((member) => unguarded.has(member.name) && !directiveOf(member, 'ownId'));
  const checked = members.filter((member) => !UNCHECKED.includes(`${name}.${member.name}`));
  const isComplete = ['product', 'variant'].includes(getTableName(table));
  const rules = checked.map((member) => `${member.name}: ${ruleOf(member, getNullableType(member.type), isComplete)}`);
  return `  ${nameOf(table)}: ${literal(rules).replaceAll('\n', '\n  ')},\n`;
}

/** The columns with ids or JSON that no foreign key has. */
function unguardedColumns(table: AnyPgTable): ReadonlySet<string> {
  const { columns, foreignKeys } = getTableConfig(table);
  const guarded = new Set(foreignKeys.flatMap((key) => key.reference().columns.map(({ name }) => name)));
  const open = columns.filter((column) => /^(uuid|json)/.test(column.getSQLType()) && !guarded.has(column.name));
  const names = Object.entries(table as unknown as Record<string, unknown>);
  return new Set(names.flatMap(([name, column]) => (open.includes(column as never) ? [name] : [])));
}

function ruleOf(member: GraphQLInputField, type: GraphQLInputType, isComplete: boolean): string {
  if (isListType(type)) return `list(${ruleOf(member, getNullableType(type.ofType), isComplete)})`;
  if (isInputObjectType(type)) return objectRule(type, isComplete);
  const reference = directiveOf(member, 'reference');
  if (reference) return idRule(reference as { to: keyof typeof recordTypes; partOf?: string });
  switch (getNamedType(type).name) {
    case 'Boolean':
      return 'boolean';
    case 'Float':
    case 'Int':
      return 'number';
    default:
      return 'text';
  }
}

function objectRule(type: GraphQLInputObjectType, isComplete: boolean): string {
  const absent = isComplete && !MAY_LACK_MEMBERS.includes(type.name) ? 'nullable' : 'optional';
  const members = usedMembers(type).map((member) => {
    const rule = ruleOf(member, getNullableType(member.type), isComplete);
    const name = `${type.name}.${member.name}`;
    const isRequired = ALWAYS_STORED.includes(name) || (isNonNullType(member.type) && !OPTIONAL.includes(name));
    return `${member.name}: ${isRequired ? rule : `${absent}(${rule})`}`;
  });
  return `object(${literal([...members, ...[ADDED[type.name] ?? []].flat()])})`;
}

function literal(members: readonly string[]): string {
  return `{\n${indented(members.map((member) => `${member},`).join('\n'))}\n}`;
}

function idRule({ to, partOf }: { to: keyof typeof recordTypes; partOf?: string }): string {
  const table = tableOf(to);
  if (partOf === undefined) return `id(${table})`;
  const whole = Object.entries(recordTypes[to].table).find(([, column]) => column === wholeOf(to))![0];
  return `partOf({ table: ${table}, whole: ${table}.${whole} }, '${partOf}')`;
}

function wholeOf(type: keyof typeof recordTypes): unknown {
  return (recordTypes[type] as { whole?: unknown }).whole;
}

function tableOf(type: string): string {
  return nameOf(recordTypes[type as keyof typeof recordTypes].table);
}

/** The name of the table's constant in drizzle/. */
function nameOf(table: unknown): string {
  return Object.entries(tables).find(([, exported]) => exported === table)![0];
}
