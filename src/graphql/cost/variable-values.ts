import {
  type DirectiveNode,
  type OperationDefinitionNode,
  type SelectionNode,
  type ValueNode,
  valueFromASTUntyped,
} from 'graphql';

/** Returns the value of a variable: the sent one, or its default. Nothing is checked yet. */
type ValueOf = { valueOf(name: string): unknown };

/** The defaults of the variables of an operation, by their names. */
export function defaultsOf({ variableDefinitions = [] }: OperationDefinitionNode): ReadonlyMap<string, unknown> {
  return new Map(
    variableDefinitions.flatMap(({ variable, defaultValue }) =>
      defaultValue ? [[variable.name.value, valueFromASTUntyped(defaultValue)]] : [],
    ),
  );
}

/** Whether a value contains a variable at any depth. */
export function hasVariable(node: ValueNode): boolean {
  if (node.kind === 'ListValue') return node.values.some(hasVariable);
  return (
    node.kind === 'Variable' || (node.kind === 'ObjectValue' && node.fields.some(({ value }) => hasVariable(value)))
  );
}

/** The value at a path within a literal or a variable; undefined if a member is missing. */
export function valueAt(node: ValueNode, path: readonly string[], variables: ValueOf): unknown {
  if (node.kind === 'Variable')
    return path.reduce<unknown>(
      (value, name) => (value as Record<string, unknown> | null | undefined)?.[name],
      variables.valueOf(node.name.value),
    );
  const [name, ...rest] = path;
  if (name === undefined) return valueFromASTUntyped(node);
  const member = node.kind === 'ObjectValue' ? node.fields.find((field) => field.name.value === name) : undefined;
  return member && valueAt(member.value, rest, variables);
}

/** Evaluates `@skip` and `@include` before the variables are checked. */
export function isCounted({ directives = [] }: SelectionNode, variables: ValueOf): boolean {
  const is = (name: string): boolean | undefined =>
    conditionOf(
      directives.find((directive) => directive.name.value === name),
      variables,
    );
  return is('skip') !== true && is('include') !== false;
}

function conditionOf(directive: DirectiveNode | undefined, variables: ValueOf): boolean | undefined {
  const value = directive?.arguments?.find(({ name }) => name.value === 'if')?.value;
  if (value?.kind === 'Variable') return variables.valueOf(value.name.value) === true;
  return value?.kind === 'BooleanValue' ? value.value : undefined;
}
