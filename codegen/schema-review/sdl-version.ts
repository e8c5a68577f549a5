import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import {
  type ASTVisitFn,
  buildASTSchema,
  type ConstDirectiveNode,
  type DocumentNode,
  type FieldDefinitionNode,
  getArgumentValues,
  GraphQLError,
  type GraphQLSchema,
  type InputObjectTypeDefinitionNode,
  type InputValueDefinitionNode,
  parse,
  Source,
  validateSchema,
  visit,
} from 'graphql';
import { parseSdl, readSources, throwIfAny } from '../../src/graphql/schema/sdl.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const MAIN = 'main';
/** One folder for each release, with the files that `schema/` had. */
export const RELEASES_FOLDER = 'docs/releases';

/**
 * A file in the folder of a release whose SDL did not yet say all rules of inputs and all needed scopes: directives
 * by coordinate, for what the service enforced.
 */
const INPUT_RULES_FILE = 'input-rules.json';

/** One folder for each release, with a document for each operation that was new or changed. */
export const CLIENTS_FOLDER = 'test/clients';

/** Directives of members of inputs and of operations, by coordinate. */
type InputRules = Readonly<Record<string, string>>;

/** The SDL at one time. The names of its sources are paths that an editor or `git show` opens. */
export type SdlVersion = {
  readonly name: string;
  readonly sources: readonly Source[];
  readonly inputRules?: InputRules;
};

/** A version that cannot be read. The message is enough. */
export class SdlVersionError extends Error {}

/** The path of a file or folder of the repository, from any working directory. */
export function pathOf(name: string): string {
  return `${ROOT}${name}`;
}

/** The SDL of the working tree, or of another folder. */
export function currentSdl(folder?: string): SdlVersion {
  return folderSdl('the working tree', folder);
}

/** The SDL of a release. */
export function releasedSdl(release: string): SdlVersion {
  return folderSdl(`release ${release}`, `${RELEASES_FOLDER}/${release}`);
}

function folderSdl(name: string, folder = 'schema'): SdlVersion {
  const rulesFile = new URL(`${folder}/${INPUT_RULES_FILE}`, `file://${ROOT}`);
  const inputRules = existsSync(rulesFile) ? (JSON.parse(readFileSync(rulesFile, 'utf8')) as InputRules) : {};
  return { name, sources: readSources(folder), inputRules };
}

/** The SDL of a commit, branch or tag. */
export function sdlAt(ref: string): SdlVersion {
  const commit = git('rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`).trim();
  const paths = git('ls-tree', '--name-only', commit, 'schema/').split('\n');
  const sources = paths
    .filter((path) => path.endsWith('.graphql'))
    .map((path) => new Source(git('show', `${commit}:${path}`), `${ref}:${path}`));
  return { name: ref, sources };
}

/**
 * The SDL before the change under review: where the branch has left `main`, or on `main` itself the last commit, or the one
 * before it if the working tree has no changes. Null if git cannot tell, as in a shallow clone.
 */
export function reviewedSince(): SdlVersion | null {
  try {
    const head = git('rev-parse', 'HEAD').trim();
    const fork = git('merge-base', 'HEAD', MAIN).trim();
    const isChanged = git('status', '--porcelain', '--', 'schema/') !== '';
    const commit = fork === head && !isChanged ? 'HEAD~1' : fork;
    return { ...sdlAt(commit), name: git('log', '-1', '--format=%h (%s)', commit).trim() };
  } catch (error) {
    if (error instanceof SdlVersionError) return null;
    throw error;
  }
}

/** Throws an SdlError if the SDL is invalid. */
export function schemaOf({ sources, inputRules = {} }: SdlVersion): GraphQLSchema {
  const document = withRules(parseSdl(sources), inputRules);
  const schema = buildASTSchema(document, { assumeValidSDL: true });
  throwIfAny(validateSchema(schema));
  throwIfAny(directiveErrors(document, schema));
  return schema;
}

/** Values of directives that are not of the type of their argument. graphql-js checks only the names of arguments. */
function directiveErrors(document: DocumentNode, schema: GraphQLSchema): GraphQLError[] {
  const errors: GraphQLError[] = [];
  visit(document, {
    Directive: (node) => {
      // The file with the rules of a release may use directives that the SDL of that release did not define.
      const directive = schema.getDirective(node.name.value);
      try {
        if (directive) getArgumentValues(directive, node);
      } catch (error) {
        if (!(error instanceof GraphQLError)) throw error;
        errors.push(error);
      }
    },
  });
  return errors;
}

function withRules(document: DocumentNode, rules: InputRules): DocumentNode {
  const add: ASTVisitFn<InputValueDefinitionNode | FieldDefinitionNode> = (node, _key, _parent, _path, ancestors) => {
    const [type, field] = ancestors.flatMap((around) => ('name' in around && around.name ? around.name.value : []));
    const { value: name } = node.name;
    const rule = rules[field === undefined ? `${type}.${name}` : `${type}.${field}(${name}:)`];
    return rule && { ...node, directives: [...(node.directives ?? []), ...parseDirectives(rule)] };
  };
  return visit(document, { InputValueDefinition: add, FieldDefinition: add });
}

function parseDirectives(text: string): readonly ConstDirectiveNode[] {
  const [definition] = parse(`input Any ${text} { any: Int }`).definitions;
  return (definition as InputObjectTypeDefinitionNode).directives ?? [];
}

/** All releases, oldest first. */
export function releases(): string[] {
  return readdirSync(`${ROOT}${RELEASES_FOLDER}`).toSorted((one, other) =>
    one.localeCompare(other, 'en', { numeric: true }),
  );
}

/** The documents of all releases, oldest first. */
export function frozenDocuments(): { release: string; name: string; text: string }[] {
  return releases().flatMap((release) => {
    const folder = `${ROOT}${CLIENTS_FOLDER}/${release}`;
    const files = existsSync(folder) ? readdirSync(folder) : [];
    return files.map((file) => ({
      release,
      name: file.replace('.graphql', ''),
      text: readFileSync(`${folder}/${file}`, 'utf8'),
    }));
  });
}

export function lastRelease(): string {
  const release = releases().at(-1);
  if (release === undefined) throw new SdlVersionError(`${RELEASES_FOLDER}/ has no release`);
  return release;
}

function git(...args: string[]): string {
  try {
    return execFileSync('git', args, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  } catch (cause) {
    throw new SdlVersionError(`git ${args.join(' ')} failed: is the ref known here, and the clone deep enough?`, {
      cause,
    });
  }
}
