import type { Context } from '../context.ts';
import { withSending } from '../db/connection/database.ts';
import { readRecordStep } from '../db/read/read-records.ts';
import type { Selection } from '../db/read/projection.ts';
import { pipeline } from '../db/connection/pipeline.ts';
import type { AppScopeEnum, MeResponse } from '../graphql/generated/types.ts';
import { type CallingApp, callingAppProjection } from './app.ts';

const everything = {
  id: {},
  name: {},
  email: {},
  addedDate: {},
  partnerId: {},
  salesChannelId: {},
  storeAppId: {},
  supportsMultipleInstallation: {},
} satisfies Record<Exclude<keyof CallingApp, '__typename'>, Selection>;

/**
 * The calling app and the scopes of the token. Read once per cached session, because clients call this often to check
 * their login.
 */
export async function me(ctx: Context): Promise<MeResponse> {
  const { session } = ctx;
  session.me ??= readCaller(ctx);
  try {
    return (await session.me) as MeResponse;
  } catch (error) {
    delete session.me;
    throw error;
  }
}

async function readCaller(ctx: Context): Promise<MeResponse> {
  const { authorizedAppId } = ctx.session;
  const scopes = [...ctx.session.scopes];
  const app = await pipeline({ db: withSending(ctx.db, { client: null }) }, [
    readRecordStep(ctx, callingAppProjection, authorizedAppId, everything),
  ]);
  // The GraphQL enum has the scope names in upper case.
  return { ...app, scope: scopes.join(','), scopes: scopes.map((scope) => scope.toUpperCase() as AppScopeEnum) };
}
