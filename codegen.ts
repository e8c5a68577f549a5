import type { CodegenConfig } from '@graphql-codegen/cli';
import { eventFunctions } from './codegen/event-function.ts';
import { fillFunctions } from './codegen/fill-function.ts';
import { historyFunctions } from './codegen/history-function.ts';
import { domainsWithInputs } from './codegen/input-schema.ts';
import { domainsWithReferences } from './codegen/references.ts';

const files = (plugin: string, paths: readonly string[]) =>
  Object.fromEntries(paths.map((path) => [path, { plugins: [plugin] }]));
const sqlFiles = (functions: readonly string[]) => functions.map((name) => `migrations/functions/${name}.sql`);
const domainFiles = (domains: readonly string[], end: string) =>
  domains.map((domain) => `src/${domain}/generated/${domain}-${end}.ts`);

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
        customResolveInfo: '../plan/selection.ts#PlannedInfo',
        scalars: { Timestamp: 'number', ID: { input: 'string', output: 'string' } },
        // A root field without a resolver is a type error that names it.
        avoidOptionals: { query: true, mutation: true },
      },
    },
    'drizzle/generated/enums.ts': { plugins: ['codegen/enum-values.ts'] },
    ...files('codegen/event-function.ts', sqlFiles(eventFunctions)),
    'src/cli/references/generated/stored-members.ts': { plugins: ['codegen/stored-members.ts'] },
    ...files('codegen/fill-function.ts', sqlFiles(fillFunctions)),
    ...files('codegen/input-schema.ts', domainFiles(domainsWithInputs(), 'input')),
    ...files('codegen/references.ts', domainFiles(domainsWithReferences(), 'references')),
    ...files('codegen/history-function.ts', sqlFiles(historyFunctions)),
    'docs/reliability-tests.md': { plugins: ['codegen/reliability-tests.ts'] },
  },
};

export default config;
