import { hash } from 'node:crypto';
import {
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  MaxIntrospectionDepthRule,
  NoFragmentCyclesRule,
  parse,
  type ParseOptions,
  specifiedRules,
  validate,
} from 'graphql';
import { LRUCache } from 'lru-cache';
import { loginRequired } from '../../errors.ts';
import { fragmentsOf } from '../document/collect-fields.ts';
import { documentErrors, type GraphQLFormattedError, isGraphQLError } from '../errors.ts';
import {
  type CheckedLimits,
  checkLimits,
  hasManyLiterals,
  hasTooManyTokens,
  LONG_DOCUMENT_LENGTH,
  MAX_DOCUMENT_LENGTH,
  MAX_ERRORS,
  MAX_ERRORS_WITH_LITERALS,
  MAX_TOKENS,
  MAX_TOKENS_WITH_LITERALS,
} from '../document/document-limits.ts';
import { withoutRepeatedEntries } from '../document/distinct-entries.ts';
import { suggestNames } from '../document/suggestions.ts';
import { hasDirectives } from '../plan/operation-plan.ts';
import { type OperationParts, PreparedOperation, type SchemaFacts, schemaFacts } from './prepared-operation.ts';
import {
  isWholeText,
  type SentText,
  type SplitText,
  splitText,
  stringValues,
  type WithoutStrings,
  withoutStrings,
} from './string-literals.ts';
import { readTypeAliases, resolveTypeAliases } from '../document/type-aliases.ts';

/** Measured memory of a parsed document, per token and per UTF-16 unit of its text. */
const BYTES_PER_TOKEN = 220;
const BYTES_PER_UTF16_UNIT = 2;
/** Measured memory of what is prepared of a field or fragment, after expansion of the spreads. */
const BYTES_PER_SELECTION = 1_200;
/** Measured memory of a string that is replaced by a variable. */
const BYTES_PER_STRING = 300;
/** Longer texts contain their input as literals and are rarely sent twice. */
const MAX_ENTRY_BYTES = 256 * 1024;
/** Maximum number of texts that are remembered after their first use. Each takes about 100 bytes. */
const MAX_SEEN_TEXTS = 10_000;
/** In the message of graphql-js about MAX_TOKENS. */
const TOO_MANY_TOKENS = `contains more than ${MAX_TOKENS} tokens`;
const MAX_LOCATED_LINES = 1_000;
/** The line breaks that graphql-js counts. */
const LINE_BREAK = /\r\n|[\n\r]/g;

/**
 * Without MaxIntrospectionDepthRule: it expands each fragment spread, so its cost doubles with each fragment that
 * spreads the next one twice. `checkLimits` limits the depth of introspection too, and follows each fragment once.
 */
const RULES = specifiedRules.filter((rule) => rule !== MaxIntrospectionDepthRule);

/** A valid document. Texts that differ only in string literals share one, in which variables have replaced them. */
export class PreparedDocument {
  /** As the first client wrote it. */
  readonly document: DocumentNode;
  /** The document that is executed, if it has strings. */
  readonly withoutStrings: WithoutStrings | null;
  readonly #operations: readonly PreparedOperation[];

  constructor(facts: SchemaFacts, document: DocumentNode, replaced: WithoutStrings | null) {
    this.document = document;
    this.withoutStrings = replaced;
    const executed = replaced && operationsOf(replaced.document);
    const withDirectives = hasDirectives(document);
    this.#operations = operationsOf(document).map(
      (sent, place) =>
        new PreparedOperation(facts, { sent, executed: executed?.[place] ?? sent, hasDirectives: withDirectives }),
    );
  }

  /** The operation to execute, or an error with the same message as in graphql-js. */
  operation(name: string | null | undefined): PreparedOperation | GraphQLError {
    const [first, second] = this.#operations;
    if (!first) return new GraphQLError('Must provide an operation.');
    if (name === null || name === undefined) {
      return second ? new GraphQLError('Must provide operation name if query contains multiple operations.') : first;
    }
    return (
      this.#operations.find(({ sent }) => sent.node.name?.value === name) ??
      new GraphQLError(`Unknown operation named "${name}".`)
    );
  }
}

