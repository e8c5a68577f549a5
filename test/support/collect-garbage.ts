import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Lets a test count only the memory that is still referred to. */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
}
