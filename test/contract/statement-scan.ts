/** What begins a query inside parentheses; other parentheses belong to the query around them. */
const QUERY_STARTS = new Set(['select', 'with', 'insert', 'update', 'delete', 'values']);
const SET_OPERATIONS = new Set(['union', 'intersect', 'except']);
/** What ends the list of tables behind `from`, so that a comma no longer introduces one. */
const LIST_ENDS = new Set([
  'select',
  'where',
  'set',
  'values',
  'returning',
  'group',
  'order',
  'having',
  'limit',
  'offset',
  'for',
  'window',
]);
/** What may follow a table that has no alias. */
const NO_ALIAS = new Set([
  ...LIST_ENDS,
  'join',
  'inner',
  'left',
  'right',
  'full',
  'cross',
  'natural',
  'on',
  'using',
  'default',
  'overriding',
]);

type Token = { text: string; kind: 'word' | 'quoted' | 'parameter' | 'string' | 'other' };

/** A statement, a sub-select, or one side of a union; queries in parentheses stand in it as one token. */
type Query = { tokens: Token[]; inner: Query[] };

type Reference = { table: string; alias: string; isInserted: boolean };

/**
 * The aliases under which a statement names a tenant table without a condition of its own: there is no
 * `alias.merchant_id = $n` in the very query that names it, or it is inserted into with a merchant that
 * is no parameter. Equality with another table's column is not enough, nor is `or`.
 */
export function unboundTables(statement: string, tenantTables: ReadonlySet<string>): string[] {
  return queriesOf(statement).flatMap(({ tokens }) => {
    const references = referencesIn(tokens, tenantTables);
    return references
      .filter(({ alias, isInserted }) =>
        isInserted ? !insertsParameter(tokens) : !hasCondition(tokens, alias, references.length === 1),
      )
      .map(({ alias }) => alias);
  });
}

/** The tenant tables that a statement names. */
export function namedTables(statement: string, tenantTables: ReadonlySet<string>): string[] {
  return queriesOf(statement).flatMap(({ tokens }) => referencesIn(tokens, tenantTables).map(({ table }) => table));
}

function queriesOf(statement: string): Query[] {
  const flat = (query: Query): Query[] => [query, ...query.inner.flatMap(flat)];
  return readQueries(tokensOf(statement), 0).queries.flatMap(flat);
}

function tokensOf(statement: string): Token[] {
  const pattern = /"((?:[^"]|"")*)"|'(?:[^']|'')*'|\$\d+|([A-Za-z_]\w*)|::|\d[\w.]*|[^\s\w]/g;
  return [...statement.matchAll(pattern)].map(([text, quoted, word]): Token => {
    if (quoted !== undefined) return { text: quoted, kind: 'quoted' };
    if (word !== undefined) return { text: word.toLowerCase(), kind: 'word' };
    return { text, kind: text.startsWith('$') ? 'parameter' : text.startsWith("'") ? 'string' : 'other' };
  });
}

/** Reads up to the parenthesis that closes the group which begins at `start`, or to the end. */
function readQueries(tokens: Token[], start: number): { queries: Query[]; end: number } {
  const queries: Query[] = [{ tokens: [], inner: [] }];
  let depth = 0;
  let index = start;
  for (; index < tokens.length; index++) {
    const token = tokens[index]!;
    const query = queries.at(-1)!;
    if (token.text === '(' && isWord(tokens[index + 1], QUERY_STARTS)) {
      const nested = readQueries(tokens, index + 1);
      query.inner.push(...nested.queries);
      query.tokens.push({ text: '(query)', kind: 'other' });
      index = nested.end;
      continue;
    }
    if (isOther(token, ')') && depth === 0) break;
    if (isOther(token, '(')) depth++;
    if (isOther(token, ')')) depth--;
    if (depth === 0 && isWord(token, SET_OPERATIONS)) queries.push({ tokens: [], inner: [] });
    else query.tokens.push(token);
  }
  return { queries, end: index };
}

function referencesIn(tokens: Token[], tenantTables: ReadonlySet<string>): Reference[] {
  const references: Reference[] = [];
  let depth = 0;
  /** How deep in parentheses the list of tables is that is being read; the columns of a recordset are deeper. */
  let listDepth: number | null = null;
  for (const [index, token] of tokens.entries()) {
    if (isOther(token, '(')) depth++;
    if (isOther(token, ')')) depth--;
    if (isWord(token, LIST_ENDS)) listDepth = null;
    if (!introducesTable(tokens, index) && !(isOther(token, ',') && listDepth === depth)) continue;
    const place = skip(tokens, index + 1);
    if (token.text === 'from' || token.text === 'using') listDepth = depth;
    const table = tokens[place];
    if (!table || !isName(table) || !tenantTables.has(table.text) || isOther(tokens[place + 1], '.')) continue;
    references.push({
      table: table.text,
      alias: aliasAt(tokens, place + 1) ?? table.text,
      isInserted: token.text === 'into',
    });
  }
  return references;
}

