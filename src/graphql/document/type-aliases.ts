import {
  type DocumentNode,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type TypeNode,
  type VariableDefinitionNode,
} from 'graphql';

/** Names that documents may use for a type, by alias, read from `@aliases`. */
export type Aliases = ReadonlyMap<string, string>;

export function readAliases(schema: GraphQLSchema): Aliases {
  const aliases = new Map<string, string>();
  for (const type of Object.values(schema.getTypeMap())) {
    for (const alias of aliasNames(type.astNode?.directives)) {
      if (schema.getType(alias)) throw new Error(`@aliases of ${type.name}: ${alias} is a type of the schema`);
      if (aliases.has(alias))
        throw new Error(`@aliases of ${type.name}: ${alias} stands for ${aliases.get(alias)} already`);
      aliases.set(alias, type.name);
    }
  }
  return aliases;
}

/** The document with variables declared by an alias declared by the type it stands for. */
export function resolveAliases(document: DocumentNode, aliases: Aliases): DocumentNode {
  const definitions = document.definitions.map((definition) =>
    definition.kind === 'OperationDefinition' ? inOperation(definition, aliases) : definition,
  );
  // The count is not enumerable, so that spreading leaves it out.
  return { ...document, definitions, tokenCount: document.tokenCount };
}

function inOperation(operation: OperationDefinitionNode, aliases: Aliases): OperationDefinitionNode {
  if (!operation.variableDefinitions?.length) return operation;
  const variableDefinitions = operation.variableDefinitions.map((variable) => inVariable(variable, aliases));
  return { ...operation, variableDefinitions };
}

function inVariable(variable: VariableDefinitionNode, aliases: Aliases): VariableDefinitionNode {
  return { ...variable, type: inType(variable.type, aliases) };
}

function inType<Type extends TypeNode>(type: Type, aliases: Aliases): Type {
  if (type.kind !== 'NamedType') return { ...type, type: inType(type.type, aliases) };
  const name = aliases.get(type.name.value);
  return name ? { ...type, name: { ...type.name, value: name } } : type;
}

type Directives = NonNullable<GraphQLSchema['astNode']>['directives'];

function aliasNames(directives: Directives): string[] {
  const names = directives?.find((directive) => directive.name.value === 'aliases')?.arguments?.[0]?.value;
  if (names?.kind !== 'ListValue') return [];
  return names.values.flatMap((value) => (value.kind === 'StringValue' ? [value.value] : []));
}
