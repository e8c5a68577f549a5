import { endSession, session } from './session.ts';

export const GRAPHQL_PATH = '/api/v1/admin/graphql';

/** A request that a page sends, and that its "copy" buttons copy. */
export type Call = { readonly query: string; readonly variables: Record<string, unknown> };

type Answer<Data> = { data?: Data | null; errors?: ServiceFailure[] };

/** An error as the service sends it. */
export type ServiceFailure = {
  message: string;
  /** Missing if the whole request failed. */
  path?: (string | number)[];
  extensions?: {
    code?: string;
    suggestions?: string[];
    webhookIds?: string[];
    conflicts?: Conflict[];
    conflictCount?: number;
  };
};

/** A member that has changed since the change that is to be taken back. The values are JSON texts. */
export type Conflict = {
  recordType: string;
  recordId: string;
  path: string;
  expected: string | null;
  found: string | null;
};

/** The errors of an answer. Its message has all of them in sentences. */
export class ServiceError extends Error {
  readonly failures: readonly ServiceFailure[];

  constructor(failures: readonly ServiceFailure[]) {
    super(failures.map(sentenceOf).join(' '));
    this.failures = failures;
  }
}

function sentenceOf({ message, extensions }: ServiceFailure): string {
  const suggestions = extensions?.suggestions ?? [];
  return suggestions.length === 0 ? message : `${message} Did you mean ${suggestions.join(', ')}?`;
}

/**
 * Sends a request and returns its data. Throws an error with the messages of the service. A refused token ends the
 * session. With `isDryRun` nothing is stored.
 */
export async function send<Data>({ query, variables }: Call, isDryRun = false): Promise<Data> {
  const token = session.value?.token;
  const response = await fetch(GRAPHQL_PATH, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json',
      authorization: `Bearer ${token ?? ''}`,
      ...(isDryRun && { 'x-dry-run': 'true' }),
    },
    body: JSON.stringify({ query, variables }),
  });
  const { data, errors } = (await response.json()) as Answer<Data>;
  if (errors?.some(({ extensions }) => extensions?.code === 'LOGIN_REQUIRED')) endSession();
  if (errors?.length) throw new ServiceError(errors);
  if (!data) throw new Error(`The service answered ${response.status} without data.`);
  return data;
}

/** The text of a request for GraphiQL or a client. */
export function asGraphQL({ query, variables }: Call): string {
  const isWithout = Object.keys(variables).length === 0;
  return isWithout ? query : `${query}\n\n# Variables:\n${JSON.stringify(variables, null, 2).replace(/^/gm, '# ')}\n`;
}

/** The request as a `curl` command for a shell, with the token in the environment variable TOKEN. */
export function asCurl(call: Call): string {
  const body = JSON.stringify(call).replaceAll("'", String.raw`'\''`);
  return [
    `curl -s '${location.origin}${GRAPHQL_PATH}'`,
    `-H "Authorization: Bearer $TOKEN"`,
    `-H 'Content-Type: application/json'`,
    `-d '${body}'`,
  ].join(' \\\n  ');
}
