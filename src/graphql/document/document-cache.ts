import {
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  MaxIntrospectionDepthRule,
  NoFragmentCyclesRule,
  parse,
  specifiedRules,
  validate,
} from 'graphql';
import { LRUCache } from 'lru-cache';
import { readAliases, resolveAliases } from './type-aliases.ts';
import { documentErrors, type GraphQLFormattedError, isGraphQLError } from '../errors.ts';
import { checkLimits, maxDocumentLength, maxErrors, maxTokens } from './document-limits.ts';
import { withoutTexts, withSelectionsOf } from './string-literals.ts';

/** Measured: what a parsed document takes for each token, and for each UTF-16 unit of its text. */
const bytesPerToken = 220;
const bytesPerUnit = 2;
/** A larger document has its input as literals in it and hardly comes twice. */
const maxEntryBytes = 256 * 1024;

/** Without the one that expands each spread of a fragment, which doubles its cost with each rung of a ladder; `checkLimits` does its work. */
const rules = specifiedRules.filter((rule) => rule !== MaxIntrospectionDepthRule);

/** A document, or why it is not executed. */
export type ParsedDocument =
  | { document: DocumentNode; refusal?: undefined }
  | { document?: undefined; refusal: GraphQLFormattedError[] };

export type DocumentCache = {
  /** The document of a text that was valid before, in microseconds. Null for other texts. */
  find(text: string): ParsedDocument | null;
  /** Parses and validates, which takes up to a tenth of a second. */
  read(text: string, options: { remember: boolean }): ParsedDocument;
};

/**
 * Parsing and validation, once per text: together they cost more than most operations. Texts that differ in
 * their literals alone are validated once, and only one of them is kept.
 */
export function createDocumentCache(schema: GraphQLSchema, { maxBytes }: { maxBytes: number }): DocumentCache {
  const aliases = readAliases(schema);
  const valid = new LRUCache<string, ParsedDocument & { document: DocumentNode }>({
    maxSize: maxBytes,
    maxEntrySize: maxEntryBytes,
  });
  const find = (text: string): ParsedDocument | null => {
    const common = withoutTexts(text);
    const known = valid.get(common ?? text);
    if (!known || common === null) return known ?? null;
    const document = parseText(text);
    return isGraphQLError(document)
      ? null
      : { document: withSelectionsOf(known.document, resolveAliases(document, aliases)) };
  };
  const read = (text: string, { remember }: { remember: boolean }): ParsedDocument => {
    const parsed = parseText(text);
    if (isGraphQLError(parsed)) return { refusal: documentErrors([parsed], 'GRAPHQL_PARSE_FAILED') };
    const document = resolveAliases(parsed, aliases);
    const errors = validateDocument(schema, document);
    if (errors.length > 0) return { refusal: documentErrors(errors, 'GRAPHQL_VALIDATION_FAILED') };
    if (remember) valid.set(withoutTexts(text) ?? text, { document }, { size: bytesOf(document, text) });
    return { document };
  };
  return { find, read: (text, options) => find(text) ?? read(text, options) };
}

function bytesOf(document: DocumentNode, text: string): number {
  return (document.tokenCount ?? text.length) * bytesPerToken + text.length * bytesPerUnit + 1;
}

function parseText(text: string): DocumentNode | GraphQLError {
  if (text.length > maxDocumentLength) {
    return new GraphQLError(`Syntax Error: The document is longer than ${maxDocumentLength} characters.`);
  }
  try {
    return parse(text, { maxTokens });
  } catch (error) {
    if (error instanceof RangeError) return new GraphQLError('Syntax Error: The document is nested too deeply.');
    if (isGraphQLError(error)) return error;
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
