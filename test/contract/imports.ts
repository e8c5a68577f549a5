import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** `import … from 'x'`, `export … from 'x'`, over several lines too, and a bare `import 'x'`. */
const STATEMENT = /^(?:import|export)\s+(type\s)?(?:([^'";]*?)\sfrom\s+)?'([^']+)'/gm;
const DYNAMIC = /\bimport\(\s*'([^']+)'/g;

/** One import line: paths count from the repository's root, packages are named without what lies inside them. */
export type Import = {
  file: string;
  /** A file of the repository, or null for a package. */
  target: string | null;
  package: string | null;
  /** Gone when Node runs the file. */
  isType: boolean;
  /** Binds nothing: the file is run for what it does. */
  isBare: boolean;
};

export function filesOf(...folders: string[]): string[] {
  return folders.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => join(folder, name)),
  );
}

export function textOf(file: string): string {
  return readFileSync(join(ROOT, file), 'utf8');
}

export function importsOf(file: string): Import[] {
  return importsIn(file, textOf(file));
}

export function importsIn(file: string, text: string): Import[] {
  const lines = [...text.matchAll(STATEMENT)].map(([, type, names, from]) =>
    toImport(file, from!, type !== undefined, names === undefined),
  );
  return [...lines, ...[...text.matchAll(DYNAMIC)].map(([, from]) => toImport(file, from!, false, false))];
}

function toImport(file: string, from: string, isType: boolean, isBare: boolean): Import {
  const target = from.startsWith('.') ? relative(ROOT, join(ROOT, dirname(file), from)) : null;
  return { file, target, package: target === null ? packageOf(from) : null, isType, isBare };
}

function packageOf(from: string): string {
  return from
    .split('/')
    .slice(0, from.startsWith('@') ? 2 : 1)
    .join('/');
}

/** Files that reach themselves by following the imports that exist when Node runs. */
export function circles(imports: Import[]): string[] {
  const next = Map.groupBy(
    imports.filter(({ isType, target }) => !isType && target !== null),
    ({ file }) => file,
  );
  const done = new Set<string>();
  const found: string[] = [];
  const follow = (file: string, path: string[]): void => {
    if (path.includes(file)) found.push([...path.slice(path.indexOf(file)), file].join(' -> '));
    if (path.includes(file) || done.has(file)) return;
    for (const { target } of next.get(file) ?? []) follow(target!, [...path, file]);
    done.add(file);
  };
  for (const file of next.keys()) follow(file, []);
  return found;
}
