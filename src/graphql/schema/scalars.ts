import { GraphQLError, GraphQLScalarType, type ValueNode } from 'graphql';
import { EARLIEST_MS, LATEST_MS } from '../../values/timestamp.ts';

export const Timestamp = new GraphQLScalarType<number, number>({
  name: 'Timestamp',
  coerceInputValue: (value) => checkedTimestamp(value),
  coerceInputLiteral: (node) => checkedTimestamp(literalValue(node), node),
  coerceOutputValue: (value) => checkedTimestamp(value),
});

function checkedTimestamp(value: unknown, nodes?: ValueNode): number {
  if (typeof value !== 'number') {
    throw new GraphQLError('Timestamp is an integer, the milliseconds since 1970-01-01T00:00:00Z, and not text.', {
      nodes,
    });
  }
  if (!Number.isInteger(value)) {
    throw new GraphQLError(`Timestamp is an integer, the milliseconds since 1970-01-01T00:00:00Z: ${value}`, { nodes });
  }
  if (value < EARLIEST_MS || value > LATEST_MS) {
    throw new GraphQLError(`Timestamp is between ${EARLIEST_MS} and ${LATEST_MS}, the years 1 to 9999: ${value}`, {
      nodes,
    });
  }
  return value;
}

function literalValue(node: ValueNode): unknown {
  return node.kind === 'IntValue' || node.kind === 'FloatValue' ? Number(node.value) : null;
}
