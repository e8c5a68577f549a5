import {
  BreakingChangeType,
  DangerousChangeType,
  DirectiveLocation,
  findSchemaChanges,
  type GraphQLSchema,
  SafeChangeType,
  type SchemaChange,
} from 'graphql';
import { type Deprecation, hasEnded, readDeprecation } from '../../src/graphql/schema/deprecation.ts';
import { findDirectiveChanges } from './directive-changes.ts';
import { withRenames } from './renames.ts';
import type { UsingApp } from './used-changes.ts';
import { type Element, elementsOf, namedType, type Place } from './elements.ts';

export type Severity = 'breaking' | 'dangerous' | 'safe';

export type Nature = 'added' | 'removed' | 'deprecated' | 'described' | 'changed';

export type Change = {
  readonly severity: Severity;
  readonly nature: Nature;
  readonly coordinate: string;
  readonly message: string;
  /** The place of the element in the new SDL, or in the old one if the element was removed. */
  readonly place: Place;
  /** The deprecation of the old element or of the field around it, if the change is breaking; otherwise null. */
  readonly deprecation: Deprecation | null;
  /** False for a breaking change without a deprecation whose period has ended. */
  readonly isAllowed: boolean;
  /**
   * Coordinates: a document that uses one of them breaks. A type stands for its members too. Empty if nothing breaks.
   */
  readonly affected: readonly string[];
  /**
   * The apps that used `affected`; empty if none did. Missing if the comparison has no usage, or the usage no counts.
   */
  readonly usedBy?: readonly UsingApp[];
  /** For a removed element: the added elements that may be its new name. */
  readonly maybeRenamedTo?: readonly Pick<Element, 'coordinate' | 'place'>[];
};

export type FoundChange = Pick<Change, 'severity' | 'coordinate' | 'message'> & {
  readonly nature?: Nature;
  /** As in `Change`. Without it, the element itself and what requires it. */
  readonly affected?: readonly string[];
};

/** Additions that graphql-js calls dangerous. Here an input that is left out never changes what an operation does. */
const SAFE_ADDITIONS: readonly string[] = [
  DangerousChangeType.OPTIONAL_INPUT_FIELD_ADDED,
  DangerousChangeType.OPTIONAL_ARG_ADDED,
];
/** Additions that graphql-js calls safe. A document that leaves the argument or member out has another meaning then. */
const DEFAULT_ADDITIONS: readonly string[] = [
  SafeChangeType.ARG_DEFAULT_VALUE_ADDED,
  SafeChangeType.INPUT_FIELD_DEFAULT_VALUE_ADDED,
];
const BREAKING: readonly string[] = Object.values(BreakingChangeType);
const DANGEROUS: readonly string[] = Object.values(DangerousChangeType);
const SEVERITIES: readonly Severity[] = ['breaking', 'dangerous', 'safe'];

/**
 * Places of documents that may have directives. Directives for other places are for the SDL: clients never send them.
 */
const DOCUMENT_LOCATIONS: readonly string[] = Object.values(DirectiveLocation).slice(
  0,
  Object.values(DirectiveLocation).indexOf(DirectiveLocation.SCHEMA),
);

type Compared = {
  readonly before: ReadonlyMap<string, Element>;
  readonly after: ReadonlyMap<string, Element>;
  readonly newSchema: GraphQLSchema;
  readonly oldSchema: GraphQLSchema;
};

/** What differs between two schemas, the most severe first, otherwise in the order of the SDL. */
export function findChanges(oldSchema: GraphQLSchema, newSchema: GraphQLSchema, now: Date): Change[] {
  const compared = { before: elementsOf(oldSchema), after: elementsOf(newSchema), oldSchema, newSchema };
  const { before, after } = compared;
  const found = [
    ...findSchemaChanges(oldSchema, newSchema).flatMap((change) => foundChange(change, compared)),
    ...findDirectiveChanges(before, after),
  ];
  const retirement = { elements: before, roots: rootTypes(oldSchema), now };
  const changes = found.map(({ severity, coordinate, message, nature, affected }) => ({
    severity,
    nature: nature ?? natureOf(coordinate, compared),
    coordinate,
    message,
    place: (after.get(coordinate) ?? before.get(coordinate))!.place,
    deprecation: severity === 'breaking' ? deprecationOf(coordinate, before) : null,
    isAllowed: severity !== 'breaking' || isRetired(coordinate, retirement),
    affected: severity === 'breaking' ? (affected ?? affectedBy(coordinate, compared)) : [],
  }));
  return withRenames(inOrder(changes), compared);
}

/** Sorts the changes: the most severe first, and equally severe ones in their former order. */
export function inOrder(changes: readonly Change[]): Change[] {
  return SEVERITIES.flatMap((severity) => changes.filter((change) => change.severity === severity));
}

/**
 * The parts of the SDL whose users a change can break. A new required argument breaks every document that uses its
 * field, and a new required input member breaks every document that uses its input type.
 */
