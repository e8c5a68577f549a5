import {
  coerceInputValue,
  type DocumentNode,
  getNamedType,
  GraphQLError,
  GraphQLID,
  type GraphQLInputType,
  type GraphQLSchema,
  GraphQLString,
  isInputType,
  Kind,
  parseValue,
  Source,
  type StringValueNode,
  TypeInfo,
  type VariableNode,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { responseKey } from '../document/collect-fields.ts';
import { MAX_TOKENS } from '../document/document-limits.ts';

const [QUOTE, BACKSLASH, LINE_FEED, CARRIAGE_RETURN] = [0x22, 0x5c, 0x0a, 0x0d];
const STRING_OR_COMMENT = /["#]/g;
const END_OF_LINE = /[\n\r]|$/g;
/** Prefix of a cache key. No valid document contains it. */
const KEY_PREFIX = '\0';
/** Begins the names of the variables that replace literals. No name of a client contains it. */
const NAME_PREFIX = '"';

/** The text of a document without its strings, and the strings with their quotes. */
export type SplitText = { readonly key: string; readonly strings: readonly string[] };

/** The values of the variables that replace strings, by their names. */
export type StringValues = Readonly<Record<string, unknown>>;

/** The text of a request. If variables replace its strings: the strings as they were sent, and their values. */
export type SentText = { readonly text: string; readonly strings: readonly string[]; readonly values: StringValues };

/** A variable that replaces a string. `start` is the place of the string; null in a document parsed without places. */
type StringVariable = { readonly name: string; readonly type: GraphQLInputType; readonly start: number | null };

/** A document with a variable in place of each string, in their order. `strings` are those of the text it was made of. */
export type WithoutStrings = {
  readonly document: DocumentNode;
  readonly variables: readonly StringVariable[];
  readonly strings: readonly string[];
};

/**
 * Splits a text, so that documents which differ only in string literals have the same key. Null for documents without
 * strings, with block strings, and with a string that does not end. Also null for documents with more strings and
 * comments than cached ones have tokens: 490,000 comments took 0.2 s. Reads each character once.
 */
export function splitText(text: string): SplitText | null {
  if (!text.includes('"') || text.includes('"""')) return null;
  const strings: string[] = [];
  let key = KEY_PREFIX;
  let from = 0;
  let count = 0;
  for (let at = next(STRING_OR_COMMENT, text, 0); at !== -1; at = next(STRING_OR_COMMENT, text, at)) {
    if (++count > MAX_TOKENS) return null;
    if (text.charCodeAt(at) !== QUOTE) {
      at = next(END_OF_LINE, text, at);
      continue;
    }
    const end = endOfString(text, at);
    if (end === -1) return null;
    strings.push(text.slice(at, end));
    key += `${text.slice(from, at)}""`;
    from = at = end;
  }
  return { key: key + text.slice(from), strings };
}

/** The first place from `at` on where the expression matches; -1 if there is none. */
function next(expression: RegExp, text: string, at: number): number {
  expression.lastIndex = at;
  return expression.exec(text)?.index ?? -1;
}

/** The place behind the closing quote; -1 if there is none on the line. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const character = text.charCodeAt(at);
    if (character === QUOTE) return at + 1;
    if (character === BACKSLASH) at++;
    else if (character === LINE_FEED || character === CARRIAGE_RETURN) return -1;
  }
  return -1;
}

/** Whether the key may be that of a text: keys of documents without their strings are not. */
export function isWholeText(key: string): boolean {
  return !key.startsWith(KEY_PREFIX);
}

/**
 * Replaces the strings of a valid document by variables. Null if one of them is no value of an argument, such as the
 * default of a variable. Also null if two fields with arguments have the same response key: whether they may be merged
 * depends on their strings, so that another document with this key may be invalid.
 */
export function withoutStrings(
  document: DocumentNode,
  schema: GraphQLSchema,
  { strings }: SplitText,
): WithoutStrings | null {
  const info = new TypeInfo(schema);
  const variables: StringVariable[] = [];
  const keys = new Set<string>();
  let isRepeated = false;
  const replaced = visit(
    document,
    visitWithTypeInfo(info, {
      // Strings in them are not replaced, so that there are fewer variables than strings.
      VariableDefinition: () => false,
      Directive: () => false,
      Field: (node) => {
        if (!node.arguments?.length) return;
        isRepeated ||= keys.has(responseKey(node));
        keys.add(responseKey(node));
      },
      StringValue: (node) => {
        const type = info.getInputType();
        if (!type || !isText(type)) return undefined;
        const name = `${NAME_PREFIX}${variables.length}`;
        variables.push({ name, type, start: node.loc?.start ?? null });
        return variable(name, node);
      },
    }),
  );
  if (isRepeated || variables.length !== strings.length) return null;
  return { document: { ...replaced, tokenCount: document.tokenCount }, variables, strings };
}

/** The values of `strings` as those of the variables. Null if one of them is no valid string. */
export function stringValues({ variables }: WithoutStrings, strings: readonly string[]): StringValues | null {
  const values: Record<string, unknown> = {};
  for (const [index, { name, type }] of variables.entries()) {
    const text = textOf(strings[index]!);
    if (text === null) return null;
    values[name] = coerceInputValue(text, type);
  }
  return values;
}

/** The error with its places in the text that was sent, which has the same key as the text of the shared document. */
export function relocated(error: GraphQLError, shared: WithoutStrings | null, sent: SentText): GraphQLError {
  const { message, positions, path, originalError, extensions } = error;
  if (!positions || !shared || shared.variables.some(({ start }) => start === null)) return error;
  const { variables, strings } = shared;
  const shift = (position: number): number =>
    variables.reduce(
      (moved, { start }, index) =>
        start! < position ? moved + sent.strings[index]!.length - strings[index]!.length : moved,
      position,
    );
  return new GraphQLError(message, {
    source: new Source(sent.text),
    positions: positions.map(shift),
    path,
    originalError,
    extensions,
  });
}

function isText(type: GraphQLInputType): boolean {
  const named = getNamedType(type);
  return isInputType(named) && (named === GraphQLString || named === GraphQLID);
}

function variable(name: string, { loc }: StringValueNode): VariableNode {
  return { kind: Kind.VARIABLE, name: { kind: Kind.NAME, value: name }, ...(loc && { loc }) };
}

/** The text that a string stands for. Null if the lexer refuses it. */
function textOf(string: string): string | null {
  if (!string.includes('\\')) return string.isWellFormed() ? string.slice(1, -1) : null;
  try {
    const node = parseValue(string);
    return node.kind === Kind.STRING ? node.value : null;
  } catch {
    return null;
  }
}
