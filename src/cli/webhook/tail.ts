import { setTimeout as wait } from 'node:timers/promises';
import { Command, InvalidArgumentError } from 'commander';
import type { Context } from '../../context.ts';
import { selectFields } from '../../values/select-fields.ts';
import type { QueryListWebhookDeliveryArgs, WebhookDelivery } from '../../graphql/generated/types.ts';
import { APP_OPTION, JSON_OPTION, MERCHANT_OPTION } from '../command-line/options.ts';
import { printJson, printRaw } from '../command-line/output.ts';
import { isJson, oneLine, timeCell } from '../command-line/table.ts';
import { findRecordId } from './find-record.ts';
import { withMerchantContext } from '../database/merchant-context.ts';
import { appFilter } from './app-filter.ts';

const DEFAULT_COUNT = 10;
const MAX_COUNT = 200;
const POLL_INTERVAL_MS = 1_000;

type Options = {
  merchant?: string;
  app?: string;
  scope?: string;
  record?: string;
  count: number;
  follow?: true;
  json?: true;
};
/** Options with the ids of what they name. */
type Conditions = Pick<QueryListWebhookDeliveryArgs, 'authorizedAppId' | 'scope' | 'recordId'>;
type Shown = Pick<
  WebhookDelivery,
  'id' | 'authorizedAppId' | 'appName' | 'scope' | 'recordId' | 'endpoint' | 'status' | 'createdAt'
> & {
  attempts: { at: number; statusCode: number | null; error: string | null; durationMs: number | null }[];
};

const SELECTION = {
  data: {
    ...selectFields('id authorizedAppId appName scope recordId endpoint status createdAt'),
    attempts: selectFields('at statusCode error durationMs responseBody'),
  },
};

export function webhookTail(): Command {
  return new Command('tail')
    .description('show the latest deliveries, oldest first, one a line')
    .option(APP_OPTION[0], `${APP_OPTION[1]}: its deliveries only`)
    .option('--scope <scope>', 'deliveries of this kind of event')
    .option('--record <record>', 'deliveries of this record, with --scope: a name, handle, sku or id, as for `why`')
    .option('--count <number>', `how many, at most ${MAX_COUNT}`, parseCount, DEFAULT_COUNT)
    .option('--follow', 'go on with new ones, and with what becomes of those shown, until interrupted')
    .option(...MERCHANT_OPTION)
    .option(...JSON_OPTION)
    .action(async (options: Options, command: Command) => {
      if (options.record !== undefined && options.scope === undefined)
        command.error('error: --record needs --scope, which names its kind');
      await withMerchantContext(options.merchant, (ctx) => tail(ctx, options));
    });
}

/** While following, a burst of more than `MAX_COUNT` deliveries between two polls is shown in part. */
async function tail(ctx: Context, options: Options): Promise<void> {
  const conditions = await conditionsOf(ctx, options);
  let shown = new Map<string, string>();
  let firstId = '';
  for (let limit = options.count; ; limit = MAX_COUNT) {
    const deliveries = await latest(ctx, conditions, limit);
    firstId ||= deliveries[0]?.id ?? '';
    // Ids are in the order of creation: earlier ones were not asked for.
    const listed = deliveries.filter(({ id }) => id >= firstId);
    for (const delivery of listed) if (shown.get(delivery.id) !== stateOf(delivery)) print(delivery, options);
    shown = new Map(listed.map((delivery) => [delivery.id, stateOf(delivery)]));
    if (!options.follow) return;
    await wait(POLL_INTERVAL_MS);
  }
}

function stateOf({ status, attempts }: Shown): string {
  return `${status} ${attempts.length}`;
}

async function conditionsOf(ctx: Context, { app, scope, record }: Options): Promise<Conditions> {
  const recordId = record === undefined ? null : { eq: await findRecordId(ctx, scope!, record) };
  const conditions = { authorizedAppId: await appFilter(ctx, app), scope: scope === undefined ? null : { eq: scope } };
  return { ...conditions, recordId } as Conditions;
}

async function latest(ctx: Context, conditions: Conditions, limit: number): Promise<Shown[]> {
  const { listWebhookDelivery } = await import('../../webhook/listWebhookDelivery.ts');
  const args = { ...conditions, pagination: { limit } };
  const { data } = await listWebhookDelivery(ctx, args as QueryListWebhookDeliveryArgs, SELECTION);
  return (data as unknown as Shown[]).toReversed();
}

function print(delivery: Shown, options: Options): void {
  if (isJson(options)) printJson(delivery);
  else printRaw(line(delivery));
}

function line({ createdAt, id, status, scope, appName, recordId, endpoint, attempts }: Shown): string {
  const last = attempts.at(-1);
  const duration = last?.durationMs == null ? '' : ` after ${last.durationMs} ms`;
  const outcome = last ? ` ${last.error ?? `status ${last.statusCode}`}${duration}` : '';
  return `${timeCell(createdAt)} ${id} ${status.padEnd(9)} ${scope} ${recordId} ${oneLine(appName ?? '-')} ${endpoint}${outcome}`;
}

function parseCount(text: string): number {
  const count = Number(text);
  if (Number.isInteger(count) && count >= 1 && count <= MAX_COUNT) return count;
  throw new InvalidArgumentError(`must be a whole number from 1 to ${MAX_COUNT}.`);
}