export type ValidDocument = { readonly prepared: PreparedDocument; readonly sent: SentText };

/** A valid document, or the errors for which it is refused. */
export type ReadDocument =
  | (ValidDocument & { refusal?: undefined })
  | { prepared?: undefined; refusal: GraphQLFormattedError[] };

/**
 * Callers without an access token must not evict the documents of others from the cache, nor take long: theirs are not
 * kept, and may not have MAX_TOKENS_WITH_LITERALS tokens.
 */
type ReadOptions = { readonly hasToken: boolean };

export type DocumentCache = {
  /** The document of a text that is cached, in microseconds. Null for other texts, and for long ones. */
  find(text: string): ReadDocument | null;
  /** Parses and validates, which blocks the event loop for up to a tenth of a second. */
  read(text: string, options: ReadOptions): ReadDocument;
  /** Parses a text that is known to be valid. The places of its nodes are those in this text, not in a cached one. */
  parse(text: string): DocumentNode;
};

/**
 * Caches parsed and validated documents by their text: parsing and validation cost more than most operations. Texts
 * that differ only in string literals share one document. A document is cached when it is sent for the second time. When
 * each was cached at once, 6,000 different documents took 140 MB more memory; the CPU per request was the same.
 */
export function createDocumentCache(schema: GraphQLSchema, { maxBytes }: { maxBytes: number }): DocumentCache {
  const aliases = readTypeAliases(schema);
  const facts = schemaFacts(schema);
  const cache = new LRUCache<string, PreparedDocument>({ maxSize: maxBytes });
  const seen = new LRUCache<string, true>({ max: MAX_SEEN_TEXTS });
  const find = (text: string, split: SplitText | null): ReadDocument | null => {
    const shared = split ? cache.get(split.key) : undefined;
    if (shared) {
      const { strings } = split!;
      const values = stringValues(shared.withoutStrings!, strings);
      if (values) return { prepared: shared, sent: { text, strings, values } };
    }
    const whole = isWholeText(text) ? cache.get(text) : undefined;
    return whole ? { prepared: whole, sent: { text, strings: [], values: {} } } : null;
  };
  const read = (text: string, split: SplitText | null, { hasToken }: ReadOptions): ReadDocument => {
    const parsed = parseText(text, { manyLiterals: hasToken });
    // With a token the document may be accepted, so the missing token is what the client has to know.
    if (!hasToken && isGraphQLError(parsed) && parsed.message.includes(TOO_MANY_TOKENS)) throw loginRequired();
    if (isGraphQLError(parsed)) return { refusal: documentErrors([parsed], 'GRAPHQL_PARSE_FAILED') };
    const document = resolveTypeAliases(parsed, aliases);
    const { errors, selections } = validateDocument(schema, document, text);
    if (errors.length > 0) return { refusal: documentErrors(errors, 'GRAPHQL_VALIDATION_FAILED') };
    const isRepeated = hasToken && !hasManyLiterals(document) && wasSeen(seen, split?.key ?? text);
    const replaced = isRepeated && split ? withoutStrings(document, schema, split) : null;
    const prepared = new PreparedDocument(facts, document, replaced);
    const bytes = bytesOfText(prepared, text);
    if (isRepeated && bytes <= MAX_ENTRY_BYTES && (!split || replaced || wasSeen(seen, text)))
      cache.set(replaced ? split!.key : text, prepared, { size: bytes + selections * BYTES_PER_SELECTION });
    if (!replaced) return { prepared, sent: { text, strings: [], values: {} } };
    const { strings } = replaced;
    return { prepared, sent: { text, strings, values: stringValues(replaced, strings)! } };
  };
  return {
    find: (text) => (text.length > LONG_DOCUMENT_LENGTH ? null : find(text, splitText(text))),
    read: (text, options) => {
      const split = text.length > MAX_DOCUMENT_LENGTH ? null : splitText(text);
      return find(text, split) ?? read(text, split, options);
    },
    parse: (text) => resolveTypeAliases(parseText(text, { manyLiterals: true }) as DocumentNode, aliases),
  };
}

