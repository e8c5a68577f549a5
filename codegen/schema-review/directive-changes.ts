import { type ConstDirectiveNode, valueFromASTUntyped } from 'graphql';
import { type AppScope, isAppScope, scopeIsGranted } from '../../src/app-scope.ts';
import { MAX_TEXT_LENGTH } from '../../src/field-input.ts';
import { DEFAULT_LIST_SIZE } from '../../src/limits/list-size.ts';
import type { FoundChange, Severity } from './changes.ts';
import { type Element, isSavedMember } from './elements.ts';

type Values = Readonly<Record<string, unknown>>;
type Verdict = Omit<FoundChange, 'coordinate'>;
/**
 * Compares the arguments of a directive on an element, which are undefined if the element does not have the directive.
 */
type Compare = (before: Values | undefined, after: Values | undefined, element: Element) => Verdict[];

/** What a change of a directive on an element means for clients. graphql-js compares definitions only. */
const COMPARED: Readonly<Record<string, Compare>> = {
  aliases: compareAliases,
  amount: compareAmounts,
  cost: compareCosts,
  currency: compareRule('must be a currency'),
  deprecated: compareDeprecations,
  distinct: compareDistinct,
  ignored: compareIgnored,
  length: compareLengths,
  listSize: compareListSizes,
  measure: compareMeasures,
  notNull: compareRule('must not be null'),
  oneOf: (before, after, { coordinate }) =>
    presence(
      before,
      after,
      ['breaking', `${coordinate} takes exactly one member.`],
      ['safe', `${coordinate} takes more than one member.`],
    ),
  ownId: compareRule('must be the id of the record'),
  reference: compareReferences,
  requiresScopeOfArguments: compareRule('needs the scopes of its arguments'),
  // The limits of an operation are the same for short and long transactions.
  transaction: () => [],
  specifiedBy: (before, after, { coordinate }) => [
    { severity: before && after ? 'dangerous' : 'safe', message: `The specification of ${coordinate} changed.` },
  ],
};
/** The directives that together say which tokens may call an operation. They are compared together. */
const REQUIREMENTS: readonly string[] = ['authenticated', 'requiresScope'];

/** Changes of directives on the elements that both versions have. */
export function findDirectiveChanges(
  before: ReadonlyMap<string, Element>,
  after: ReadonlyMap<string, Element>,
): FoundChange[] {
  return [...after.values()].flatMap((element) => {
    const old = before.get(element.coordinate);
    if (!old) return [];
    return compareElements(old, element).map((verdict) => ({ ...verdict, coordinate: element.coordinate }));
  });
}

function compareElements(old: Element, element: Element): Verdict[] {
  const names = new Set([...old.directives, ...element.directives].map(({ name }) => name.value));
  const compared = [...names].filter((name) => !REQUIREMENTS.includes(name));
  return [
    ...compareRequirements(old, element),
    ...compared.flatMap((name) => {
      const [before, after] = [valuesOf(old, name), valuesOf(element, name)];
      if (JSON.stringify(before) === JSON.stringify(after)) return [];
      return (COMPARED[name] ?? compareUnknown(name))(before, after, element);
    }),
  ];
}

/** A change of a requirement is breaking, unless each token that was enough before still is. */
function compareRequirements(old: Element, element: Element): Verdict[] {
  const [before, after] = [requirementOf(old), requirementOf(element)];
  if (before === after) return [];
  const isStillMet = after === null || (before !== null && scopeIsGranted(new Set([before]), after));
  const message = `${element.coordinate} needs ${after ? `the scope ${after}` : 'a token of any scope'}. Before, it needed ${before ? `the scope ${before}` : 'a token of any scope'}.`;
  return [{ severity: isStillMet ? 'safe' : 'breaking', message }];
}

function requirementOf(element: Element): AppScope | null {
  const scope = textOf(valuesOf(element, 'requiresScope'), 'scope').toLowerCase();
  return isAppScope(scope) ? scope : null;
}

