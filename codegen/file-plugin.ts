import { basename } from 'node:path';
import type { GraphQLSchema } from 'graphql';

type Plugin = (schema: GraphQLSchema, documents: unknown, config: unknown, info?: { outputFile?: string }) => string;

/**
 * A graphql-codegen plugin. `write` returns the text of a file, and gets the file's name without `ending`. `npm run
 * codegen` writes the file, and `npm run codegen:check` compares it. Generators that read directives parse the SDL files
 * again, because the schema of graphql-codegen does not know which file a type is in.
 */
export function filePlugin(ending: string, write: (name: string, schema: GraphQLSchema) => string): Plugin {
  return (schema, _documents, _config, info) => write(basename(info!.outputFile!, ending), schema);
}
