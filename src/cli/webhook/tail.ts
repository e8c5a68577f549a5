import { setTimeout as wait } from 'node:timers/promises';
import { Command, InvalidArgumentError } from 'commander';
import type { Context } from '../../context.ts';
import type { Selection } from '../../db/read/projection.ts';
import type { QueryListWebhookDeliveryArgs, WebhookDelivery } from '../../graphql/generated/types.ts';
import { JSON_OPTION, MERCHANT_OPTION } from '../command-line/options.ts';
import { printJson, printRaw } from '../command-line/output.ts';
import { isJson, timeCell } from '../command-line/table.ts';
import { withWebhookContext } from './webhook-context.ts';

const DEFAULT_COUNT = 10;
const MAX_COUNT = 200;
const POLL_INTERVAL_MS = 1_000;

type Options = { merchant?: string; app?: string; scope?: string; count: number; follow?: true; json?: true };
type Shown = Pick<
  WebhookDelivery,
  'id' | 'authorizedAppId' | 'scope' | 'recordId' | 'endpoint' | 'status' | 'createdAt'
> & {
  attempts: { at: number; statusCode: number | null; error: string | null; durationMs: number | null }[];
};

const SELECTION: Selection = {
  data: {
    id: {},
    authorizedAppId: {},
    scope: {},
    recordId: {},
    endpoint: {},
    status: {},
    createdAt: {},
    attempts: { at: {}, statusCode: {}, error: {}, durationMs: {}, responseBody: {} },
  },
};

export function webhookTail(): Command {
  return new Command('tail')
    .description('show the latest deliveries, oldest first, one a line')
    .option('--app <id>', 'deliveries of this app')
    .option('--scope <scope>', 'deliveries of this kind of event')
    .option('--count <number>', `how many, at most ${MAX_COUNT}`, parseCount, DEFAULT_COUNT)
    .option('--follow', 'go on with new ones, and with what becomes of those shown, until interrupted')
    .option(...MERCHANT_OPTION)
    .option(...JSON_OPTION)
    .action(async (options: Options) => await withWebhookContext(options.merchant, (ctx) => tail(ctx, options)));
}

/** While following, a burst of more than `MAX_COUNT` deliveries between two polls is shown in part. */
async function tail(ctx: Context, options: Options): Promise<void> {
  const shown = new Map<string, string>();
  let firstId = '';
  for (let limit = options.count; ; limit = MAX_COUNT) {
    const deliveries = await latest(ctx, options, limit);
    firstId ||= deliveries[0]?.id ?? '';
    // Ids are in the order of creation: earlier ones were not asked for.
    for (const delivery of deliveries.filter(({ id }) => id >= firstId)) {
      const state = `${delivery.status} ${delivery.attempts.length}`;
      if (shown.get(delivery.id) !== state) print(delivery, options);
      shown.set(delivery.id, state);
    }
    if (!options.follow) return;
    await wait(POLL_INTERVAL_MS);
  }
}

async function latest(ctx: Context, { app, scope }: Options, limit: number): Promise<Shown[]> {
  const { listWebhookDelivery } = await import('../../webhook/listWebhookDelivery.ts');
  const args = {
    authorizedAppId: app === undefined ? null : { eq: app },
    scope: scope === undefined ? null : { eq: scope },
    pagination: { limit },
  };
  const { data } = await listWebhookDelivery(ctx, args as QueryListWebhookDeliveryArgs, SELECTION);
  return (data as unknown as Shown[]).toReversed();
}

function print(delivery: Shown, options: Options): void {
  if (isJson(options)) printJson(delivery);
  else printRaw(line(delivery));
}

function line({ createdAt, id, status, scope, recordId, endpoint, attempts }: Shown): string {
  const last = attempts.at(-1);
  const outcome = last ? ` ${last.error ?? `status ${last.statusCode}`} after ${last.durationMs ?? 0} ms` : '';
  return `${timeCell(createdAt)} ${id} ${status.padEnd(9)} ${scope} ${recordId} ${endpoint}${outcome}`;
}

function parseCount(text: string): number {
  const count = Number(text);
  if (Number.isInteger(count) && count >= 1 && count <= MAX_COUNT) return count;
  throw new InvalidArgumentError(`must be a whole number from 1 to ${MAX_COUNT}.`);
}
