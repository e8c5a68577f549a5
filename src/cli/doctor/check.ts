import { DrizzleQueryError } from 'drizzle-orm';
import { hostAndPort } from '../../values/connection-url.ts';
import type { DatabaseEnvironment } from '../../process/database-environment.ts';
import type { Subject } from './subject.ts';
import { silentCommand } from '../../installation/own-command.ts';

/** The locale of the embedded database, as options of createdb. */
export const LOCALE_OPTIONS =
  '--template=template0 --encoding=UTF8 --locale-provider=icu --icu-locale=und --locale=C.UTF-8';

/** One layer of a set-up. `doctor` stops at the first that is broken, since those after it rest on it. */
export type Check = {
  readonly name: string;
  /** What the check does, as printed before a finding. */
  readonly tried: string;
  /** The command that repairs a failure of which nothing more is known. */
  readonly repair: string;
  /** Returns what it found. Throws `Broken`, or any other error, if the layer is broken. */
  readonly run: (subject: Subject) => Promise<string | Warning>;
};

/** The layer works, but should be changed: `repair` is the command that does it. */
export type Warning = { readonly detail: string; readonly repair: string };

/** A broken layer, with the command that repairs it. */
export class Broken extends Error {
  readonly repair: string;
  override readonly name = 'Broken';

  constructor(detail: string, repair: string) {
    super(detail);
    this.repair = repair;
  }
}

/** The message of an error. Drizzle's own message, which repeats the statement, is left out. */
export function messageOf(error: unknown): string {
  if (error instanceof DrizzleQueryError && error.cause) return messageOf(error.cause);
  return error instanceof Error ? error.message : String(error);
}

/** A command for psql as the owner of the tables, whose URL is known if it is configured. */
export function asOwner(
  { databaseUrl, ownerUrl, isEmbedded }: Pick<DatabaseEnvironment, 'databaseUrl' | 'ownerUrl' | 'isEmbedded'>,
  statement: string,
): string {
  const { host, pathname } = new URL(databaseUrl);
  const isKnown = isEmbedded || ownerUrl !== databaseUrl;
  const url = isKnown ? `"$(${silentCommand('db url --raw')})"` : `postgres://OWNER:PASSWORD@${host}${pathname}`;
  return `psql ${url} -c ${argument(statement)}`;
}

/** A name as SQL text, in double quotes only if it needs them. */
export function identifier(name: string): string {
  return /^[a-z_][a-z0-9_]*$/.test(name) ? name : `"${name.replaceAll('"', '""')}"`;
}

/** An argument for the shell, in quotes only if it needs them. */
export function argument(text: string): string {
  return /^[\w./:@-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** The options with which the administrator of the server signs in. */
export function superuserOf(url: string): string {
  const [host, port] = hostAndPort(url);
  return `-h ${argument(host)} -p ${port} -U postgres`;
}
