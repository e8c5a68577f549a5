import { parse } from 'graphql';
import { findSession, issueAccessToken, openSessionCache } from '../src/app/credentials/access-token.ts';
import { appScopes } from '../src/app-scope.ts';
import type { Context, Session } from '../src/context.ts';
import { connect } from '../src/db/connection/connect.ts';
import { createExecuteOperation } from '../src/graphql/execute/execute-operation.ts';
import { PreparedDocument } from '../src/graphql/prepared/document-cache.ts';
import { schemaFacts } from '../src/graphql/prepared/prepared-operation.ts';
import { resolvers } from '../src/resolvers.ts';
import { buildSchema, readSources } from '../src/graphql/schema/schema.ts';
import type { Shop, Workload } from './workload.ts';

const STATEMENT_TIMEOUT_MS = 60_000;
const schema = buildSchema(readSources(), resolvers);

export type SentStatement = { text: string; parameters: readonly unknown[] };

/** Executes the `n`th request of the workload in this process and returns the statements that it sends. */
export async function sentStatements(
  databaseUrl: string,
  shop: Shop,
  workload: Pick<Workload, 'request'>,
  n = 0,
): Promise<SentStatement[]> {
  const statements: SentStatement[] = [];
  const onStatement = (text: string, parameters: readonly unknown[]): void =>
    void statements.push({ text, parameters });
  const session = await sessionOf(databaseUrl, shop);
  const connection = connect(databaseUrl, { poolSize: 1, statementTimeoutMs: STATEMENT_TIMEOUT_MS, onStatement });
  const { merchantId } = shop;
  const contextValue = { db: connection.db, merchantId, session, requestId: 'bench', log: console } as Partial<Context>;
  const { query, variables } = workload.request(shop, n);
  const operation = new PreparedDocument(schemaFacts(schema), parse(query), null).operation(null);
  if (operation instanceof Error) throw operation;
  const sent = { variables: variables as Record<string, unknown>, strings: {} };
  const { errors } = await createExecuteOperation(schema)({ operation, sent, contextValue });
  await connection.close();
  if (errors) throw errors[0]!;
  return statements;
}

/** Authenticates with a token, because the statements depend on what the session knows of the merchant. */
async function sessionOf(databaseUrl: string, { merchantId, authorizedAppId }: Shop): Promise<Session> {
  const { db, close } = connect(databaseUrl, { poolSize: 1, statementTimeoutMs: STATEMENT_TIMEOUT_MS });
  const token = await issueAccessToken({ db, merchantId }, { authorizedAppId, scopes: appScopes });
  const session = await findSession({ db, sessions: openSessionCache() }, token);
  await close();
  return session!;
}
