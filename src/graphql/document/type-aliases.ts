import {
  type DocumentNode,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type TypeNode,
  type VariableDefinitionNode,
} from 'graphql';
import { directiveOf, type SchemaElement } from '../directives.ts';

/** The types of the schema by their other names, which the directive `@aliases` gives them. */
export type TypeAliases = ReadonlyMap<string, string>;

export function readTypeAliases(schema: GraphQLSchema): TypeAliases {
  const aliases = new Map<string, string>();
  for (const type of Object.values(schema.getTypeMap())) {
    for (const alias of aliasNames(type)) {
      if (schema.getType(alias)) throw new Error(`@aliases of ${type.name}: ${alias} is a type of the schema`);
      if (aliases.has(alias))
        throw new Error(`@aliases of ${type.name}: ${alias} stands for ${aliases.get(alias)} already`);
      aliases.set(alias, type.name);
    }
  }
  return aliases;
}

/** Replaces aliases by their types in the variable definitions of a document. */
export function resolveTypeAliases(document: DocumentNode, aliases: TypeAliases): DocumentNode {
  const definitions = document.definitions.map((definition) =>
    definition.kind === 'OperationDefinition' ? resolveInOperation(definition, aliases) : definition,
  );
  // `tokenCount` is not enumerable, so spreading does not copy it.
  return { ...document, definitions, tokenCount: document.tokenCount };
}

function resolveInOperation(operation: OperationDefinitionNode, aliases: TypeAliases): OperationDefinitionNode {
  if (!operation.variableDefinitions?.length) return operation;
  const variableDefinitions = operation.variableDefinitions.map((variable) => resolveInVariable(variable, aliases));
  return { ...operation, variableDefinitions };
}

function resolveInVariable(variable: VariableDefinitionNode, aliases: TypeAliases): VariableDefinitionNode {
  return { ...variable, type: resolveInType(variable.type, aliases) };
}

function resolveInType<Type extends TypeNode>(type: Type, aliases: TypeAliases): Type {
  if (type.kind !== 'NamedType') return { ...type, type: resolveInType(type.type, aliases) };
  const name = aliases.get(type.name.value);
  return name ? { ...type, name: { ...type.name, value: name } } : type;
}

/** The names that the directive `@aliases` gives a type or a value of an enum. */
export function aliasNames(element: SchemaElement): string[] {
  return (directiveOf(element, 'aliases')?.['names'] ?? []) as string[];
}
