import { readdirSync, readFileSync } from 'node:fs';
import {
  buildSchema,
  type GraphQLNamedType,
  isEnumType,
  isInputObjectType,
  isIntrospectionType,
  isObjectType,
  isSpecifiedDirective,
  isSpecifiedScalarType,
} from 'graphql';
import { describe, expect, it } from 'vitest';

const FOLDER = new URL('../../schema/', import.meta.url);
const schema = buildSchema(
  readdirSync(FOLDER)
    .map((name) => readFileSync(new URL(name, FOLDER), 'utf8'))
    .join('\n'),
);
const types = Object.values(schema.getTypeMap()).filter(
  (type) => !isIntrospectionType(type) && !isSpecifiedScalarType(type),
);
const operations = [schema.getQueryType()!, schema.getMutationType()!].flatMap((type) =>
  Object.values(type.getFields()),
);
const elements = [...types.flatMap(elementsOf), ...directiveElements()];

type Described = { name: string; description: string | null | undefined };

describe('the SDL', () => {
  it('describes every type, field, argument, input, enum, value, scalar and directive', () => {
    expect(elements.length).toBeGreaterThan(1_000);
    expect(namesOf(elements.filter(({ description }) => !description?.trim()))).toEqual([]);
  });

  it('describes in sentences, which end with a full stop', () => {
    expect(namesOf(elements.filter(({ description }) => !/^[A-Z0-9`].*\.$/s.test(description!.trim())))).toEqual([]);
  });

  it('lets no operation go without a scope directive', () => {
    expect(
      operations.filter((field) => scopesOf(field.astNode?.directives).length !== 1).map(({ name }) => name),
    ).toEqual([]);
  });

  it('names the scope that the directive asks for in the description of the operation', () => {
    const silent = operations.filter(({ description, astNode }) => {
      const [scope] = scopesOf(astNode?.directives);
      return scope !== 'authenticated' && !description!.replace(/\s+/g, ' ').includes(`Needs the scope \`${scope}\`.`);
    });
    expect(silent.map(({ name }) => name)).toEqual([]);
  });

  it('has no list that may hold null', () => {
    expect(
      types.flatMap((type) =>
        fieldsOf(type)
          .filter((field) => /\[\w+\]/.test(field.type))
          .map((field) => `${type.name}.${field.name}`),
      ),
    ).toEqual([]);
  });
});

function elementsOf(type: GraphQLNamedType): Described[] {
  const own = { name: type.name, description: type.description };
  if (isEnumType(type))
    return [
      own,
      ...type.getValues().map((value) => ({ name: `${type.name}.${value.name}`, description: value.description })),
    ];
  return [own, ...fieldsOf(type)].map(({ name, description }) => ({
    name: name === type.name ? name : `${type.name}.${name}`,
    description,
  }));
}

function fieldsOf(type: GraphQLNamedType): (Described & { type: string })[] {
  if (isInputObjectType(type))
    return Object.values(type.getFields()).map(({ name, description, type }) => ({
      name,
      description,
      type: type.toString(),
    }));
  if (!isObjectType(type)) return [];
  return Object.values(type.getFields()).flatMap((field) => [
    { name: field.name, description: field.description, type: field.type.toString() },
    ...field.args.map(({ name, description, type }) => ({
      name: `${field.name}(${name})`,
      description,
      type: type.toString(),
    })),
  ]);
}

function directiveElements(): Described[] {
  return schema
    .getDirectives()
    .filter((directive) => !isSpecifiedDirective(directive))
    .flatMap(({ name, description, args }) => [
      { name: `@${name}`, description },
      ...args.map((argument) => ({ name: `@${name}(${argument.name})`, description: argument.description })),
    ]);
}

type Directives = readonly { name: { value: string }; arguments?: readonly { value: object }[] }[] | undefined;

/** As tokens spell them: `read_products`; `authenticated` for any valid token. */
function scopesOf(directives: Directives): string[] {
  return (directives ?? []).flatMap(({ name, arguments: given }) => {
    if (name.value === 'authenticated') return ['authenticated'];
    return name.value === 'requiresScope'
      ? (given ?? []).map(({ value }) => ('value' in value ? String(value.value).toLowerCase() : ''))
      : [];
  });
}

function namesOf(elements: Described[]): string[] {
  return elements.map(({ name }) => name);
}
