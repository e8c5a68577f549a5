import { parse } from 'graphql';
import { appScopes } from '../src/app-scope.ts';
import type { Context } from '../src/context.ts';
import { connect } from '../src/db/connection/connect.ts';
import { createExecuteOperation } from '../src/graphql/execute/execute-operation.ts';
import { PreparedDocument } from '../src/graphql/prepared/prepared-document.ts';
import { schemaFacts } from '../src/graphql/prepared/prepared-operation.ts';
import { resolvers } from '../src/resolvers.ts';
import { buildSchema, readSources } from '../src/graphql/schema/schema.ts';
import type { Shop, Workload } from './workload.ts';

const STATEMENT_TIMEOUT_MS = 60_000;
const schema = buildSchema(readSources(), resolvers);

export type SentStatement = { text: string; parameters: readonly unknown[] };

/** Executes the first request of the workload in this process and returns the statements that it sends. */
export async function sentStatements(
  databaseUrl: string,
  shop: Shop,
  workload: Pick<Workload, 'request'>,
): Promise<SentStatement[]> {
  const statements: SentStatement[] = [];
  const onStatement = (text: string, parameters: readonly unknown[]): void =>
    void statements.push({ text, parameters });
  const connection = connect(databaseUrl, { poolSize: 1, statementTimeoutMs: STATEMENT_TIMEOUT_MS, onStatement });
  const { merchantId, authorizedAppId } = shop;
  const session = { merchantId, authorizedAppId, scopes: new Set(appScopes) };
  const contextValue = { db: connection.db, merchantId, session, requestId: 'bench', log: console } as Partial<Context>;
  const { query, variables } = workload.request(shop, 0);
  const operation = new PreparedDocument(schemaFacts(schema), parse(query), null).operation(null);
  if (operation instanceof Error) throw operation;
  const sent = { variables: variables as Record<string, unknown>, literals: {} };
  const { errors } = await createExecuteOperation(schema)({ operation, sent, contextValue });
  await connection.close();
  if (errors) throw errors[0]!;
  return statements;
}
