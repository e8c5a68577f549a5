import { filesOf, importsOf } from '../contract/imports.ts';

/** Test files with a database import this file, directly or through other files. */
const ENTRANCE = 'test/support/database.ts';

/** The test files that use the database. */
export function databaseFiles(): string[] {
  const files = new Set(filesOf('test'));
  const reaches = new Map<string, boolean>([[ENTRANCE, true]]);
  const reach = (file: string): boolean => {
    const known = reaches.get(file);
    if (known !== undefined) return known;
    reaches.set(file, false);
    const imported = importsOf(file).filter(({ target, isType }) => !isType && target?.startsWith('test/'));
    const found = imported.some(({ target }) => files.has(target!) && reach(target!));
    reaches.set(file, found);
    return found;
  };
  return [...files].filter((file) => file.endsWith('.test.ts') && reach(file));
}