function operationsOf(document: DocumentNode): OperationParts[] {
  const fragments = fragmentsOf(document);
  return document.definitions.flatMap((node) =>
    node.kind === 'OperationDefinition' ? [{ document, node, fragments }] : [],
  );
}

/** Whether the key was asked for before. Stores digests, because a key may be as long as a document. */
function wasSeen(seen: LRUCache<string, true>, key: string): boolean {
  const digest = hash('sha1', key, 'base64');
  const isKnown = seen.has(digest);
  seen.set(digest, true);
  return isKnown;
}

function bytesOfText({ document, withoutStrings: replaced }: PreparedDocument, text: string): number {
  const tokens = (document.tokenCount ?? text.length) * BYTES_PER_TOKEN;
  return tokens + (replaced?.strings.length ?? 0) * BYTES_PER_STRING + text.length * BYTES_PER_UTF16_UNIT + 1;
}

function parseText(text: string, { manyLiterals }: { manyLiterals: boolean }): DocumentNode | GraphQLError {
  if (text.length > MAX_DOCUMENT_LENGTH) {
    return new GraphQLError(`Syntax Error: The document is longer than ${MAX_DOCUMENT_LENGTH} characters.`);
  }
  const parsed = parseTokens(text, { maxTokens: MAX_TOKENS, noLocation: hasManyLines(text) });
  if (!manyLiterals || !isGraphQLError(parsed) || !parsed.message.includes(TOO_MANY_TOKENS)) return parsed;
  // Without the nodes' locations, which take three times the memory of the nodes themselves.
  const long = parseTokens(text, { maxTokens: MAX_TOKENS_WITH_LITERALS, noLocation: true });
  return isGraphQLError(long) || !hasTooManyTokens(long) ? long : parsed;
}

function parseTokens(text: string, options: ParseOptions): DocumentNode | GraphQLError {
  try {
    return parse(text, options);
  } catch (error) {
    if (error instanceof RangeError) return new GraphQLError('Syntax Error: The document is nested too deeply.');
    if (isGraphQLError(error)) return error;
    throw error;
  }
}

/**
 * Whether the document has too many lines for errors with places. graphql-js counts the lines again for each place, up
 * to 500 in a refused document: with 1,000,000 lines that took 23 s. The errors of such a document name no places.
 */
function hasManyLines(text: string): boolean {
  if (text.length <= MAX_LOCATED_LINES) return false;
  let lines = 0;
  for (const _ of text.matchAll(LINE_BREAK)) if (++lines > MAX_LOCATED_LINES) return true;
  return false;
}

function validateDocument(schema: GraphQLSchema, document: DocumentNode, text: string): CheckedLimits {
  const checked = checkLimits(document);
  if (checked.errors.length > 0) return checked;
  const { selections } = checked;
  const hasMany = hasManyLiterals(document);
  // With 3,000 rows of prices this takes 15 ms instead of 110.
  const short = hasMany ? withoutRepeatedEntries(document) : document;
  // First, because OverlappingFieldsCanBeMergedRule follows a cycle of fragments until the stack overflows.
  const cycles = validate(schema, short, [NoFragmentCyclesRule], { maxErrors: MAX_ERRORS });
  if (cycles.length > 0) return { errors: cycles, selections };
  // Suggestions are a member of their own: messages are a part of the contract, and do not change with the schema.
  const isLong = hasMany || text.length > LONG_DOCUMENT_LENGTH;
  const maxErrors = isLong ? MAX_ERRORS_WITH_LITERALS : MAX_ERRORS;
  const errors = validate(schema, short, RULES, { maxErrors, hideSuggestions: true });
  return { errors: suggestNames(schema, errors), selections };
}
