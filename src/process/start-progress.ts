import { hasDatabase } from '../db/embedded/has-database.ts';

/** Prints a line before each step of a start with the embedded database, the first of which take seconds. */
export type StartProgress = (step: 'database' | 'tables' | 'demo') => void;

/** `dataDir` is null with a database of one's own, for which nothing is printed. */
export async function startProgress(dataDir: string | null): Promise<StartProgress> {
  if (dataDir === null) return () => {};
  const isFirst = !(await hasDatabase(dataDir));
  const texts = {
    database: isFirst
      ? `First start: creating a PostgreSQL database in ${dataDir}. This takes a few seconds, and only the first time …`
      : `Starting the PostgreSQL database in ${dataDir} …`,
    tables: isFirst ? 'Creating the tables …' : null,
    demo: isFirst ? 'Creating a demo merchant, and starting the service …' : null,
  };
  return (step) => {
    if (texts[step] !== null) process.stdout.write(`${texts[step]}\n`);
  };
}
