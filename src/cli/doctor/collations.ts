import { silentCommand } from '../../installation/own-command.ts';
import { outdatedCollations } from '../../db/schema/outdated-collations.ts';
import { argument, type Check, identifier, superuserOf, type Warning } from './check.ts';
import type { Subject } from './subject.ts';

export const collationsCheck: Check = {
  name: 'collations',
  tried: 'compare the versions of ICU and the C library with those of the indexes',
  repair: 'psql "$DATABASE_URL" -c "select collname, collversion from pg_collation"',
  run: collations,
};

/** A warning, because whether an index is damaged depends on the texts in it. */
async function collations(subject: Subject): Promise<string | Warning> {
  const outdated = await outdatedCollations(await subject.db());
  if (outdated.length === 0) return 'are the same';
  const found = outdated.map(({ name, stored, current }) => `${name} had version ${stored} and has now ${current}`);
  return {
    detail: `${found.join(', ')}: indexes may miss rows; see "PostgreSQL" in docs/running.md`,
    repair: await rebuild(
      subject,
      outdated.map(({ refresh }) => refresh),
    ),
  };
}

/**
 * The command that rebuilds the indexes and then stores the new versions. It connects as the server's administrator, who
 * owns `und-x-icu`, and sends the statements one by one, because REINDEX DATABASE cannot run in a transaction. It stops at
 * the first error, such as a value that is twice in a unique index, so that `doctor` goes on warning.
 */
async function rebuild(subject: Subject, refresh: readonly string[]): Promise<string> {
  const { databaseUrl, isEmbedded } = await subject.environment();
  const name = decodeURIComponent(new URL(databaseUrl).pathname.slice(1));
  const target = isEmbedded
    ? `"$(${silentCommand('db url --raw')})"`
    : `${superuserOf(databaseUrl)} -d ${argument(name)}`;
  const statements = [`reindex database ${identifier(name)}`, ...refresh];
  return `psql -v ON_ERROR_STOP=1 ${target} ${statements.map((statement) => `-c ${argument(statement)}`).join(' ')}`;
}
