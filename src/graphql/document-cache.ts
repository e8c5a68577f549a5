import { type DocumentNode, GraphQLError, type GraphQLSchema, MaxIntrospectionDepthRule, NoFragmentCyclesRule, parse, specifiedRules, validate } from 'graphql';
import { LRUCache } from 'lru-cache';
import { readAliases, resolveAliases } from './aliases.ts';
import { checkLimits, maxDocumentLength, maxErrors, maxTokens } from './limits.ts';
import { withoutTexts, withSelectionsOf } from './literals.ts';

/** Measured: what a parsed document takes for each token, and for each UTF-16 unit of its text. */
const bytesPerToken = 220;
const bytesPerUnit = 2;
/** A larger document has its input as literals in it and hardly comes twice. */
const maxEntryBytes = 256 * 1024;

/** Without the one that expands each spread of a fragment, which doubles its cost with each rung of a ladder; `checkLimits` does its work. */
const rules = specifiedRules.filter((rule) => rule !== MaxIntrospectionDepthRule);

export type DocumentCache = {
  /** Whether the text needs no validation, so that it takes microseconds instead of up to a tenth of a second. */
  isKnown(text: string): boolean;
  /** The document of a text, or the GraphQLError that the parser has for it. */
  parse(text: string, options: { remember: boolean }): DocumentNode;
  /** What is wrong with a document that `parse` gave. */
  validate(document: DocumentNode): readonly GraphQLError[];
};

/**
 * Parsing and validation, once per text: together they cost more than most operations. Texts that differ in
 * their literals alone are validated once, and only one of them is kept.
 */
export function createDocumentCache(schema: GraphQLSchema, { maxBytes }: { maxBytes: number }): DocumentCache {
  const aliases = readAliases(schema);
  const valid = new LRUCache<string, DocumentNode>({ maxSize: maxBytes, maxEntrySize: maxEntryBytes });
  const errors = new WeakMap<DocumentNode, readonly GraphQLError[]>();
  const commonOf = rememberingLast(withoutTexts);
  return {
    isKnown: (text) => valid.has(commonOf(text) ?? text),
    parse: (text, { remember }) => {
      const common = commonOf(text);
      const known = valid.get(common ?? text);
      if (known && common === null) return known;
      const document = resolveAliases(parseText(text), aliases);
      if (known) return withSelectionsOf(known, document);
      const found = validateDocument(schema, document);
      if (found.length > 0) errors.set(document, found);
      else if (remember) valid.set(common ?? text, document, { size: bytesOf(document, text) });
      return document;
    },
    validate: (document) => errors.get(document) ?? [],
  };
}

/** A text is looked up right before it is parsed. */
function rememberingLast<Result>(make: (text: string) => Result): (text: string) => Result {
  let last: { text: string; made: Result } | null = null;
  return (text) => (last?.text === text ? last : (last = { text, made: make(text) })).made;
}

function bytesOf(document: DocumentNode, text: string): number {
  return (document.tokenCount ?? text.length) * bytesPerToken + text.length * bytesPerUnit + 1;
}

function parseText(text: string): DocumentNode {
  if (text.length > maxDocumentLength) {
    throw new GraphQLError(`Syntax Error: The document is longer than ${maxDocumentLength} characters.`);
  }
  try {
    return parse(text, { maxTokens });
  } catch (error) {
    if (error instanceof RangeError) throw new GraphQLError('Syntax Error: The document is nested too deeply.');
    throw error;
  }
}

function validateDocument(schema: GraphQLSchema, document: DocumentNode): readonly GraphQLError[] {
  const beyond = checkLimits(document);
  if (beyond.length > 0) return beyond;
  // The rule about overlapping fields follows a cycle until the stack is full, so cycles go first.
  const cycles = validate(schema, document, [NoFragmentCyclesRule], { maxErrors });
  if (cycles.length > 0) return cycles;
  // Suggestions would tell what a schema that may be closed to strangers contains.
  return validate(schema, document, rules, { maxErrors, hideSuggestions: true });
}
