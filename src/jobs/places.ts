/** Requests under way at once, in this process and to one endpoint. */
const PLACES_MAX = 512;
const PLACES_PER_ENDPOINT_MAX = 128;
/** To one that did not answer the last time: enough to notice that it is back, too few to be in others' way. */
const PLACES_PER_SILENT_ENDPOINT_MAX = 4;

export type Places = {
  free(): number;
  freeFor(endpoint: string): number;
  /** False when the endpoint has all it may have. */
  take(endpoint: string): boolean;
  leave(endpoint: string, isSilent: boolean): void;
  /** Did not make room in time, and has not been idle since. */
  isSlow(endpoint: string): boolean;
  slow(endpoint: string): void;
};

/** Who may send how much at once, so that an endpoint that hangs delays no other. */
export function openPlaces(): Places {
  const endpoints = new Map<string, { taken: number; isSilent: boolean; isSlow: boolean }>();
  let taken = 0;
  const freeFor = (endpoint: string): number => {
    const state = endpoints.get(endpoint);
    if (!state) return PLACES_PER_ENDPOINT_MAX;
    return Math.max((state.isSilent ? PLACES_PER_SILENT_ENDPOINT_MAX : PLACES_PER_ENDPOINT_MAX) - state.taken, 0);
  };
  return {
    free: () => PLACES_MAX - taken,
    freeFor,
    take(endpoint) {
      if (taken >= PLACES_MAX || freeFor(endpoint) === 0) return false;
      const state = endpoints.get(endpoint) ?? { taken: 0, isSilent: false, isSlow: false };
      state.taken += 1;
      taken += 1;
      endpoints.set(endpoint, state);
      return true;
    },
    leave(endpoint, isSilent) {
      const state = endpoints.get(endpoint)!;
      state.taken -= 1;
      state.isSilent = isSilent;
      taken -= 1;
      if (state.taken === 0 && !isSilent) endpoints.delete(endpoint);
    },
    isSlow: (endpoint) => endpoints.get(endpoint)?.isSlow ?? false,
    slow(endpoint) {
      const state = endpoints.get(endpoint);
      if (state) state.isSlow = true;
    },
  };
}
