import { type DocumentNode, type FieldNode, type OperationDefinitionNode, parse } from 'graphql';
import { describe, expect, it } from 'vitest';
import {
  collectFields,
  fragmentsOf,
  responseKey,
  rootFieldNames,
  selectionSets,
} from '../../../src/graphql/document/collect-fields.ts';
import { checkLimits } from '../../../src/graphql/document/document-limits.ts';
import { selectionOf } from '../../../src/graphql/plan/selection.ts';
import { completer, isUnaliased } from '../../../src/graphql/plan/value-completer.ts';
import { buildSchema, readSources } from '../../../src/graphql/schema/schema.ts';
import { resolvers } from '../../../src/resolvers.ts';
import { ladder, type Place, placesOf } from '../../support/ladder.ts';

const schema = buildSchema(readSources(), resolvers);
const places = placesOf(schema);

/** Few enough that a function which expands each spread fails soon, instead of running for hours. */
const RUNGS = 10;

/** The functions that read all fields of a document. */
const readers: [string, (document: DocumentNode, place: Place) => unknown][] = [
  ['the limits', (document) => checkLimits(document)],
  ['the names of root fields', (document) => rootFieldNames(operationOf(document), fragmentsOf(document))],
  [
    'the selection of a resolver',
    (document) => selectionOf({ sets: selectionSets(fieldsOf(document)), fragments: fragmentsOf(document) }),
  ],
  [
    'the completion of answers',
    (document, { name }) => {
      const selected = { sets: [operationOf(document).selectionSet], fragments: fragmentsOf(document) };
      return [isUnaliased(selected), name.startsWith('Mutation') ? null : completer(schema.getQueryType()!, selected)];
    },
  ],
];

describe.each(readers)('the walk for %s', (_, read) => {
  // docs/reliability-tests.md: 25
  it('costs twice as much for a ladder of twice as many fragments, below every field of the schema', () => {
    const dear = places.filter((place) => lookups(place, 2 * RUNGS, read) > 2 * lookups(place, RUNGS, read) + 10);
    expect(dear.map(({ name }) => name)).toEqual([]);
  });
});

describe('the fields of one object', () => {
  const fieldsIn = (text: string): string[] => {
    const document = parse(text);
    return collectFields([operationOf(document).selectionSet], fragmentsOf(document)).map(responseKey);
  };

  it('have the order of the answer: those of a fragment come where it is first spread', () => {
    expect(
      fieldsIn('{ a ...F b ... { c ...F } ...G a } fragment F on Query { d ...G } fragment G on Query { e x: e }'),
    ).toEqual(['a', 'd', 'e', 'x', 'b', 'c', 'a']);
  });

  it('are found despite cycles, unknown fragments and names such as `constructor`', () => {
    expect(
      fieldsIn(
        '{ ...F ...constructor ...toString a } fragment F on Query { ...F ...__proto__ b } fragment __proto__ on Query { c }',
      ),
    ).toEqual(['c', 'b', 'a']);
  });
});

/** Counts how often selection sets of fragments are read. */
function lookups(place: Place, rungs: number, read: (document: DocumentNode, place: Place) => unknown): number {
  const document = parse(`${place.document('{...F0}')} ${ladder(place.type.name, rungs, '__typename')}`);
  let count = 0;
  for (const fragment of Object.values(fragmentsOf(document))) {
    const { selectionSet } = fragment!;
    const { selections } = selectionSet;
    Object.defineProperty(selectionSet, 'selections', { get: () => (count++, selections) });
  }
  read(document, place);
  return count;
}

function operationOf(document: DocumentNode): OperationDefinitionNode {
  return document.definitions[0] as OperationDefinitionNode;
}

/** The root field. Selections of the root itself become the selection of such a field. */
function fieldsOf(document: DocumentNode): FieldNode[] {
  const { selectionSet } = operationOf(document);
  const [first] = selectionSet.selections;
  return first?.kind === 'Field' ? [first] : [{ selectionSet } as FieldNode];
}
