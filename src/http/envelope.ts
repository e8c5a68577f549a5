import { createYoga, type Plugin } from 'graphql-yoga';
import type { Context } from '../context.ts';
import { createDocumentCache, type DocumentCache } from '../graphql/document-cache.ts';
import { createExecute } from '../graphql/execute.ts';
import type { GraphQLSchema } from '../graphql/schema.ts';
import type { Anonymous } from '../graphql/scope.ts';

/** About a thousand documents of usual length. */
const documentCacheBytes = 16 * 1024 * 1024;

/**
 * Yoga's envelope with our parsing, validation and execution in it. Plugins that watch or change these
 * go in here. Yoga's own reading and writing of requests is left out: Fastify's costs a quarter of it.
 */
export function createEnvelope(schema: GraphQLSchema) {
  const documents = createDocumentCache(schema, { maxBytes: documentCacheBytes });
  const yoga = createYoga<object, Context | Anonymous>({
    schema,
    plugins: [engine(schema, documents)],
    parserAndValidationCache: false,
    maskedErrors: false,
    logging: false,
    graphiql: false,
    landingPage: false,
    cors: false,
    multipart: false,
  });
  return { enveloped: yoga.getEnveloped, isKnown: (text: string): boolean => documents.isKnown(text) };
}

function engine(schema: GraphQLSchema, documents: DocumentCache): Plugin<Context | Anonymous> {
  const execute = createExecute(schema);
  return {
    // Strangers do not get to push the callers' documents out of the cache.
    onParse: ({ params, context, setParsedDocument }) =>
      setParsedDocument(documents.parse(String(params.source), { remember: context.session !== null })),
    onValidate: ({ params, setResult }) => setResult([...documents.validate(params.documentAST)]),
    onExecute: ({ setExecuteFn }) => setExecuteFn(execute),
  };
}
