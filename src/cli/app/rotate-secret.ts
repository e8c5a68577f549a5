import { Command, InvalidArgumentError } from 'commander';
import { JSON_OPTION, NEEDED_MERCHANT_OPTION } from '../command-line/options.ts';
import { printMessage } from '../command-line/output.ts';
import { printRecord } from '../command-line/table.ts';
import { type MerchantDatabase, withApp } from '../database/with-database.ts';

const MS_BY_UNIT: Record<string, number> = { m: 60_000, h: 3_600_000, d: 86_400_000 };
const MAX_OVERLAP_DAYS = 30;

export function appRotateSecret(): Command {
  return new Command('rotate-secret')
    .description(
      'give an app another secret, which is shown only once; without --overlap the old one ends at once, with the tokens of the app',
    )
    .argument('<app>', 'name, id or client id of the app')
    .option(...NEEDED_MERCHANT_OPTION)
    .option(
      '--overlap <duration>',
      `how long the old secret stays valid too, as 90m, 24h or 7d, at most ${MAX_OVERLAP_DAYS}d: webhooks are signed with both`,
      overlapMs,
    )
    .option(...JSON_OPTION)
    .action(async (named: string, options: { merchant?: string; overlap?: number; json?: true }) => {
      const rotated = await withApp(
        named,
        options.merchant,
        async (database) => {
          const { rotateAppSecret } = await import('../../app/credentials/rotate-app-secret.ts');
          const { merchantId, authorizedAppId } = database;
          // Read first: if it fails, no secret is lost that nobody has seen.
          const webhooks = await webhooksOf(database, authorizedAppId);
          const clientSecret = await rotateAppSecret(database, { authorizedAppId, overlapMs: options.overlap });
          const formerSecretUntil = options.overlap ? Date.now() + options.overlap : null;
          return { merchantId, authorizedAppId, clientSecret, formerSecretUntil, webhooks };
        },
        'commerce app rotate-secret',
      );
      printRecord(rotated, options);
      if (options.overlap || rotated.webhooks.length === 0) return;
      printMessage(
        'If the old secret has leaked, check the webhooks: whoever had it could register them, and they go on. Revoke an app that cannot be trusted.',
      );
    });
}

async function webhooksOf(database: MerchantDatabase, authorizedAppId: string) {
  const { merchantContext } = await import('../database/merchant-context.ts');
  const { everyWebhook } = await import('../webhook/every-webhook.ts');
  const webhooks = await everyWebhook(await merchantContext(database), { eq: authorizedAppId });
  return webhooks.map(({ id, scope, endpoint, status }) => ({ id, scope, endpoint, status }));
}

function overlapMs(text: string): number {
  const [, count, unit] = /^(\d{1,5})([mhd])$/.exec(text) ?? [];
  const ms = Number(count) * (MS_BY_UNIT[unit ?? ''] ?? Number.NaN);
  if (!(ms > 0 && ms <= MAX_OVERLAP_DAYS * MS_BY_UNIT.d!))
    throw new InvalidArgumentError(`must be as 90m, 24h or 7d, and at most ${MAX_OVERLAP_DAYS}d.`);
  return ms;
}
