import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { type Call, send } from './graphql.ts';

const REFRESH_MS = 3_000;

export type Query<Data> = { data: Data | null; error: string | null; isLoading: boolean; reload: () => Promise<void> };

/** Sends a request, and again when it changes. The former data stays until the answer comes. Null sends nothing. */
export function useQuery<Data>(call: Call | null): Query<Data> {
  const [state, setState] = useState<Omit<Query<Data>, 'reload'>>({
    data: null,
    error: null,
    isLoading: call !== null,
  });
  const latest = useRef(0);
  const key = JSON.stringify(call);
  const reload = useCallback(async () => {
    const turn = ++latest.current;
    if (call === null) return setState({ data: null, error: null, isLoading: false });
    setState((former) => ({ ...former, isLoading: true }));
    const next = await send<Data>(call).then(
      (data) => ({ data, error: null }),
      (error: unknown) => ({ data: null, error: messageOf(error) }),
    );
    // If another request was sent meanwhile, only its answer is shown.
    if (turn === latest.current) setState({ ...next, isLoading: false });
  }, [key]);
  useEffect(() => void reload(), [reload]);
  return { ...state, reload };
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
