import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { type Call, send } from './graphql.ts';

const REFRESH_MS = 3_000;

type Answer<Data> = { data: Data | null; error: string | null };

/**
 * `isLoading`: the request was sent, and there is neither data nor an error to show. `isCurrent`: the data is of this
 * request, and not of the one before it.
 */
export type Query<Data> = Answer<Data> & { isLoading: boolean; isCurrent: boolean; reload: () => Promise<void> };

/**
 * Sends a request, and again when it or `version` changes. The former data stays until the answer comes, and if the same
 * request fails later. Null sends nothing. `ask` is a function of a module.
 */
export function useQuery<Data>(
  call: Call | null,
  version?: string,
  ask: (call: Call) => Promise<Data> = send,
): Query<Data> {
  const key = JSON.stringify(call);
  const [{ data, error, of }, setAnswer] = useState<Answer<Data> & { of: string }>({
    data: null,
    error: null,
    of: key,
  });
  const latest = useRef(0);
  // The request may have changed before an action ends. Then the new one is sent again, not the one that it began with.
  const shown = useRef({ call, key });
  shown.current = { call, key };
  const reload = useCallback(async () => {
    const { call, key } = shown.current;
    const turn = ++latest.current;
    if (call === null) return setAnswer({ data: null, error: null, of: key });
    const next = await ask(call).then(
      (data) => ({ data, error: null }),
      (error: unknown) => ({ error: messageOf(error) }),
    );
    // If another request was sent meanwhile, only its answer is shown.
    if (turn === latest.current)
      setAnswer((former) => ({ data: former.of === key ? former.data : null, ...next, of: key }));
  }, [ask]);
  useEffect(() => void reload(), [reload, key, version]);
  const isCurrent = data !== null && of === key;
  return { data, error, isLoading: call !== null && data === null && error === null, isCurrent, reload };
}

/**
 * Calls `reload` at intervals while `isNeeded`, for data that will change soon. A slow answer is waited for, because a
 * further request would supersede it.
 */
export function useRefresh(isNeeded: boolean, reload: () => Promise<void>): void {
  useEffect(() => {
    if (!isNeeded) return;
    let isLoading = false;
    const refresh = async () => {
      if (isLoading) return;
      isLoading = true;
      await reload();
      isLoading = false;
    };
    const timer = setInterval(() => void refresh(), REFRESH_MS);
    return () => clearInterval(timer);
  }, [isNeeded, reload]);
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
