import type { Context, Session } from '../context.ts';
import { readRecord } from '../db/read.ts';
import type { Selection } from '../db/shape.ts';
import type { MeResponse } from '../graphql/types.generated.ts';
import { meShape } from './app.ts';

const everything: Selection = Object.fromEntries(Object.keys(meShape.fields).map((name) => [name, {}]));
const known = new WeakMap<Session, Promise<MeResponse>>();

/** The app of the session, read once for as long as the session itself is trusted: clients ask for it to see whether they are logged in. */
export async function me(ctx: Context): Promise<MeResponse> {
  const { session } = ctx;
  const read = known.get(session) ?? readRecord(ctx, meShape, session.authorizedAppId, everything);
  known.set(session, read);
  try {
    return await read;
  } catch (error) {
    known.delete(session);
    throw error;
  }
}
