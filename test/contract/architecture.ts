/** The domains, and the other domains that each may import. */
export const DOMAINS: Record<string, string[]> = {
  app: ['category', 'merchant', 'price-list'],
  attribute: ['option-list'],
  brand: ['page-metadata'],
  category: ['merchant', 'page-metadata'],
  change: ['app'],
  customer: ['change', 'webhook'],
  demo: ['app', 'image', 'merchant', 'product-file'],
  idempotency: [],
  image: ['product'],
  merchant: [],
  'option-list': [],
  'page-metadata': ['merchant'],
  'price-list': ['merchant'],
  product: [
    'attribute',
    'brand',
    'category',
    'change',
    'merchant',
    'page-metadata',
    'price-list',
    'sales-channel',
    'stock',
    'tag',
    'variant-type',
  ],
  'product-file': ['attribute', 'merchant', 'price-list', 'product', 'sales-channel', 'stock'],
  removal: ['app', 'customer', 'merchant'],
  revert: [
    'attribute',
    'brand',
    'category',
    'change',
    'customer',
    'price-list',
    'product',
    'sales-channel',
    'stock',
    'variant-type',
  ],
  'sales-channel': [],
  stock: ['change'],
  tag: [],
  usage: [],
  'variant-type': ['option-list'],
  webhook: ['app'],
};

const DOMAIN_FOLDERS = Object.keys(DOMAINS).map((domain) => `src/${domain}`);

/** From top to bottom: each folder or file may import only layers below it, and its own part of `src`. */
export const LAYERS = [
  ['src/main.ts'],
  ['src/service.ts'],
  ['src/http', 'src/worker', 'src/cli'],
  ['src/process', 'src/resolvers.ts'],
  DOMAIN_FOLDERS,
  ['src/graphql'],
  ['src/config.ts', 'src/db', 'src/list-input.ts'],
  ['src/argument-scope.ts', 'src/graphql/generated', 'src/field-input.ts'],
  ['src/context.ts'],
  ['src/db/connection', 'src/outbound'],
  ['src/db/errors', 'src/tracing'],
  ['src/limits'],
  ['src/errors.ts', 'src/installation', 'src/values', 'src/app-scope.ts', 'drizzle'],
];

/** Types and rules that all parts share. At run time these files import only each other. */
export const SHARED_FILES = [
  'src/app-scope.ts',
  'src/context.ts',
  'src/errors.ts',
  'src/field-input.ts',
  'src/graphql/generated/types.ts',
  'src/limits/event-loop-slices.ts',
  'src/list-input.ts',
  'src/values/decimal.ts',
  'src/values/text.ts',
  'src/values/timestamp.ts',
];

/** The domains that may send requests to other hosts. */
export const OUTBOUND_DOMAINS = ['webhook', 'image'];

/** The files and folders that may import the configuration. All others get values of it as arguments. */
export const CONFIGURED = [
  'src/main.ts',
  'src/service.ts',
  'src/cli/',
  'src/process/describe-error.ts',
  'src/process/start-arguments.ts',
  'src/process/database-environment.ts',
];

/** Stands for all domains in the table below. */
export const ANY_DOMAIN = 'domains';

/** The files and folders that may import each package. */
export const IMPORTERS: Record<string, string[]> = {
  '@aws-sdk/client-s3': ['src/image/'],
  '@fastify/helmet': ['src/http/'],
  '@fastify/multipart': ['src/http/'],
  '@fastify/proxy-addr': ['src/http/server/request-id.ts', 'src/values/proxy-address.ts'],
  '@fastify/rate-limit': ['src/http/'],
  '@graphql-tools/schema': ['src/graphql/'],
  '@graphql-yoga/render-graphiql': ['src/http/'],
  '@opentelemetry/api': ['src/tracing/'],
  '@opentelemetry/exporter-trace-otlp-proto': ['src/tracing/'],
  '@opentelemetry/resources': ['src/tracing/'],
  '@opentelemetry/sdk-trace-base': ['src/tracing/'],
  '@sindresorhus/slugify': ['src/page-metadata/'],
  'cli-progress': ['src/cli/'],
  commander: ['src/cli/'],
  'csv-parse': ['src/product-file/csv/'],
  'csv-stringify': ['src/product-file/csv/', 'src/cli/history/history-text.ts'],
  'drizzle-orm': ['drizzle/', 'src/db/', 'src/cli/database/', 'src/cli/doctor/', 'src/cli/references/', ANY_DOMAIN],
  fastify: ['src/http/'],
  fresh: ['src/http/protocol/etag.ts'],
  got: ['src/outbound/'],
  graphql: ['src/graphql/'],
  'graphql-yoga': ['src/http/'],
  'ipaddr.js': ['src/outbound/'],
  'lru-cache': [
    'src/app/credentials/access-token.ts',
    'src/graphql/prepared/document-cache.ts',
    'src/http/admission/request-counts.ts',
  ],
  'markdown-it': ['src/http/docs/markdown.ts'],
  negotiator: ['src/http/protocol/content-negotiation.ts'],
  'pg-boss': ['src/worker/'],
  pino: ['src/process/log.ts'],
  postgres: [
    'src/db/connection/connect.ts',
    'src/db/connection/driver.ts',
    'src/db/connection/connection-watch.ts',
    'src/db/connection/database.ts',
    'src/db/connection/pool.ts',
    'src/db/connection/pooled-statement.ts',
    'src/db/connection/traced-statement.ts',
  ],
  'prom-client': ['src/http/'],
  sharp: ['src/image/'],
  uuid: ['src/db/sql/id.ts'],
  zod: ['src/config.ts', 'src/field-input.ts', /* a file's end: */ '-input.ts'],
};
