import { getTableColumns, getTableName } from 'drizzle-orm';
import type { AnyPgColumn, PgTable } from 'drizzle-orm/pg-core';
import { listedIdPaths, textsWithIds } from '../drizzle/columns.ts';
import { product, variant } from '../drizzle/product.ts';
import { filePlugin } from './file-plugin.ts';

const TABLES: Record<string, PgTable> = { fill_product_ids: product, fill_variant_ids: variant };

/** The names of the SQL functions that this plugin writes. */
export const fillFunctions = Object.keys(TABLES);

/** A column of ids, the JSON column that has them, and the members in which they are. `text`: see `textsWithIds`. */
type Filled = { ids: string; source: string; members: string[]; text: string | undefined };

export const plugin = filePlugin('.sql', (name) => fillFunction(name, TABLES[name]!));

function fillFunction(name: string, table: PgTable): string {
  const filled = filledColumns(table);
  const record = getTableName(table);
  const sources = [...new Set(filled.map(({ source }) => source))];
  const columns = [...sources, ...filled.map(({ ids }) => ids)];
  const values = (row: string): string =>
    lines([...sources.map((source) => `${row}.${source}::text`), ...filled.map(({ ids }) => `${row}.${ids}`)]);
  return `-- Written by \`npm run codegen\` from drizzle/columns.ts. Do not edit.
-- Fills the columns with the ids inside a ${record}'s lists, for filters and their indexes.
create or replace function ${name}() returns trigger
  language plpgsql set search_path = pg_catalog, public, pg_temp set jit = off
  as $$
    begin
${filled.map((column) => `      new.${column.ids} := ${idsIn(column)};\n`).join('')}      return new;
    end
  $$;--> statement-breakpoint

create or replace trigger ${name}_inserted before insert on ${record} for each row
  when (num_nonnulls(
    ${lines(columns.map((column) => `new.${column}`))}) > 0)
  execute function ${name}();--> statement-breakpoint
create or replace trigger ${name}_updated before update of
    ${lines(columns)}
  on ${record} for each row
  when ((
    ${values('old')})
    is distinct from (
    ${values('new')}))
  execute function ${name}();
`;
}

function filledColumns(table: PgTable): Filled[] {
  const columns = getTableColumns(table) as Record<string, AnyPgColumn>;
  return (Object.keys(listedIdPaths) as (keyof typeof listedIdPaths)[]).flatMap((member) => {
    const [source, ...members] = listedIdPaths[member].split('.');
    const ids = columns[member];
    return ids ? [{ ids: ids.name, source: columns[source!]!.name, members, text: textsWithIds[member] }] : [];
  });
}

/** A list in SQL, in lines of at most 120 characters. */
function lines(names: readonly string[]): string {
  return names.join(', ').replaceAll(/(?=.{115})(.{1,113},) /g, '$1\n    ');
}

function idsIn({ source, members, text }: Filled): string {
  const path = members.slice(0, -1).map((member) => ` -> '${member}'`);
  const list = `new.${source}${path.join('')}`;
  const listed = `json_texts(${list}, '${members.at(-1)}')`;
  return text === undefined ? listed : `${listed} || json_text_ids(${list}, '${text}')`;
}
