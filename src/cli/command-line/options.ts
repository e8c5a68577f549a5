import { statSync } from 'node:fs';
import { InvalidArgumentError } from 'commander';
import { appScopes, type AppScope, isAppScope } from '../../app-scope.ts';
import { timestamptzText } from '../../values/timestamp.ts';

export const MERCHANT_OPTION = ['--merchant <id>', 'id of the merchant; without it the first one'] as const;
/** Of commands that change an app, which several merchants may have by the same name. */
export const NEEDED_MERCHANT_OPTION = [
  MERCHANT_OPTION[0],
  'id of the merchant, needed for a name if there are several',
] as const;
/** `findAppId` finds the app. */
export const APP_OPTION = ['--app <app>', 'name or id of an app'] as const;
/** `findLocation` finds the location. */
export const LOCATION_OPTION = ['--location <location>', 'name or id of a stock location'] as const;
export const JSON_OPTION = ['--json', 'print JSON also on a terminal'] as const;

/** The file name that means standard input or output. */
export const STANDARD_STREAM = '-';

/** The argument for the file that an export writes. */
export const EXPORT_FILE = [
  '<file>',
  `the file to write; one that is there is replaced. ${STANDARD_STREAM} writes to standard output`,
  parseExportFile,
] as const;

const ISO_TIME = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)(?:Z|([+-]\d\d)(?::?(\d\d))?)?)?$/;

/** Parses scope names separated by commas. */
export function parseScopes(text: string): AppScope[] {
  const scopes = text.split(',').map((part) => {
    const name = part.trim();
    if (!isAppScope(name)) throw new InvalidArgumentError(`"${name}" is none of ${appScopes.join(', ')}.`);
    return name;
  });
  return [...new Set(scopes)];
}

/** A day, or a day and a time: "5" and "11/29", which `Date` reads as days of 2001, are none. Without a zone it is UTC. */
export function parseTime(text: string): number {
  const [, day, time = '00:00', hours = '+00', minutes = '00'] = ISO_TIME.exec(text.trim()) ?? [];
  const ms = Date.parse(`${day}T${time}${hours}:${minutes}`);
  if (Number.isNaN(ms) || isAbsentDay(day!))
    throw new InvalidArgumentError('It is no time, such as 2026-11-01 or 2026-11-01T12:00Z.');
  if (timestamptzText(ms) === null) throw new InvalidArgumentError('It is not in the years 1 to 9999.');
  return ms;
}

/** `Date` reads 2026-02-30 as 2026-03-02. */
function isAbsentDay(day: string): boolean {
  return !new Date(day).toISOString().startsWith(day);
}

export function parseLimit(text: string): number {
  const limit = Number(text);
  if (!Number.isInteger(limit) || limit < 1) throw new InvalidArgumentError('It is no whole number from 1.');
  return limit;
}

/** Devices, pipes and folders are refused, since a file would be put in their place. */
function parseExportFile(path: string): string {
  const found = path === STANDARD_STREAM ? undefined : statSync(path, { throwIfNoEntry: false });
  if (found?.isFile() === false)
    throw new InvalidArgumentError(`It is no regular file. ${STANDARD_STREAM} writes to standard output.`);
  return path;
}
