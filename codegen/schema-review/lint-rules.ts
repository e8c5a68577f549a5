import { daysOf, MIN_DEPRECATION_DAYS, readDeprecation, REASON_FORM } from '../../src/graphql/schema/deprecation.ts';
import { type Element, namedType } from './elements.ts';
import { checkRules } from './rule-fits.ts';

/** Enums whose values the specification writes in lower case. */
const LOWER_CASE_ENUMS: readonly string[] = ['CustomerRegistrationSourceEnum', 'VariantSelectionTypeEnum'];
const ROOT_TYPES: readonly string[] = ['Query', 'Mutation'];
const TYPE_OF_MOMENTS: readonly (string | null)[] = ['Timestamp', 'DateFilterInput'];

export type Elements = ReadonlyMap<string, Element>;
export type Rule = {
  /** The name of the rule in docs/schema-policy.md. */
  readonly name: string;
  /** What is wrong with the element, or null. */
  readonly check: (element: Element, elements: Elements) => string | null;
};

export const RULES: readonly Rule[] = [
  { name: 'described', check: checkDescription },
  { name: 'scope-named', check: checkScope },
  { name: 'type-name', check: checkTypeName },
  { name: 'member-name', check: checkMemberName },
  { name: 'moment-is-timestamp', check: checkMoment },
  { name: 'entries-not-null', check: checkEntries },
  { name: 'page-not-null', check: checkPage },
  { name: 'list-bounded', check: checkBound },
  { name: 'rule-fits', check: checkRules },
  { name: 'type-used', check: checkUse },
  { name: 'deprecation-dated', check: checkDeprecation },
];

function checkDescription({ description }: Element): string | null {
  const text = description?.trim() ?? '';
  if (text === '') return 'has no description';
  return /^[A-Z0-9`].*\.$/s.test(text) ? null : 'needs a description in sentences, which end with a full stop';
}

function checkScope(element: Element): string | null {
  if (!isOperation(element)) return null;
  const required = element.directives.filter(({ name }) => ['authenticated', 'requiresScope'].includes(name.value));
  if (required.length !== 1) return 'needs one of @requiresScope and @authenticated';
  const scope = required[0]!.arguments?.[0]?.value;
  if (scope?.kind !== 'EnumValue') return null;
  const sentence = `Needs the scope \`${scope.value.toLowerCase()}\`.`;
  return element.description?.replace(/\s+/g, ' ').includes(sentence) ? null : `does not say: ${sentence}`;
}

function checkTypeName({ kind, name, form }: Element): string | null {
  if (kind !== 'type') return null;
  if (!/^[A-Z][A-Za-z0-9]*$/.test(name)) return 'is not named LikeThis';
  const suffix = form === 'input' ? 'Input' : form === 'enum' ? 'Enum' : null;
  if (suffix && !name.endsWith(suffix)) return `is an ${form} without ${suffix} at the end of its name`;
  return !suffix && /(Input|Enum)$/.test(name) ? 'has the name of an input or enum, and is none' : null;
}

function checkMemberName({ kind, name, coordinate }: Element): string | null {
  if (kind === 'type') return null;
  if (kind !== 'enum value') return /^[a-z][A-Za-z0-9]*$/.test(name) ? null : 'is not named likeThis';
  if (LOWER_CASE_ENUMS.includes(ownerOf(coordinate))) return null;
  return /^[A-Z][A-Z0-9_]*$/.test(name) ? null : 'is not named LIKE_THIS';
}

function checkMoment({ name, type }: Element): string | null {
  if (type === null || !/(At|Date)$/.test(name) || TYPE_OF_MOMENTS.includes(namedType(type))) return null;
  return `is a moment by its name, and of type ${type}: use Timestamp`;
}

function checkEntries({ type }: Element): string | null {
  return type !== null && /\[\w+\]/.test(type) ? `is of type ${type}: entries of lists are not null` : null;
}

function checkPage({ kind, coordinate, type, name }: Element, elements: Elements): string | null {
  if (kind !== 'field' || name === 'endCursor' || !elements.has(`${ownerOf(coordinate)}.hasNext`)) return null;
  return type?.endsWith('!') ? null : 'may be null: a page has all its members but `endCursor`';
}

function checkBound(element: Element, elements: Elements): string | null {
  if (!element.coordinate.startsWith('Query.') || !isOperation(element)) return null;
  const isPage = elements.has(`${namedType(element.type)}.hasNext`);
  if (!isPage && !element.type?.startsWith('[')) return null;
  const listSize = element.directives.find(({ name }) => name.value === 'listSize');
  const given = listSize?.arguments?.map(({ name }) => name.value) ?? [];
  return given.includes('max') && given.includes('slicingArguments')
    ? null
    : 'returns a list: it needs `pagination`, and @listSize with `slicingArguments` and `max`';
}

function checkUse({ kind, name }: Element, elements: Elements): string | null {
  if (kind !== 'type' || ROOT_TYPES.includes(name)) return null;
  const isUsed = [...elements.values()].some(
    ({ coordinate, type }) => namedType(type) === name && ownerOf(coordinate) !== name,
  );
  return isUsed ? null : 'is used by no other type';
}

function checkDeprecation({ deprecationReason }: Element): string | null {
  if (deprecationReason === null) return null;
  const deprecation = readDeprecation(deprecationReason);
  if (!deprecation) return `needs a reason of the form ${REASON_FORM}`;
  const days = daysOf(deprecation);
  return days >= MIN_DEPRECATION_DAYS ? null : `may be removed after ${days} days: at least ${MIN_DEPRECATION_DAYS}`;
}

function isOperation({ kind, coordinate }: Element): boolean {
  return kind === 'field' && ROOT_TYPES.includes(ownerOf(coordinate));
}

function ownerOf(coordinate: string): string {
  return coordinate.split('.')[0]!;
}
