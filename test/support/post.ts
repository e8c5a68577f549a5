export type Answer = {
  status: number;
  headers: Headers;
  body: {
    data?: Record<string, unknown> | null;
    errors?: { message: string; path?: (string | number)[]; extensions: Record<string, unknown> }[];
    extensions?: Record<string, unknown>;
  };
};

type Options = { token?: string | null; headers?: Record<string, string> };

/** Posts a GraphQL request with the headers of most clients. */
export async function post(url: string, body: object, options: Options = {}): Promise<Answer> {
  return await postText(url, JSON.stringify(body), options);
}

/** Posts a text, for JSON that JSON.stringify does not write. */
export async function postText(
  url: string,
  body: string,
  { token = 'full', headers = {} }: Options = {},
): Promise<Answer> {
  return await read(
    await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }), ...headers },
      body,
    }),
  );
}

/** Sends a GraphQL request by GET. */
export async function get(
  url: string,
  parameters: object,
  { token = 'full', headers = {} }: Options = {},
): Promise<Answer> {
  const search = Object.entries(parameters).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ]);
  return await read(
    await fetch(`${url}?${new URLSearchParams(search).toString()}`, {
      headers: { ...(token && { authorization: `Bearer ${token}` }), ...headers },
    }),
  );
}

async function read(response: Response): Promise<Answer> {
  return { status: response.status, headers: response.headers, body: (await response.json()) as Answer['body'] };
}

export function codes({ body }: Answer): unknown[] {
  return (body.errors ?? []).map(({ extensions }) => extensions['code']);
}
