import { type DirectiveNode, valueFromASTUntyped } from 'graphql';

export type SchemaElement = {
  readonly astNode?: { readonly directives?: readonly DirectiveNode[] | undefined } | null | undefined;
};

/** The arguments of a directive. */
export type Directive = Readonly<Record<string, unknown>>;

/** The directive of an element of the schema; undefined if it has none of that name. */
export function directiveOf(element: SchemaElement, name: string): Directive | undefined {
  return directivesOf(element, name)[0];
}

/** The directives of that name, for one that may be repeated. */
export function directivesOf({ astNode }: SchemaElement, name: string): Directive[] {
  const nodes = astNode?.directives?.filter((directive) => directive.name.value === name) ?? [];
  return nodes.map(({ arguments: given = [] }) =>
    Object.fromEntries(given.map((argument) => [argument.name.value, valueFromASTUntyped(argument.value)])),
  );
}
