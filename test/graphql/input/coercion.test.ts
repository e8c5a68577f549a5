import fc from 'fast-check';
import {
  getVariableValues,
  type GraphQLArgument,
  type GraphQLError,
  type OperationDefinitionNode,
  parse,
  type VariableDefinitionNode,
} from 'graphql';
import { describe, expect, it } from 'vitest';
import { executionErrors } from '../../../src/graphql/errors.ts';
import { coercedVariables } from '../../../src/graphql/input/variables.ts';
import { buildSchema, readSources } from '../../../src/graphql/schema/schema.ts';
import { EventLoopSlices } from '../../../src/limits/event-loop-slices.ts';
import { resolvers } from '../../../src/resolvers.ts';
import { argumentsOf } from '../../support/arbitrary.ts';

const RUNS = 10;
const schema = buildSchema(readSources(), resolvers);
const fields = { ...schema.getQueryType()!.getFields(), ...schema.getMutationType()!.getFields() };
/** Their arguments have members of each kind: nested lists, defaults, enums, all scalars. */
const OPERATIONS = [
  'listCustomer',
  'saveProductTag',
  'saveProductAttribute',
  'savePriceList',
  'adjustStock',
  'updateProduct',
];

describe('variables', () => {
  it.each(OPERATIONS)('of %s are coerced as by graphql-js, with the same errors about wrong ones', async (name) => {
    const { args } = fields[name]!;
    const definitions = declare(args);
    await fc.assert(
      fc.asyncProperty(argumentsOf(args, ['a']), fc.array(mistake, { maxLength: 4 }), async (sent, mistakes) => {
        // Copied: a value that is used twice would contain itself after a later mistake.
        for (const made of mistakes) make(structuredClone(made), sent);
        expect(await outcome(definitions, sent)).toEqual(byGraphQLJs(definitions, sent));
      }),
      { numRuns: RUNS, endOnFailure: true },
    );
  });

  it('with many mistakes get the first fifty errors and one that says that there are more', async () => {
    const sent = { ids: Array.from({ length: 49 }, () => [1, 2]) };
    const definitions = definitionsOf('query ($ids: [[String!]!]!, $more: Int!) { me { id } }');
    const { errors } = (await outcome(definitions, sent)) as { errors: object[] };
    expect(errors).toHaveLength(51);
    expect(errors).toEqual((byGraphQLJs(definitions, sent) as { errors: object[] }).errors);
  });

  it('have their long lists coerced in slices of time, at any depth', async () => {
    const slices = new CountedSlices();
    const variants = Array.from({ length: 300 }, (_, index) => ({
      attributes: Array.from({ length: 100 }, () => ({ productAttributeId: `${index}`, value: '' })),
      prices: [],
    }));
    const definitions = definitionsOf('query ($input: ProductInput!) { me { id } }');
    const sent = { input: { name: 'x', type: 'PHYSICAL', variants } };
    expect(await outcome(definitions, sent, slices)).toEqual(byGraphQLJs(definitions, sent));
    expect(slices.taken).toBeGreaterThan(0);
    variants.at(-1)!.attributes.at(-1)!.value = 1 as unknown as string;
    expect(await outcome(definitions, sent, slices)).toEqual(byGraphQLJs(definitions, sent));
  });
});

class CountedSlices extends EventLoopSlices {
  taken = 0;
  override async next(): Promise<void> {
    this.taken += 1;
    await super.next();
  }
}

function declare(args: readonly GraphQLArgument[]): readonly VariableDefinitionNode[] {
  return definitionsOf(`query (${args.map(({ name, type }) => `$${name}: ${String(type)}`).join(' ')}) { me { id } }`);
}

function definitionsOf(query: string): readonly VariableDefinitionNode[] {
  return (parse(query).definitions[0] as OperationDefinitionNode).variableDefinitions!;
}

const options = { maxErrors: 50, hideSuggestions: true };

function byGraphQLJs(definitions: readonly VariableDefinitionNode[], sent: Record<string, unknown>): unknown {
  return shown(getVariableValues(schema, definitions, sent, options));
}

async function outcome(
  definitions: readonly VariableDefinitionNode[],
  sent: Record<string, unknown>,
  slices = new EventLoopSlices(),
): Promise<unknown> {
  return shown(await coercedVariables({ slices }, { schema, definitions, maxListSize: Infinity }, sent));
}

/** As responses show it. */
function shown({ errors, variableValues }: ReturnType<typeof getVariableValues>): unknown {
  if (!errors) return { variableValues };
  return { errors: executionErrors(errors as GraphQLError[], () => expect.unreachable()) };
}

/** A wrong value at one of the places of the variables. */
type Mistake = { place: number; kind: 'replace' | 'add' | 'remove'; value: unknown };
const mistake = fc.record<Mistake>({
  place: fc.nat(),
  kind: fc.constantFrom('replace', 'add', 'remove'),
  value: fc.oneof(fc.jsonValue({ maxDepth: 4 }), fc.constantFrom(null, 'x'.repeat(990), 'x'.repeat(3_000), {}, [])),
});

function make({ place, kind, value }: Mistake, sent: Record<string, unknown>): void {
  const places = placesOf(sent);
  if (places.length === 0) return;
  const [parent, key] = places[place % places.length]!;
  const at = parent[key];
  if (kind === 'remove' && !Array.isArray(parent)) delete parent[key];
  else if (kind === 'add' && typeof at === 'object' && at !== null)
    (at as Record<string, unknown>)[Array.isArray(at) ? at.length : 'unknown'] = value;
  else parent[key] = value;
}

function placesOf(value: unknown): [Record<string, unknown>, string][] {
  if (typeof value !== 'object' || value === null) return [];
  const parent = value as Record<string, unknown>;
  return Object.keys(parent).flatMap((key) => [[parent, key], ...placesOf(parent[key])] as ReturnType<typeof placesOf>);
}
