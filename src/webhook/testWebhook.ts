import { and, eq } from 'drizzle-orm';
import { authorizedApp } from '../../drizzle/app.ts';
import { webhook, type WebhookScope } from '../../drizzle/webhook.ts';
import { newClientSecret } from '../app/credentials/client-secret.ts';
import { formerSecretEncrypted } from '../app/credentials/former-secret.ts';
import type { Context } from '../context.ts';
import { newId } from '../db/sql/id.ts';
import { ownedBy } from '../db/sql/tenant.ts';
import { notFound } from '../errors.ts';
import type { MutationTestWebhookArgs, WebhookTestAnswer, WebhookTestResult } from '../graphql/generated/types.ts';
import { push } from './sending/push.ts';
import { decryptSigningSecrets, signDelivery, type SigningSecrets } from './sending/signing-secrets.ts';
import { checkReadable, checkScopes } from './webhook-scope.ts';

/** Well past the five minutes that receivers tolerate. */
const STALE_MS = 60 * 60_000;
/** Below the `sequence` of every event, which starts at 1. */
const SAMPLE_SEQUENCE = 0;

type Sample = { readonly secrets: SigningSecrets; readonly sentAt: Date };

export async function testWebhook(ctx: Context, args: MutationTestWebhookArgs): Promise<WebhookTestResult> {
  const [scope] = checkScopes([args.scope], ['scope']);
  checkReadable(ctx, [scope!]);
  const endpoint = await findEndpoint(ctx, scope!);
  const secrets = await findSecrets(ctx);
  const now = new Date();
  const send = (sample: Sample) => sendSample(ctx, scope!, endpoint, sample);
  const [signed, forgedSignature, staleTimestamp] = await Promise.all([
    send({ secrets, sentAt: now }),
    send({ secrets: { current: newClientSecret(), former: null }, sentAt: now }),
    send({ secrets, sentAt: new Date(now.getTime() - STALE_MS) }),
  ]);
  return { endpoint, signed, forgedSignature, staleTimestamp };
}

async function findEndpoint(ctx: Context, scope: WebhookScope): Promise<string> {
  const isOwn = and(ownedBy(ctx, webhook), eq(webhook.authorizedAppId, ctx.session.authorizedAppId));
  const [row] = await ctx.db
    .select({ endpoint: webhook.endpoint })
    .from(webhook)
    .where(and(isOwn, eq(webhook.scope, scope)));
  if (!row) throw notFound('Webhook', [scope], ['scope']);
  return row.endpoint;
}

async function findSecrets(ctx: Context): Promise<SigningSecrets> {
  const { authorizedAppId } = ctx.session;
  const [row] = await ctx.db
    .select({
      clientSecretEncrypted: authorizedApp.clientSecretEncrypted,
      formerSecretEncrypted: formerSecretEncrypted(),
    })
    .from(authorizedApp)
    .where(and(ownedBy(ctx, authorizedApp), eq(authorizedApp.id, authorizedAppId)));
  return decryptSigningSecrets(ctx.webhook.secretKey, { merchantId: ctx.merchantId, authorizedAppId }, row!);
}

/** The record of a sample has only the members that all records have, and an unused id. */
async function sendSample(
  ctx: Context,
  scope: WebhookScope,
  endpoint: string,
  { secrets, sentAt }: Sample,
): Promise<WebhookTestAnswer> {
  const id = newId();
  const time = sentAt.getTime();
  const data = JSON.stringify({ id: newId(), createdAt: time, updatedAt: time, deleted: scope.endsWith('/deleted') });
  const {
    merchantId,
    session: { authorizedAppId },
  } = ctx;
  const signed = signDelivery(
    { id, createdAt: sentAt, scope, merchantId, authorizedAppId, sequence: SAMPLE_SEQUENCE, data },
    sentAt,
    secrets,
  );
  const { statusCode, error, durationMs } = await push(ctx.webhook.outbound, { endpoint, ...signed });
  return { statusCode, error, durationMs };
}
