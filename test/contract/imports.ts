import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** `import … from 'x'` and `export … from 'x'`, also over several lines, and `import 'x'`. */
const STATEMENT = /^(?:import|export)\s+(type\s)?(?:([^'";]*?)\sfrom\s+)?'([^']+)'/gm;
const DYNAMIC = /\bimport\(\s*'([^']+)'/g;

/** An import. Paths are relative to the repository's root; packages have no subpath. */
export type Import = {
  file: string;
  /** A file of the repository, or null for a package. */
  target: string | null;
  package: string | null;
  /** Imports only types: erased at run time. */
  isType: boolean;
  /** `import 'x'`: binds no name. */
  isBare: boolean;
};

export function filesOf(...folders: string[]): string[] {
  return folders.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name))
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

/** The files and packages loaded with a file by static imports. */
export function staticClosure(file: string): { files: string[]; packages: string[] } {
  const files = new Set([file]);
  const packages = new Set<string>();
  for (const one of files) {
    for (const { target, package: name, isType } of importsIn(one, textOf(one).replaceAll(DYNAMIC, ''))) {
      if (isType) continue;
      if (target !== null) files.add(target);
      else packages.add(name!);
    }
  }
  return { files: [...files].sort(), packages: [...packages].sort() };
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

/** The loops of a graph: `nodeOf` gives the node of a file, and each import is an edge. */
export function loops(imports: Import[], nodeOf: (file: string) => string): string[] {
  const next = new Map<string, Set<string>>();
  for (const { file, target } of imports) {
    const [from, to] = [nodeOf(file), target === null ? null : nodeOf(target)];
    if (to !== null && from !== to) next.set(from, (next.get(from) ?? new Set()).add(to));
  }
  const done = new Set<string>();
  const found: string[] = [];
  const follow = (node: string, path: string[]): void => {
    if (path.includes(node)) found.push([...path.slice(path.indexOf(node)), node].join(' -> '));
    if (path.includes(node) || done.has(node)) return;
    for (const target of next.get(node) ?? []) follow(target, [...path, node]);
    done.add(node);
  };
  for (const node of next.keys()) follow(node, []);
  return found;
}
