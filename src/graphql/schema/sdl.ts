import { readdirSync, readFileSync } from 'node:fs';
import { concatAST, type DocumentNode, GraphQLError, parse, Source } from 'graphql';
import { validateSDL } from 'graphql/validation/validate.js';

const ROOT = new URL('../../../', import.meta.url);

/** The SDL files of a folder of the repository, named by their paths. */
export function readSources(folder = 'schema'): Source[] {
  const files = readdirSync(new URL(`${folder}/`, ROOT)).filter((name) => name.endsWith('.graphql'));
  return files.sort().map((name) => {
    const path = `${folder}/${name}`;
    return new Source(readFileSync(new URL(path, ROOT), 'utf8'), path);
  });
}

/** Mistakes in the SDL, one a line, each with file, line and column as editors open them. */
export class SdlError extends Error {
  readonly errors: readonly GraphQLError[];
  override readonly name = 'SdlError';

  constructor(errors: readonly GraphQLError[]) {
    super(errors.map((error) => `${locationOf(error)}${error.message}`).join('\n'));
    this.errors = errors;
  }
}

/** Parses and validates SDL. Throws an SdlError with all syntax errors, or else with all other mistakes. */
export function parseSdl(sources: readonly Source[]): DocumentNode {
  const parsed = sources.map(parseSource);
  throwIfAny(parsed.filter((one) => one instanceof GraphQLError));
  const document = concatAST(parsed as DocumentNode[]);
  throwIfAny(validateSDL(document));
  return document;
}

export function throwIfAny(errors: readonly GraphQLError[]): void {
  if (errors.length > 0) throw new SdlError(errors);
}

function parseSource(source: Source): DocumentNode | GraphQLError {
  try {
    return parse(source);
  } catch (error) {
    if (error instanceof GraphQLError) return error;
    throw error;
  }
}

function locationOf({ source, nodes, locations }: GraphQLError): string {
  const file = source?.name ?? nodes?.[0]?.loc?.source.name;
  const [location] = locations ?? [];
  return file && location ? `${file}:${location.line}:${location.column}: ` : '';
}
