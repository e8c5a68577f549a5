import { useEffect, useState } from 'preact/hooks';

export type Signal<Value> = { value: Value; subscribe(listener: () => void): () => void };

/** Makes a value outside of components. A component that reads it by `useSignal` is rendered again when it changes. */
export function signal<Value>(initial: Value): Signal<Value> {
  const listeners = new Set<() => void>();
  let current = initial;
  return {
    get value() {
      return current;
    },
    set value(next) {
      current = next;
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

export function useSignal<Value>(source: Signal<Value>): Value {
  const [, setCount] = useState(0);
  useEffect(() => source.subscribe(() => setCount((count) => count + 1)), [source]);
  return source.value;
}
