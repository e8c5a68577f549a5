import { and, eq } from 'drizzle-orm';
import { authorizedApp } from '../../drizzle/app.ts';
import { type DeliveryChanges, type DeliveryDetails, webhook, type WebhookScope } from '../../drizzle/webhook.ts';
import { formerSecretEncrypted, newClientSecret } from '../app/credentials/client-secret.ts';
import type { Context } from '../context.ts';
import { isId, newId } from '../db/sql/id.ts';
import { ownedBy } from '../db/sql/parameter.ts';
import { notFound } from '../errors.ts';
import type { MutationTestWebhookArgs, WebhookTestAnswer, WebhookTestResult } from '../graphql/generated/types.ts';
import { checkAppsWritable } from './app-visibility.ts';
import type { Registration } from './requeue.ts';
import { decryptSigningSecrets, signDelivery, type SigningSecrets } from './sending/envelope.ts';
import { push } from './sending/push.ts';
import { parseReadableScope } from './webhook-scope.ts';

/** The age of the stale timestamp, well above the five minutes that receivers tolerate. */
const STALE_MS = 60 * 60_000;
/** The `sequence` of samples. The sequence of events starts at 1, so that no event has it. */
const SAMPLE_SEQUENCE = 0;

/** What the bodies of these events have beside `data`, as of an event that changed nothing. */
const SAMPLE_DETAILS: Partial<Record<WebhookScope, DeliveryDetails>> = {
  'store/stock/updated': { delta: 0, reason: null, reference: null },
  'store/stock/released': { reason: 'RELEASED' },
};
const SAMPLE_CHANGES: DeliveryChanges = { changedPaths: [], previous: '{}' };

type Sample = { readonly secrets: SigningSecrets; readonly sentAt: Date };
type Target = { readonly endpoint: string; readonly includeChanges: boolean };

export async function testWebhook(ctx: Context, args: MutationTestWebhookArgs): Promise<WebhookTestResult> {
  const scope = parseReadableScope(ctx, args.scope);
  const authorizedAppId = args.authorizedAppId ?? ctx.session.authorizedAppId;
  checkAppsWritable(ctx, [authorizedAppId]);
  const registration = { scope, authorizedAppId };
  const target = await findTarget(ctx, registration);
  const secrets = await findSecrets(ctx, registration);
  const now = new Date();
  const send = (sample: Sample) => sendSample(ctx, registration, target, sample);
  const [signed, forgedSignature, staleTimestamp] = await Promise.all([
    send({ secrets, sentAt: now }),
    send({ secrets: { current: newClientSecret(), former: null }, sentAt: now }),
    send({ secrets, sentAt: new Date(now.getTime() - STALE_MS) }),
  ]);
  return { endpoint: target.endpoint, signed, forgedSignature, staleTimestamp };
}

async function findTarget(ctx: Context, { scope, authorizedAppId }: Registration): Promise<Target> {
  if (!isId(authorizedAppId)) throw notFound('Webhook', [scope], ['scope']);
  const isOfApp = and(ownedBy(ctx, webhook), eq(webhook.authorizedAppId, authorizedAppId));
  const [row] = await ctx.db
    .select({ endpoint: webhook.endpoint, includeChanges: webhook.includeChanges })
    .from(webhook)
    .where(and(isOfApp, eq(webhook.scope, scope)));
  if (!row) throw notFound('Webhook', [scope], ['scope']);
  return row;
}

async function findSecrets(ctx: Context, { authorizedAppId }: Registration): Promise<SigningSecrets> {
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
  { scope, authorizedAppId }: Registration,
  { endpoint, includeChanges }: Target,
  { secrets, sentAt }: Sample,
): Promise<WebhookTestAnswer> {
  const id = newId();
  const time = sentAt.getTime();
  const deleted = /\/(deleted|erased)$/.test(scope);
  const data = JSON.stringify({ id: newId(), createdAt: time, updatedAt: time, deleted });
  const { merchantId } = ctx;
  const changes = includeChanges ? SAMPLE_CHANGES : null;
  const signed = signDelivery(
    {
      id,
      createdAt: sentAt,
      scope,
      merchantId,
      authorizedAppId,
      sequence: SAMPLE_SEQUENCE,
      data,
      details: SAMPLE_DETAILS[scope] ?? null,
      changes,
    },
    sentAt,
    secrets,
  );
  const { statusCode, error, durationMs } = await push(ctx.webhook.outbound, {
    endpoint,
    ...signed,
    span: ctx.span,
  });
  return { statusCode, error, durationMs };
}
