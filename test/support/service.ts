import { type Finished, startMain } from './process.ts';

export type ServiceProcess = {
  url: string;
  graphqlUrl: string;
  /** Kills it with SIGKILL. */
  kill(): Promise<void>;
  ended: Promise<Finished>;
};

/** Starts the service in a process of its own, with this database. */
export async function startServiceProcess(
  databaseUrl: string,
  environment: Record<string, string> = {},
): Promise<ServiceProcess> {
  const service = await startMain({ DATABASE_URL: databaseUrl, SECRET_KEY: '0'.repeat(64), ...environment });
  return {
    url: service.url,
    graphqlUrl: `${service.url}/api/v1/admin/graphql`,
    kill: async () => void (await service.stop('SIGKILL')),
    ended: service.finished,
  };
}
