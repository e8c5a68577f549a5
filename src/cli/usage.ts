import { Argument, Command, InvalidArgumentError } from 'commander';
import type { UsageReport } from '../usage/usage-report.ts';
import { JSON_OPTION } from './options.ts';
import { printJson, printMessage } from './output.ts';
import { isJson, printList, type Row } from './table.ts';
import { withDatabase } from './with-database.ts';

const DEFAULT_DAYS = 30;
/** As long as counts are kept. */
const MAX_DAYS = 40;
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
    .option('--days <number>', `how many, with today, at most ${MAX_DAYS}`, parseDays, DEFAULT_DAYS)
    .option(...JSON_OPTION)
    .action(async (field: string | undefined, options: Options) => {
      const report = await reportOf(field, options);
      if (report.uses.length === 0) printMessage(await emptyMessage(field, report));
      if (isJson(options)) printJson(report);
      else if (field === undefined) printList(partsOf(report), (part) => part, options);
      else printList(rowsOf(report), (row) => row, options);
    });
}

async function reportOf(field: string | undefined, { merchant, days }: Options): Promise<UsageReport> {
  return await withDatabase(async (database) => {
    const { readUsage } = await import('../usage/read-usage.ts');
    const { findMerchant } = await import('./find-merchant.ts');
    return await readUsage(database, {
      days,
      ...(field !== undefined && { coordinates: [field] }),
      ...(merchant !== undefined && { merchantId: await findMerchant(database, merchant) }),
    });
  });
}

/** Says why there are no uses, so that a misspelt field does not look like one that nobody uses. */
async function emptyMessage(field: string | undefined, { from, until, countedSince }: UsageReport): Promise<string> {
  const { hasCoordinate } = await import('../graphql/schema/coordinate.ts');
  if (field !== undefined && !hasCoordinate(field)) return `${field} is not in the schema of this version.`;
  const since = countedSince ? `There are counts since ${countedSince}.` : 'There are no counts yet.';
  return `No request from ${from} until ${until}. ${since} They are written every five minutes.`;
}

/** A row for each part of the schema. */
function partsOf({ uses }: UsageReport): Row[] {
  return [...Map.groupBy(uses, ({ coordinate }) => coordinate)].map(([coordinate, own]) => ({
    coordinate,
    apps: new Set(own.map(({ authorizedAppId }) => authorizedAppId)).size,
    requests: own.reduce((sum, { requests }) => sum + requests, 0),
    'last used': own.reduce((last, { lastUsedOn }) => (lastUsedOn > last ? lastUsedOn : last), ''),
  }));
}

/** A row for each operation of each app. */
function rowsOf({ uses, operations }: UsageReport): Row[] {
  const names = new Map(operations.map((one) => [`${one.authorizedAppId} ${one.operation}`, one.name]));
  return uses.map(({ coordinate, merchantId, authorizedAppId, appName, operation, requests, lastUsedOn }) => ({
    coordinate,
    app: appName,
    'app id': authorizedAppId,
    merchant: merchantId,
    operation: operation === '' ? 'others' : (names.get(`${authorizedAppId} ${operation}`) ?? operation),
    requests,
    'last used': lastUsedOn,
  }));
}

function parseCoordinate(text: string): string {
  if (COORDINATE.test(text)) return text;
  throw new InvalidArgumentError('must be a name as Product, Product.name or Query.listProduct(search:).');
}

function parseDays(text: string): number {
  const days = Number(text);
  if (Number.isInteger(days) && days >= 1 && days <= MAX_DAYS) return days;
  throw new InvalidArgumentError(`must be a whole number from 1 to ${MAX_DAYS}.`);
}