/** Usage has the names of types as clients write them, but enum values without their aliases. */
function compareAliases(
  before: Values | undefined,
  after: Values | undefined,
  { coordinate, kind }: Element,
): Verdict[] {
  const [old, names] = [before, after].map((values) => (values?.['names'] ?? []) as string[]) as [string[], string[]];
  const removed = old.filter((name) => !names.includes(name));
  const added = names.filter((name) => !old.includes(name));
  return [
    ...removed.map((name) => ({
      ...breaking(`${coordinate} lost its other name ${name}, which documents use.`),
      ...(kind === 'type' && { affected: [name] }),
    })),
    ...added.map((name) => safe(`${coordinate} got the other name ${name}.`)),
  ];
}

/** Texts of arguments and of filters have no limit without `@length`. */
function compareLengths(before: Values | undefined, after: Values | undefined, element: Element): Verdict[] {
  const { coordinate } = element;
  const [old, limit] = [before, after].map(
    (values) => numberOf(values, 'max') ?? (isSavedMember(element) ? MAX_TEXT_LENGTH : undefined),
  );
  return [
    ...compareMinima(numberOf(before, 'min'), numberOf(after, 'min'), `The minimum length of ${coordinate}`),
    ...compareLimits(old, limit, `The maximum length of ${coordinate}`),
  ];
}

function compareAmounts(before: Values | undefined, after: Values | undefined, element: Element): Verdict[] {
  const { coordinate } = element;
  if (!before || !after) return compareRule('must have at most 6 decimals')(before, after, element);
  const [oldMin, min] = [before, after].map((values) => numberOf(values, 'min') ?? 0);
  return [
    ...compareMinima(oldMin, min, `The minimum of ${coordinate}`),
    ...compareLimits(numberOf(before, 'max'), numberOf(after, 'max'), `The maximum of ${coordinate}`),
  ];
}

function compareMeasures(before: Values | undefined, after: Values | undefined, element: Element): Verdict[] {
  if (!before || !after) return compareRule('must be a measure')(before, after, element);
  const message = `${element.coordinate} ${after['signed'] === true ? 'may' : 'must not'} be negative.`;
  return [after['signed'] === true ? safe(message) : breaking(message)];
}

function compareReferences(before: Values | undefined, after: Values | undefined, element: Element): Verdict[] {
  if (!before || !after) return compareRule('must be an id of a record that exists')(before, after, element);
  const { coordinate } = element;
  const takes = (values: Values): string =>
    `ids of ${textOf(values, 'to')}${values['partOf'] === undefined ? '' : ` that belong to ${textOf(values, 'partOf')}`}`;
  const [old, taken] = [takes(before), takes(after)];
  const isWider = before['to'] === after['to'] && after['partOf'] === undefined;
  const target = isWider
    ? safe(`${coordinate} takes all ${taken}.`)
    : breaking(`${coordinate} takes ${taken}, not ${old}.`);
  const [wasAgain, isAgain] = [before, after].map(({ again }) => again !== false);
  const again = `${coordinate} ${isAgain ? 'may' : 'must not'} be an id that the record has, of a deleted record.`;
  return [
    ...(old === taken ? [] : [target]),
    ...(wasAgain === isAgain ? [] : [isAgain ? safe(again) : breaking(again)]),
  ];
}

/** Members by which the entries of a list must differ. */
function compareDistinct(before: Values | undefined, after: Values | undefined, { coordinate }: Element): Verdict[] {
  const [old, members] = [before, after].map((values) => [values?.['by'] ?? []].flat() as string[]) as [
    string[],
    string[],
  ];
  return [
    ...members
      .filter((member) => !old.includes(member))
      .map((member) => breaking(`The entries of ${coordinate} must differ in ${member}.`)),
    ...old
      .filter((member) => !members.includes(member))
      .map((member) => safe(`The entries of ${coordinate} may be equal in ${member}.`)),
  ];
}

function compareIgnored(_before: Values | undefined, after: Values | undefined, { coordinate }: Element): Verdict[] {
  return [after ? breaking(`${coordinate} has no effect any more.`) : dangerous(`${coordinate} has an effect now.`)];
}