function introducesTable(tokens: Token[], index: number): boolean {
  const token = tokens[index]!;
  if (token.kind !== 'word') return false;
  // `for update`, `for no key update` and `do update` name no table.
  if (token.text === 'update') return !['for', 'key', 'do'].includes(tokens[index - 1]?.text ?? '');
  return ['from', 'join', 'into', 'using'].includes(token.text);
}

/** Past what may stand before a table: `only`, `lateral`, parentheses around joins, a schema. */
function skip(tokens: Token[], index: number): number {
  const token = tokens[index];
  if (isOther(token, '(') || isWord(token, new Set(['only', 'lateral']))) return skip(tokens, index + 1);
  return token?.text === 'public' && isOther(tokens[index + 1], '.') ? index + 2 : index;
}

function aliasAt(tokens: Token[], index: number): string | undefined {
  const place = tokens[index]?.kind === 'word' && tokens[index].text === 'as' ? index + 1 : index;
  const token = tokens[place];
  return token && isName(token) && !isWord(token, NO_ALIAS) ? token.text : undefined;
}

/** `where alias.merchant_id = $1 and …`, the alias left out where there is one table only. */
function hasCondition(tokens: Token[], alias: string, isAlone: boolean): boolean {
  return tokens.some((token, index) => {
    if (!isName(token) || token.text !== 'merchant_id' || !isOther(tokens[index + 1], '=')) return false;
    const isQualified = isOther(tokens[index - 1], '.');
    if (isQualified ? tokens[index - 2]?.text !== alias : !isAlone) return false;
    const value = tokens[index + 2];
    if (value?.kind !== 'parameter' && value?.kind !== 'string') return false;
    const before = tokens[index - (isQualified ? 3 : 1)];
    const after = tokens[index + (isOther(tokens[index + 3], '::') ? 5 : 3)];
    return ['where', 'and', 'on', '('].includes(before?.text ?? '') && after?.text !== 'or';
  });
}

/** `insert into table (…, merchant_id, …)` whose values or select list has `$n` in that place. */
function insertsParameter(tokens: Token[]): boolean {
  const into = tokens.findIndex((token) => token.kind === 'word' && token.text === 'into');
  const open = tokens.findIndex((token, index) => index > into && isOther(token, '('));
  const columns = itemsFrom(tokens, open + 1);
  const place = columns.items.findIndex(([column]) => column?.text === 'merchant_id');
  if (open < 0 || place < 0) return false;
  const source = tokens[columns.end + 1];
  if (source?.text === 'select') return isParameter(itemsFrom(tokens, columns.end + 2).items[place]);
  if (source?.text !== 'values') return false;
  const rows: Token[][][] = [];
  for (let index = columns.end + 2; isOther(tokens[index], '(');) {
    const row = itemsFrom(tokens, index + 1);
    rows.push(row.items);
    index = isOther(tokens[row.end + 1], ',') ? row.end + 2 : row.end + 1;
  }
  return rows.length > 0 && rows.every((row) => isParameter(row[place]));
}

/** What commas separate, up to the closing parenthesis or the word that ends a select list. */
function itemsFrom(tokens: Token[], start: number): { items: Token[][]; end: number } {
  const items: Token[][] = [[]];
  let depth = 0;
  let index = start;
  for (; index < tokens.length; index++) {
    const token = tokens[index]!;
    if (depth === 0 && (isOther(token, ')') || isWord(token, new Set(['from', 'where', 'on', 'returning'])))) break;
    if (isOther(token, '(')) depth++;
    if (isOther(token, ')')) depth--;
    if (depth === 0 && isOther(token, ',')) items.push([]);
    else items.at(-1)!.push(token);
  }
  return { items, end: index };
}

function isParameter(item: Token[] | undefined): boolean {
  const [value, cast, type] = item ?? [];
  return (
    value?.kind === 'parameter' &&
    (item!.length === 1 || (item!.length === 3 && isOther(cast, '::') && type?.text === 'uuid'))
  );
}

function isName(token: Token): boolean {
  return token.kind === 'word' || token.kind === 'quoted';
}

function isWord(token: Token | undefined, words: ReadonlySet<string>): boolean {
  return token?.kind === 'word' && words.has(token.text);
}

function isOther(token: Token | undefined, text: string): boolean {
  return token?.kind === 'other' && token.text === text;
}
