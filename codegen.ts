import type { CodegenConfig } from '@graphql-codegen/cli';
import { historyFunctions } from './codegen/history-function.ts';
import { domainsWithInputs } from './codegen/input-schema.ts';
import { domainsWithReferences } from './codegen/references.ts';

const INPUT_SCHEMAS = domainsWithInputs().map((domain) => [
  `src/${domain}/generated/${domain}-input.ts`,
  { plugins: ['codegen/input-schema.ts'] },
]);

const REFERENCES = domainsWithReferences().map((domain) => [
  `src/${domain}/generated/${domain}-references.ts`,
  { plugins: ['codegen/references.ts'] },
]);

const HISTORY_FUNCTIONS = historyFunctions.map((name) => [
  `migrations/functions/${name}.sql`,
  { plugins: ['codegen/history-function.ts'] },
]);

const config: CodegenConfig = {
  schema: 'schema/*.graphql',
  generates: {
    'src/graphql/generated/types.ts': {
      plugins: ['typescript', 'typescript-resolvers'],
      config: {
        // Node runs TypeScript by erasing types, so nothing generated may exist at run time.
        enumsAsTypes: true,
        useTypeImports: true,
        importExtension: '.ts',
        emitLegacyCommonJSImports: false,
        contextType: '../../context.ts#Context',
        scalars: { Timestamp: 'number', ID: { input: 'string', output: 'string' } },
        // A root field without a resolver is a type error that names it.
        avoidOptionals: { query: true, mutation: true },
      },
    },
    'drizzle/generated/enums.ts': { plugins: ['codegen/enum-values.ts'] },
    'migrations/functions/customer_events.sql': { plugins: ['codegen/event-function.ts'] },
    'migrations/functions/product_events.sql': { plugins: ['codegen/event-function.ts'] },
    'migrations/functions/product_stock_location_events.sql': { plugins: ['codegen/event-function.ts'] },
    'migrations/functions/stock_hold_events.sql': { plugins: ['codegen/event-function.ts'] },
    'src/cli/references/generated/stored-members.ts': { plugins: ['codegen/stored-members.ts'] },
    'migrations/functions/fill_product_ids.sql': { plugins: ['codegen/fill-function.ts'] },
    'migrations/functions/fill_variant_ids.sql': { plugins: ['codegen/fill-function.ts'] },
    ...Object.fromEntries([...INPUT_SCHEMAS, ...REFERENCES, ...HISTORY_FUNCTIONS]),
    'docs/reliability-tests.md': { plugins: ['codegen/reliability-tests.ts'] },
  },
};

export default config;