function affectedBy(coordinate: string, { before, after }: Compared): string[] {
  const [old, element] = [before.get(coordinate), after.get(coordinate)];
  const isRequired = element?.kind !== 'field' && element?.type?.endsWith('!') && !old?.type?.endsWith('!');
  const around = coordinate.includes('(') ? coordinate.replace(/\(.*$/, '') : ownerOf(coordinate);
  return [...(old ? [coordinate] : []), ...(isRequired ? [around] : [])];
}

/**
 * A change that graphql-js found. Changes of the standard scalars are left out: they come and go with their members.
 */
function foundChange({ type, description }: SchemaChange, compared: Compared): FoundChange[] {
  const coordinate = coordinateIn(description, compared);
  if (coordinate === null) return [];
  const message = description.replace(/ has changed to ".*$/s, ' changed.');
  const nature = type === SafeChangeType.DESCRIPTION_CHANGED ? { nature: 'described' as const } : {};
  return [{ severity: severityOf(type, coordinate, compared), coordinate, message, ...nature }];
}

function natureOf(coordinate: string, { before, after }: Compared): Nature {
  if (!before.has(coordinate)) return 'added';
  return after.has(coordinate) ? 'changed' : 'removed';
}

/** graphql-js names the coordinate in a sentence only. The first one in it is of the changed element. */
function coordinateIn(description: string, { before, after }: Compared): string | null {
  for (const [coordinate] of description.matchAll(/@?\w+(\.\w+)?(\(\w+:\))?/g))
    if (before.has(coordinate) || after.has(coordinate)) return coordinate;
  return null;
}

function severityOf(type: string, coordinate: string, { before, after, oldSchema, newSchema }: Compared): Severity {
  if (SAFE_ADDITIONS.includes(type) || isForSdlOnly(coordinate, oldSchema, newSchema)) return 'safe';
  if (DEFAULT_ADDITIONS.includes(type)) return before.get(coordinate)!.type!.endsWith('!') ? 'safe' : 'dangerous';
  if (type === DangerousChangeType.VALUE_ADDED_TO_ENUM && !isInResponses(ownerOf(coordinate), after)) return 'safe';
  if (BREAKING.includes(type)) return 'breaking';
  return DANGEROUS.includes(type) ? 'dangerous' : 'safe';
}

function isForSdlOnly(coordinate: string, ...schemas: GraphQLSchema[]): boolean {
  const name = /^@(\w+)/.exec(coordinate)?.[1];
  return (
    name !== undefined &&
    schemas.every(
      (schema) => !schema.getDirective(name)?.locations.some((location) => DOCUMENT_LOCATIONS.includes(location)),
    )
  );
}

/** A client may get a value of the enum that it does not know. */
function isInResponses(enumName: string, elements: ReadonlyMap<string, Element>): boolean {
  return [...elements.values()].some(({ kind, type }) => kind === 'field' && namedType(type) === enumName);
}

/** Whether the SDL of a release says that an element may be gone by now. */
export function isRetiredIn(schema: GraphQLSchema, coordinate: string, now: Date): boolean {
  const elements = elementsOf(schema);
  return elements.has(coordinate) && isRetired(coordinate, { elements, roots: rootTypes(schema), now });
}

type Retirement = {
  readonly elements: ReadonlyMap<string, Element>;
  readonly roots: readonly string[];
  readonly now: Date;
};

/**
 * Whether the period has passed in which clients had to stop using an element: of its own deprecation, or of the field
 * around it. A type cannot be deprecated: it is retired when all members that have the type are.
 */
function isRetired(coordinate: string, retirement: Retirement, path: readonly string[] = []): boolean {
  const { elements, roots, now } = retirement;
  const deprecation = deprecationOf(coordinate, elements);
  if (deprecation) return hasEnded(deprecation, now);
  if (elements.get(coordinate)?.kind !== 'type' || roots.includes(coordinate)) return false;
  if (path.includes(coordinate)) return true;
  const further = [...path, coordinate];
  const users = [...elements.values()].filter(({ type }) => namedType(type) === coordinate);
  return users.every(
    (user) =>
      isRetired(user.coordinate, retirement, further) || isRetired(ownerOf(user.coordinate), retirement, further),
  );
}

function rootTypes(schema: GraphQLSchema): string[] {
  return [schema.getQueryType(), schema.getMutationType()].flatMap((type) => type?.name ?? []);
}

function deprecationOf(coordinate: string, elements: ReadonlyMap<string, Element>): Deprecation | null {
  const around = coordinate.replace(/\(.*$/, '');
  const reasons = [coordinate, around].map((one) => elements.get(one)?.deprecationReason);
  return reasons.map(readDeprecation).find((deprecation) => deprecation !== null) ?? null;
}

/** The type of a member: `Product` of `Product.name` and of `Product`. */
function ownerOf(coordinate: string): string {
  return coordinate.split('.')[0]!;
}
