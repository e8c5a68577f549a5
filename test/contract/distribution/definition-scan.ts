/** A file of SQL definitions, as in migrations/. */
export type SqlFile = { file: string; text: string };

/** One violation of a rule, at a line of a file. */
export type Breach = { file: string; line: number; rule: DefinitionRule; what: string };

/** Rules by name: constructs that Citus refuses or executes wrongly. */
export const DEFINITION_RULES = {
  'sql-function-on-tenant-table': 'Citus cannot plan a LANGUAGE SQL function that reads a tenant table: use PL/pgSQL',
  'generic-plan': 'Citus refuses plan_cache_mode = force_generic_plan: set it where the extension is absent',
  'table-name':
    'on a shard tg_table_name contains the number of the shard: pass the name as an argument of the trigger',
  'sequence-in-trigger': 'workers do not have the sequence, and each node would have values of its own',
  'queue-in-trigger': 'shards cannot reach the queue: create the trigger where the extension is absent',
  'notify-in-trigger': 'a notification on a worker reaches nobody',
  'inserting-cte-in-trigger':
    'Citus plans it anew and copies its rows for each call (15 ms): use a statement of its own',
  'row-array-comparison': 'the row type of a shard is another type: compare cardinality()',
  'merge-statement': 'Citus does not route MERGE',
  'joined-modification':
    'from its sixth execution on, PL/pgSQL uses the generic plan, which Citus sends to all shards: loop over the rows',
  'advisory-lock': 'advisory locks belong to one node, so not in functions over tenant tables',
} as const;

export type DefinitionRule = keyof typeof DEFINITION_RULES;

type Definition = SqlFile & { name: string; head: string; body: string; at: number; headAt: number; bodyAt: number };
type Trigger = SqlFile & { condition: string; conditionAt: number; calls: string };

/** `create function name(…) returns … as $tag$ body $tag$`. Groups: name, text before the body, quotes, body. */
const FUNCTION = /create\s+(?:or\s+replace\s+)?function\s+(?:public\.)?(\w+)([^$;]*)(\$\w*\$)([^]*?)\3/gi;
const TRIGGER = /create\s+(?:or\s+replace\s+)?(?:constraint\s+)?trigger\s([^]*?)execute\s+function\s+(\w+)/gi;
/** A table in a statement; libpg-query does not read statements inside PL/pgSQL. */
const TABLE = /\b(?:from|join|into|update|using)\s+(?:only\s+)?(?:public\.)?(\w+)/g;
const BLOCK = /\bdo\s+(\$\w*\$)([^]*?)\1/gi;
/** The condition of blocks that run only on plain PostgreSQL. */
const WITHOUT_CITUS = /if\s+not\s+has_citus\(\)\s+then/i;

/** The breaches in the functions and triggers of all files. Follows calls of functions between files. */
export function definitionBreaches(files: readonly SqlFile[], tenantTables: ReadonlySet<string>): Breach[] {
  const functions = files.flatMap(functionsOf);
  const triggers = files.flatMap(triggersOf);
  const breaches = [
    ...functions.flatMap((definition) => functionBreaches(definition, tenantTables)),
    ...triggers.flatMap((trigger) => triggerBreaches(trigger, functions)),
  ];
  // Several triggers may call the same function.
  return [...new Map(breaches.map((breach) => [JSON.stringify(breach), breach])).values()].toSorted(
    (a, b) => a.file.localeCompare(b.file) || a.line - b.line,
  );
}

function functionsOf({ file, text }: SqlFile): Definition[] {
  return [...withoutComments(text).matchAll(FUNCTION)].map((match) => {
    const [all, name, head, quote, body] = match as unknown as [string, string, string, string, string];
    const bodyAt = match.index + all.length - body.length - quote.length;
    return { name, head, body, file, text, at: match.index, headAt: bodyAt - quote.length - head.length, bodyAt };
  });
}

/** Triggers that exist on a cluster. */
function triggersOf({ file, text }: SqlFile): Trigger[] {
  const plain = withoutComments(text);
  const blocks = [...plain.matchAll(BLOCK)].filter(([, , body]) => WITHOUT_CITUS.test(body!));
  const isGuarded = (at: number): boolean =>
    blocks.some(({ index, 0: block }) => at > index && at < index + block.length);
  return [...plain.matchAll(TRIGGER)]
    .filter(({ index }) => !isGuarded(index))
    .map((match) => {
      const [all, condition, calls] = match as unknown as [string, string, string];
      return { file, text, condition, conditionAt: match.index + all.indexOf(condition), calls };
    });
}

/** Replaces comments by spaces, so that offsets stay the same. */
function withoutComments(text: string): string {
  return text.replace(/--(?!> statement-breakpoint).*/g, (comment) => ' '.repeat(comment.length));
}

