import { openClientSecret } from '../app/credentials/client-secret.ts';
import { newestSecrets } from '../app/credentials/newest-secrets.ts';
import type { Logger } from '../context.ts';
import type { AcrossContext } from '../db/connection/across-merchants.ts';
import { ownCommand } from '../installation/own-command.ts';
import type { SecretKey } from '../values/secret-key.ts';
import { CommandError } from './command-error.ts';

/** More than one, because a command with a wrong key may have made the newest app, and must not stop the service. */
const MAX_APPS = 20;

/**
 * Throws if SECRET_KEY opens none of the newest client secrets: a process with another key would answer 500 at the token
 * endpoint and sign no webhook, but be ready. Warns if it opens only some of them.
 */
export async function checkSecretKey(
  ctx: Pick<AcrossContext, 'across'>,
  secretKey: SecretKey,
  log: Pick<Logger, 'warn'>,
): Promise<void> {
  const apps = await newestSecrets(ctx, MAX_APPS);
  const lost = apps.filter(({ stored, ...owner }) => openClientSecret(secretKey, owner, stored) === null);
  const [first] = lost;
  if (!first) return;
  if (lost.length === apps.length) throw new CommandError(wrongKey(first));
  log.warn(
    { authorizedAppIds: lost.map(({ authorizedAppId }) => authorizedAppId) },
    'the client secrets of some apps do not open with SECRET_KEY, so they get no tokens and no webhooks: see `doctor`',
  );
}

function wrongKey(app: { merchantId: string; authorizedAppId: string }): string {
  const rotate = ownCommand(`app rotate-secret ${app.authorizedAppId} --merchant ${app.merchantId}`);
  return (
    `The client secret of app ${app.authorizedAppId} does not open with this SECRET_KEY. ` +
    `Set SECRET_KEY to the key with which this database was used before; if it is lost: ${rotate}`
  );
}
