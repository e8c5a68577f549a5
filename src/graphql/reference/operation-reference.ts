import {
  buildASTSchema,
  getNamedType,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLObjectType,
  isInputObjectType,
  isNonNullType,
  isRequiredArgument,
  OperationTypeNode,
  parse,
} from 'graphql';
import { httpStatusByCode, type ErrorCode } from '../../errors.ts';
import { directiveOf } from '../directives.ts';
import { fragmentsOf } from '../document/collect-fields.ts';
import { OperationCost, type Weights, weightsOf } from '../cost/request-cost.ts';
import { fieldWeight, memberPoints } from '../cost/weights.ts';
import { parseSdl, readSources } from '../schema/sdl.ts';

const DOMAIN = /([\w-]+)\.graphql$/;

export type ArgumentReference = {
  readonly name: string;
  readonly type: string;
  readonly isRequired: boolean;
  readonly description: string;
  /** The points that it adds to the cost of a request. A list adds them for each entry. */
  readonly points: number;
};

/** An input object, whose members are listed with the operation. */
export type InputReference = { readonly name: string; readonly members: readonly ArgumentReference[] };

/** An operation as the SDL describes it. */
export type OperationReference = {
  readonly name: string;
  readonly kind: 'query' | 'mutation';
  /** The name of its SDL file. */
  readonly domain: string;
  readonly description: string;
  /** Why and until when it is deprecated; null if it is not. */
  readonly deprecation: string | null;
  readonly type: string;
  readonly arguments: readonly ArgumentReference[];
  /** The members of its required inputs. */
  readonly inputs: readonly InputReference[];
  /** The scope that it needs, such as `read_products`; null if a token with any scope is enough. */
  readonly scope: string | null;
  /** Its own points, without those of the selection. */
  readonly points: number;
  /**
   * Entries of the returned list that the cost assumes, and the largest number that arguments can ask for, null if none
   * asks for a number; null as a whole if no list is returned.
   */
  readonly entries: { readonly assumed: number; readonly max: number | null } | null;
  /** The codes that its description names, and those that follow from its scope and arguments. */
  readonly errors: readonly ErrorCode[];
};

export type Reference = {
  readonly operations: readonly OperationReference[];
  /** The points of a document without variables. */
  readonly costOf: (document: string) => number;
};

/** Reads the descriptions and costs of all operations from the SDL. It needs no resolvers. */
export function readReference(): Reference {
  const schema = buildASTSchema(parseSdl(readSources()), { assumeValidSDL: true });
  const operations = [OperationTypeNode.QUERY, OperationTypeNode.MUTATION].flatMap((kind) => {
    const root = schema.getRootType(kind);
    return root ? Object.values(root.getFields()).map((field) => referenceOf(root, kind, field)) : [];
  });
  const weights = weightsOf(schema);
  return { operations, costOf: (document) => costOf(weights, document) };
}

function referenceOf(
  root: GraphQLObjectType,
  kind: OperationTypeNode,
  field: GraphQLField<unknown, unknown>,
): OperationReference {
  const { points, listSize } = fieldWeight(root, field);
  const description = field.description ?? '';
  const scope = scopeOf(field);
  return {
    name: field.name,
    kind: kind === OperationTypeNode.QUERY ? 'query' : 'mutation',
    domain: DOMAIN.exec(field.astNode?.loc?.source.name ?? '')?.[1] ?? '',
    description,
    deprecation: field.deprecationReason ?? null,
    type: String(field.type),
    arguments: field.args.map(memberOf),
    inputs: field.args.filter(isRequiredArgument).flatMap(inputOf),
    scope,
    points,
    entries: listSize && {
      assumed: listSize.assumedSize,
      max: listSize.slicingArguments.length > 0 ? listSize.max : null,
    },
    errors: errorsOf(description, scope !== null, field.args.length > 0),
  };
}

function memberOf(member: GraphQLArgument | GraphQLInputField): ArgumentReference {
  const { name, type, description } = member;
  const isRequired = isNonNullType(type) && member.default === undefined;
  return { name, type: String(type), isRequired, description: description ?? '', points: memberPoints(member) };
}

function inputOf({ type }: GraphQLArgument): InputReference[] {
  const named = getNamedType(type);
  if (!isInputObjectType(named)) return [];
  return [{ name: named.name, members: Object.values(named.getFields()).map(memberOf) }];
}

/** Values of AppScopeEnum are scopes in upper case. */
function scopeOf(field: GraphQLField<unknown, unknown>): string | null {
  const required = directiveOf(field, 'requiresScope');
  return required ? String(required['scope']).toLowerCase() : null;
}

function errorsOf(description: string, hasScope: boolean, hasArguments: boolean): ErrorCode[] {
  const named = new Set(description.match(/\b[A-Z]+(?:_[A-Z]+)*\b/g));
  const common = ['LOGIN_REQUIRED', hasScope && 'UNAUTHORIZED', hasArguments && 'ARGUMENT_VALIDATION_ERROR'];
  const codes = Object.keys(httpStatusByCode) as ErrorCode[];
  return codes.filter((code) => named.has(code) || common.includes(code));
}

function costOf(weights: Weights, text: string): number {
  const document = parse(text);
  const operation = document.definitions.find((definition) => definition.kind === 'OperationDefinition');
  return operation ? new OperationCost(weights, operation, fragmentsOf(document)).requested(null) : 0;
}
