import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { type Call, send } from './graphql.ts';

const REFRESH_MS = 3_000;

type Answer<Data> = { data: Data | null; error: string | null };

/** `isLoading`: the request was sent, and there is neither data nor an error to show. */
export type Query<Data> = Answer<Data> & { isLoading: boolean; reload: () => Promise<void> };

/** Sends a request, and again when it changes. The former data stays until the answer comes. Null sends nothing. */
export function useQuery<Data>(call: Call | null): Query<Data> {
  const [{ data, error }, setAnswer] = useState<Answer<Data>>({ data: null, error: null });
  const latest = useRef(0);
  const key = JSON.stringify(call);
  const reload = useCallback(async () => {
    const turn = ++latest.current;
    if (call === null) return setAnswer({ data: null, error: null });
    const next = await send<Data>(call).then(
      (data) => ({ data, error: null }),
      (error: unknown) => ({ data: null, error: messageOf(error) }),
    );
    // If another request was sent meanwhile, only its answer is shown.
    if (turn === latest.current) setAnswer(next);
  }, [key]);
  useEffect(() => void reload(), [reload]);
  return { data, error, isLoading: call !== null && data === null && error === null, reload };
}

/** Calls `reload` at intervals while `isNeeded`, for data that will change soon. */
export function useRefresh(isNeeded: boolean, reload: () => Promise<void>): void {
  useEffect(() => {
    if (!isNeeded) return;
    const timer = setInterval(() => void reload(), REFRESH_MS);
    return () => clearInterval(timer);
  }, [isNeeded, reload]);
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