/** A rule without arguments that values have to meet. */
function compareRule(rule: string): Compare {
  return (before, after, { coordinate }) =>
    presence(before, after, ['breaking', `${coordinate} ${rule}.`], ['safe', `${coordinate} no longer ${rule}.`]);
}

/** Compares `@listSize`. On an argument or a member of an input it is a limit, on a field it is about the cost. */
function compareListSizes(before: Values | undefined, after: Values | undefined, element: Element): Verdict[] {
  const { coordinate, kind } = element;
  if (kind === 'field') return [dangerous(`The number of entries that ${coordinate} costs changed.`)];
  const [old, limit] = [before, after].map((values) => numberOf(values, 'max') ?? DEFAULT_LIST_SIZE);
  return compareLimits(old, limit, `The maximum number of entries of ${coordinate}`);
}

function compareLimits(before: number | undefined, after: number | undefined, what: string): Verdict[] {
  if (before === after) return [];
  const message = `${what} changed from ${before ?? 'none'} to ${after ?? 'none'}.`;
  return [(after ?? Infinity) < (before ?? Infinity) ? breaking(message) : safe(message)];
}

function compareMinima(before: number | undefined, after: number | undefined, what: string): Verdict[] {
  if (before === after) return [];
  const message = `${what} changed from ${before ?? 'none'} to ${after ?? 'none'}.`;
  return [(after ?? -Infinity) > (before ?? -Infinity) ? breaking(message) : safe(message)];
}

/** A request that costs more may exceed the limit of a request, or the app's bucket. */
function compareCosts(before: Values | undefined, after: Values | undefined, { coordinate }: Element): Verdict[] {
  const [old, weight] = [numberOf(before, 'weight'), numberOf(after, 'weight')];
  const message = `The cost of ${coordinate} changed from ${old ?? 'the default'} to ${weight ?? 'the default'}.`;
  return [old !== undefined && weight !== undefined && weight < old ? safe(message) : dangerous(message)];
}

function compareDeprecations(
  before: Values | undefined,
  after: Values | undefined,
  { coordinate }: Element,
): Verdict[] {
  const reason = textOf(after, 'reason');
  if (before && after) return [dangerous(`The deprecation of ${coordinate} changed: ${reason}`)];
  if (!after) return [safe(`${coordinate} is no longer deprecated.`)];
  return [{ ...safe(`${coordinate} is deprecated. ${reason}`), nature: 'deprecated' }];
}

function compareUnknown(name: string): Compare {
  return (before, after, { coordinate }) => [
    dangerous(`@${name} of ${coordinate} ${before && after ? 'changed' : after ? 'was added' : 'was removed'}.`),
  ];
}

function presence(
  before: Values | undefined,
  after: Values | undefined,
  added: [Severity, string],
  removed: [Severity, string],
): Verdict[] {
  if (Boolean(before) === Boolean(after)) return [];
  const [severity, message] = after ? added : removed;
  return [{ severity, message }];
}

/** The arguments of a directive; lists of their values if the directive is repeated. */
function valuesOf({ directives }: Element, name: string): Values | undefined {
  const found: ConstDirectiveNode[] = directives.filter((one) => one.name.value === name);
  if (found.length === 0) return undefined;
  const given = found.flatMap(({ arguments: list = [] }) => list);
  const names = new Set(given.map((argument) => argument.name.value));
  return Object.fromEntries(
    Array.from(names, (argumentName) => {
      const values = given
        .filter((argument) => argument.name.value === argumentName)
        .map(({ value }) => valueFromASTUntyped(value));
      return [argumentName, values.length === 1 ? values[0] : values];
    }),
  );
}

function numberOf(values: Values | undefined, name: string): number | undefined {
  const value = values?.[name];
  return value === undefined || value === null ? undefined : Number(value);
}

function textOf(values: Values | undefined, name: string): string {
  const value = values?.[name];
  return typeof value === 'string' ? value : '';
}

function breaking(message: string): Verdict {
  return { severity: 'breaking', message };
}

function dangerous(message: string): Verdict {
  return { severity: 'dangerous', message };
}

function safe(message: string): Verdict {
  return { severity: 'safe', message };
}
