import { Argument, Command, InvalidArgumentError } from 'commander';
import type { CoordinateUsage, UsagePages, UsageQuestion } from '../usage/read-usage.ts';
import type { ReportedOperation, Use } from '../usage/usage-input.ts';
import { KEPT_DAYS } from '../usage/kept-days.ts';
import { JSON_OPTION } from './command-line/options.ts';
import { printJsonPages, printMessage } from './command-line/output.ts';
import { isJson, printList, type Row } from './command-line/table.ts';
import { type OpenDatabase, withDatabase } from './database/with-database.ts';

const DEFAULT_DAYS = 30;
/** A terminal shows at most so many rows. Their columns have the same width, so that all rows must be in memory. */
const MAX_ROWS = 10_000;
const COORDINATE = /^\w+(?:\.\w+(?:\(\w+:\))?)?$/;

type Options = { merchant?: string; days: number; json?: true };

export function usage(): Command {
  return new Command('usage')
    .description('tell which apps use which part of the GraphQL schema, in how many requests')
    .addArgument(
      new Argument(
        '[field]',
        'as Product.totalStock, Product, Query.listProduct(search:) or ProductTypeEnum.DIGITAL; without it, all',
      ).argParser(parseCoordinate),
    )
    .option('--merchant <id>', 'id of a merchant; without it, all')
    .option('--days <number>', `how many, with today, at most ${KEPT_DAYS}`, parseDays, DEFAULT_DAYS)
    .option(...JSON_OPTION)
    .action(async (field: string | undefined, options: Options) => {
      await withDatabase(async (database) => {
        const { openUsage, readCoordinateUsage } = await import('../usage/read-usage.ts');
        const question = await questionOf(database, field, options);
        const usage = await openUsage(database, question);
        if (!usage.isUsed) printMessage(await emptyMessage(field, usage));
        if (isJson(options)) await printJsonPages(usage.days, { uses: usage.uses(), operations: usage.operations() });
        else if (field === undefined) printList(await readCoordinateUsage(database, question), coordinateRow, options);
        else await printUses(usage, options);
      });
    });
}

async function questionOf(
  database: OpenDatabase,
  field: string | undefined,
  { merchant, days }: Options,
): Promise<UsageQuestion> {
  const { findMerchant } = await import('./database/find-merchant.ts');
  return {
    days,
    ...(field !== undefined && { coordinates: [field] }),
    ...(merchant !== undefined && { merchantId: await findMerchant(database, merchant) }),
  };
}

/** Says why there are no uses, so that a misspelt field does not look like one that nobody uses. */
async function emptyMessage(field: string | undefined, { days }: UsagePages): Promise<string> {
  const { hasCoordinate, similarCoordinates } = await import('../graphql/schema/coordinate.ts');
  if (field !== undefined && !hasCoordinate(field)) {
    const similar = similarCoordinates(field).filter(hasCoordinate);
    const question = similar.length === 0 ? '' : ` Did you mean ${similar.join(', ')}?`;
    return `${field} is not in the schema of this version.${question}`;
  }
  const { from, until, countedSince } = days;
  const since = countedSince ? `There are counts since ${countedSince}.` : 'There are no counts yet.';
  return `No request from ${from} until ${until}. ${since} They are written every five minutes.`;
}

function coordinateRow({ coordinate, apps, requests, lastUsedOn }: CoordinateUsage): Row {
  return { coordinate, apps, requests, 'last used': lastUsedOn };
}

/** Prints a row for each operation of each app. */
async function printUses(usage: UsagePages, options: Options): Promise<void> {
  const rows: Row[] = [];
  const operations = usage.operations();
  for await (const uses of usage.uses()) {
    const { value: own } = (await operations.next()) as IteratorYieldResult<readonly ReportedOperation[]>;
    const names = new Map(own.map(({ operation, name }) => [operation, name]));
    for (const use of uses) rows.push(useRow(use, names));
    if (rows.length > MAX_ROWS) break;
  }
  printList(rows.slice(0, MAX_ROWS), (row) => row, options);
  if (rows.length > MAX_ROWS) printMessage(`Only the first ${MAX_ROWS} rows are shown. With --json all are printed.`);
}

function useRow(use: Use, names: ReadonlyMap<string, string | null>): Row {
  return {
    coordinate: use.coordinate,
    app: use.appName,
    'app id': use.authorizedAppId,
    merchant: use.merchantId,
    operation: use.operation === '' ? 'others' : (names.get(use.operation) ?? use.operation),
    requests: use.requests,
    'last used': use.lastUsedOn,
  };
}

function parseCoordinate(text: string): string {
  if (COORDINATE.test(text)) return text;
  throw new InvalidArgumentError('must be a name as Product, Product.name or Query.listProduct(search:).');
}

function parseDays(text: string): number {
  const days = Number(text);
  if (Number.isInteger(days) && days >= 1 && days <= KEPT_DAYS) return days;
  throw new InvalidArgumentError(`must be a whole number from 1 to ${KEPT_DAYS}.`);
}
