import { type AcrossContext, AcrossMerchants } from './across-merchants.ts';
import { connect, type ConnectOptions } from './connect.ts';
import { type Placement, placementOf } from './placement.ts';

type Options = Pick<ConnectOptions, 'statementTimeoutMs' | 'applicationName' | 'onError' | 'onStatement'>;

/** Few are enough: statements across merchants are rare, and no request waits for one. */
const ACROSS_POOL_SIZE = 2;
const ACROSS_TIMEOUT_MS = 15_000;

/** Makes the pool for CROSS_MERCHANT_STATEMENTS. Each connection is opened when a statement first needs it. */
export function connectAcross(
  url: string,
  { across }: Placement,
  options: Partial<Options> = {},
): { across: AcrossMerchants; close: () => Promise<void> } {
  const { db, close } = connect(url, {
    poolSize: ACROSS_POOL_SIZE,
    statementTimeoutMs: ACROSS_TIMEOUT_MS,
    applicationName: 'commerce-across-merchants',
    ...options,
    ...across,
  });
  return { across: new AcrossMerchants(db), close };
}

/**
 * Connects a command: `db` is for statements of one merchant, `across` for statements across merchants, as the role of
 * `acrossUrl`. Throws if the database cannot be reached.
 */
export async function connectForWork(
  url: string,
  { acrossUrl = url, ...options }: Options & Pick<ConnectOptions, 'poolSize'> & { acrossUrl?: string },
): Promise<AcrossContext & { close: () => Promise<void> }> {
  const placement = await askPlacement(url, options);
  const connection = connect(url, { ...options, ...placement.work });
  const { across, close } = connectAcross(acrossUrl, placement, options);
  return {
    db: connection.db,
    across,
    close: async () => void (await Promise.all([connection.close(), close()])),
  };
}

async function askPlacement(url: string, options: Options): Promise<Placement> {
  const { db, close } = connect(url, { ...options, poolSize: 1 });
  try {
    return await placementOf(db);
  } finally {
    await close();
  }
}