function functionBreaches(definition: Definition, tenantTables: ReadonlySet<string>): Breach[] {
  const { head, body, at, headAt, bodyAt } = definition;
  const found = (rule: DefinitionRule, place: number): Breach => breach(definition, place, rule, definition.name);
  const places = (pattern: RegExp): number[] => [...body.matchAll(pattern)].map(({ index }) => bodyAt + index);
  const reads = [...body.matchAll(TABLE)].some(([, table]) => tenantTables.has(table!));
  const generic = head.search(/force_generic_plan/i);
  return [
    ...(reads && /\blanguage\s+sql\b/i.test(head) ? [found('sql-function-on-tenant-table', at)] : []),
    ...(generic >= 0 ? [found('generic-plan', headAt + generic)] : []),
    ...places(/\btg_table_name\b|\btg_relname\b/gi).map((place) => found('table-name', place)),
    ...places(/\bmerge\s+into\b/gi).map((place) => found('merge-statement', place)),
    ...joinedModifications(body, tenantTables).map((place) => found('joined-modification', bodyAt + place)),
    ...(reads ? places(/\bpg_(?:try_)?advisory_\w+/gi).map((place) => found('advisory-lock', place)) : []),
    ...rowArrays(definition, tenantTables).flatMap((name) =>
      places(comparisonOf(name)).map((place) => found('row-array-comparison', place)),
    ),
  ];
}

/** Offsets of DELETE … USING and UPDATE … FROM. Ignores sub-selects, which are in parentheses. */
function joinedModifications(body: string, tenantTables: ReadonlySet<string>): number[] {
  let plain = body;
  for (let before = ''; before !== plain;) {
    before = plain;
    plain = before.replace(/\([^()]*\)/g, (group) => '_'.repeat(group.length));
  }
  return [...plain.matchAll(/\b(?:delete\s+from|update)\s+(?:public\.)?(\w+)([^;]*)/gi)]
    .filter(([, table, rest]) => tenantTables.has(table!.toLowerCase()) && /\b(?:using|from)\b/i.test(rest!))
    .map(({ index }) => index);
}

/** Parameters and variables that are arrays of rows of a tenant table. */
function rowArrays({ head, body }: Definition, tenantTables: ReadonlySet<string>): string[] {
  return [...`${head} ${body}`.matchAll(/\b(\w+)\s+(?:public\.)?(\w+)\s*\[\]/g)].flatMap(([, name, type]) =>
    tenantTables.has(type!.toLowerCase()) ? [name!] : [],
  );
}

function comparisonOf(name: string): RegExp {
  const operator = String.raw`\s*(?:(?<!:)=|<>|!=|\bis\s+(?:not\s+)?distinct\s+from\b)\s*`;
  return new RegExp(String.raw`(?<!\.)\b${name}${operator}|${operator}${name}\b(?!\.)`, 'gi');
}

function triggerBreaches(trigger: Trigger, functions: readonly Definition[]): Breach[] {
  const sequence = /\b(?:nextval|setval|currval|lastval|pg_sequence_last_value)\s*\(/gi;
  const own = [...trigger.condition.matchAll(sequence)].map(({ index }) =>
    breach(trigger, trigger.conditionAt + index, 'sequence-in-trigger', `trigger of ${trigger.calls}`),
  );
  const forbidden: [DefinitionRule, RegExp][] = [
    ['sequence-in-trigger', sequence],
    ['queue-in-trigger', /\bpgboss\./gi],
    ['notify-in-trigger', /\bpg_notify\b|\bnotify\s/gi],
    ['inserting-cte-in-trigger', /\bas\s*(?:materialized\s*)?\(\s*insert\s+into\b/gi],
  ];
  const called = reachable(trigger.calls, functions);
  const inherited = called.flatMap((definition) =>
    forbidden.flatMap(([rule, pattern]) =>
      [...definition.body.matchAll(pattern)].map(({ index }) =>
        breach(definition, definition.bodyAt + index, rule, `${definition.name}, called by a trigger`),
      ),
    ),
  );
  return [...own, ...inherited];
}

/** The functions with this name, and those that they call. */
function reachable(name: string, functions: readonly Definition[], seen = new Set<string>()): Definition[] {
  if (seen.has(name)) return [];
  seen.add(name);
  return functions
    .filter((definition) => definition.name === name)
    .flatMap((definition) => [
      definition,
      ...functions
        .filter((other) => new RegExp(String.raw`\b${other.name}\s*\(`).test(definition.body))
        .flatMap((other) => reachable(other.name, functions, seen)),
    ]);
}

function breach({ file, text }: SqlFile, place: number, rule: DefinitionRule, what: string): Breach {
  return { file, line: text.slice(0, place).split('\n').length, rule, what };
}
