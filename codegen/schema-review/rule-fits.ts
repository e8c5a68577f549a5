import { SHORTEST_LENGTH_LIMIT } from '../../src/graphql/input/arguments.ts';
import { type Directive, directivesOf } from '../../src/graphql/directives.ts';
import { type Element, isSavedMember, namedType } from './elements.ts';

type Elements = ReadonlyMap<string, Element>;
/** Returns what is wrong with a directive of an argument or of a member of an input; null if it is right. */
type Check = (values: Directive, element: Element, elements: Elements) => string | null;

const TEXTS = ['String', 'ID'];
const CHECKS: Readonly<Record<string, Check>> = {
  amount: (values, element) => checkType(element, ['Float']) ?? checkLimits(values),
  currency: (_, element) => checkType(element, TEXTS),
  distinct: ({ by }, { type }, elements) =>
    elements.has(`${namedType(type)}.${String(by)}`) ? checkList(type) : `: the entries have no member ${String(by)}`,
  length: (values, element) => checkType(element, TEXTS) ?? checkLength(values, element) ?? checkLimits(values),
  listSize: (_, { type }) => checkList(type),
  measure: (_, element) => checkType(element, ['Float']),
  normalized: (_, element) =>
    checkType(element, TEXTS) ?? (directivesOf({ astNode: element }, 'length')[0] ? null : ' needs @length'),
  notNull: (_, { type }) => (type?.endsWith('!') ? ' is for a member that may be left out' : null),
  ownId: (_, element) => checkType(element, TEXTS),
  reference: ({ to, partOf }, element, elements) => {
    if (elements.get(String(to))?.form !== 'object') return `: there is no type ${String(to)}`;
    const isMember = partOf === undefined || elements.has(element.coordinate.replace(/\w+$/, partOf as string));
    return isMember ? checkType(element, TEXTS) : `: there is no member ${partOf as string} beside it`;
  },
};
/** Codegen takes one of them for a value, and would drop the others. */
const EXCLUSIVE: readonly string[] = ['amount', 'currency', 'length', 'measure', 'ownId', 'reference'];

/** Codegen drops a rule that it has no check for, so that nobody would enforce what the SDL says. */
export function checkRules(element: Element, elements: Elements): string | null {
  if (element.kind === 'field') return checkSlices(element, elements);
  if (element.kind !== 'argument' && element.kind !== 'input field') return null;
  const names = [...new Set(element.directives.map(({ name }) => name.value))];
  const exclusive = names.filter((name) => EXCLUSIVE.includes(name));
  if (exclusive.length > 1) return `has @${exclusive.join(' and @')}, of which one holds`;
  const problems = names.flatMap((name) =>
    directivesOf({ astNode: element }, name).flatMap((values) => {
      const problem = CHECKS[name]?.(values, element, elements) ?? null;
      return problem === null ? [] : [`has a wrong rule: @${name}${problem}`];
    }),
  );
  return problems[0] ?? null;
}

function checkType({ type }: Element, types: readonly string[]): string | null {
  return types.includes(namedType(type)!) ? null : ` is not for values of type ${type}`;
}

function checkList(type: string | null): string | null {
  return type?.startsWith('[') ? null : ' is for lists';
}

function checkLimits({ min = 0, max = Infinity }: Directive): string | null {
  return Number(min) <= Number(max) ? null : ': min is larger than max';
}

/** Arguments and filters are not saved, and are checked by `argumentIssues`. */
function checkLength({ min, max }: Directive, element: Element): string | null {
  if (min !== undefined && min !== 0 && min !== 1) return ': min is 0 or 1';
  if (isSavedMember(element)) return null;
  if (min !== undefined) return ': min is not checked in arguments and filters';
  return Number(max) >= SHORTEST_LENGTH_LIMIT ? null : `: max is at least ${SHORTEST_LENGTH_LIMIT} here`;
}

function checkSlices({ coordinate, type, directives }: Element, elements: Elements): string | null {
  const [values = {}] = directivesOf({ astNode: { directives } }, 'listSize');
  const { slicingArguments = [], sizedFields = [] } = values as Record<string, readonly string[]>;
  const unknown = [
    ...slicingArguments.filter((path) => {
      const [argument, ...members] = path.split('.');
      const start = elements.get(`${coordinate}(${argument}:)`);
      return !members.reduce((at, member) => at && elements.get(`${namedType(at.type)}.${member}`), start);
    }),
    ...sizedFields.filter((field) => !elements.has(`${namedType(type)}.${field}`)),
  ];
  return unknown.length > 0 ? `has @listSize of ${unknown.join()}, which does not exist` : null;
}
