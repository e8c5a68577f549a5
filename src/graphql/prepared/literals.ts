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

const STRING_OR_COMMENT = /"(?:[^"\\\n\r]|\\.)*"|#[^\n\r]*/g;
/** Prefix of a cache key. No valid document contains it, so that no document equals the key of another one. */
const KEY_PREFIX = '\0';
/** Begins the names of the variables that replace literals. No name of a client contains it. */
const NAME_PREFIX = '"';

/** The text of a document without its strings, and the strings with their quotes. */
export type SplitText = { readonly key: string; readonly strings: readonly string[] };

/** A string literal that is replaced by a variable. `start` is its place in the text; null in a very long document. */
type Literal = { readonly name: string; readonly type: GraphQLInputType; readonly start: number | null };

/** The values of the literals of one text, by the names of their variables. */
export type LiteralValues = Readonly<Record<string, unknown>>;

/** The literals of a document, in their order, and what they were in the text from which it was made. */
export type Literals = { readonly literals: readonly Literal[]; readonly strings: readonly string[] };

export const NO_LITERALS: Literals = { literals: [], strings: [] };

/**
 * Splits a text, so that documents which differ only in string literals have the same key. No validation rule reads a
 * string, so either all of them are valid or none is. Null for documents without strings, and with block strings.
 */
export function splitText(text: string): SplitText | null {
  if (!text.includes('"') || text.includes('"""')) return null;
  const strings: string[] = [];
  const key = text.replace(STRING_OR_COMMENT, (found) => {
    if (!found.startsWith('"')) return found;
    strings.push(found);
    return '""';
  });
  return { key: KEY_PREFIX + key, strings };
}

/**
 * Replaces the strings of a valid document by variables. Null if one of them is no value of an argument, such as the
 * default of a variable.
 */
export function withoutStrings(
  document: DocumentNode,
  schema: GraphQLSchema,
  { strings }: SplitText,
): { document: DocumentNode; literals: Literals } | null {
  const info = new TypeInfo(schema);
  const literals: Literal[] = [];
  const replaced = visit(
    document,
    visitWithTypeInfo(info, {
      // Strings in them are not replaced, so that the numbers of strings and of literals differ.
      VariableDefinition: () => false,
      Directive: () => false,
      StringValue: (node) => {
        const type = info.getInputType();
        if (!type || !isText(type)) return undefined;
        const literal = { name: `${NAME_PREFIX}${literals.length}`, type, start: node.loc?.start ?? null };
        literals.push(literal);
        return variable(literal.name, node);
      },
    }),
  );
  if (literals.length !== strings.length) return null;
  return { document: { ...replaced, tokenCount: document.tokenCount }, literals: { literals, strings } };
}

/** The values of the strings of another text with the same key. Null if one of them is no valid string. */
export function literalValues({ literals }: Literals, strings: readonly string[]): LiteralValues | null {
  const values: Record<string, unknown> = {};
  for (const [index, { name, type }] of literals.entries()) {
    const text = textOf(strings[index]!);
    if (text === null) return null;
    values[name] = coerceInputValue(text, type);
  }
  return values;
}

/** The error with its places in another text with the same key. */
export function relocated(error: GraphQLError, { literals, strings }: Literals, sent: SentText): GraphQLError {
  const { message, positions, path, originalError } = error;
  if (!positions || literals.some(({ start }) => start === null)) return error;
  const shift = (position: number): number =>
    literals.reduce(
      (moved, { start }, index) =>
        start! < position ? moved + sent.strings[index]!.length - strings[index]!.length : moved,
      position,
    );
  return new GraphQLError(message, {
    source: new Source(sent.text),
    positions: positions.map(shift),
    path,
    originalError,
  });
}

export type SentText = { readonly text: string; readonly strings: readonly string[] };

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
