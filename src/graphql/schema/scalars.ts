import { GraphQLError, GraphQLScalarType, type ValueNode } from 'graphql';

const earliestMs = Date.parse('0001-01-01T00:00:00.000Z');
const latestMs = Date.parse('9999-12-31T23:59:59.999Z');

export const Timestamp = new GraphQLScalarType<number, number>({
  name: 'Timestamp',
  coerceInputValue: (value) => moment(value),
  coerceInputLiteral: (node) => moment(literal(node), node),
  coerceOutputValue: (value) => moment(value),
});

function moment(value: unknown, nodes?: ValueNode): number {
  if (typeof value !== 'number') {
    throw new GraphQLError('Timestamp is an integer, the milliseconds since 1970-01-01T00:00:00Z, and not text.', {
      nodes,
    });
  }
  if (!Number.isInteger(value)) {
    throw new GraphQLError(`Timestamp is an integer, the milliseconds since 1970-01-01T00:00:00Z: ${value}`, { nodes });
  }
  if (value < earliestMs || value > latestMs) {
    throw new GraphQLError(`Timestamp is between ${earliestMs} and ${latestMs}, the years 1 to 9999: ${value}`, {
      nodes,
    });
  }
  return value;
}

function literal(node: ValueNode): unknown {
  return node.kind === 'IntValue' || node.kind === 'FloatValue' ? Number(node.value) : null;
}
