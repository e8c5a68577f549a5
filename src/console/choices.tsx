import { useEffect, useState } from 'preact/hooks';
import { APP_NAMES } from './documents.ts';
import { send } from './graphql.ts';
import { MAX_PAGE_SIZE } from './lists.tsx';
import { messageOf } from './use-query.ts';

type AppName = { id: string; name: string; revokedAt: number | null };
type Chosen = { value: string; onChoose: (value: string) => void };

/** A field with which one of several values is chosen. `options` are the values and their texts. */
export function Choice(
  props: Chosen & { label: string; options: readonly (readonly [value: string, text: string])[] },
) {
  return (
    <label>
      {props.label}{' '}
      <select value={props.value} onChange={(event) => props.onChoose(event.currentTarget.value)}>
        {props.options.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}

/** A choice of an app by its name; the value is its id, and empty for all apps. */
export function AppChoice(chosen: Chosen) {
  const [apps, setApps] = useState<AppName[]>([]);
  const [problem, setProblem] = useState('');
  useEffect(() => void everyAppName().then(setApps, (error: unknown) => setProblem(messageOf(error))), []);
  const options = apps.map(({ id, name, revokedAt }) => [id, revokedAt === null ? name : `${name} (revoked)`] as const);
  return (
    <>
      <Choice label="App" {...chosen} options={[['', 'All apps'], ...options]} />
      {problem !== '' && <span class="problem">The names of the apps were not read: {problem}</span>}
    </>
  );
}

async function everyAppName(): Promise<AppName[]> {
  const all: AppName[] = [];
  for (let page = 1; ; page++) {
    const call = { query: APP_NAMES, variables: { page } };
    const { listAuthorizedApp: found } = await send<{ listAuthorizedApp: AppName[] }>(call);
    all.push(...found);
    if (found.length < MAX_PAGE_SIZE) return all;
  }
}

/** The options of a choice of a word of the API, of which the empty one means all. */
export function wordOptions(all: string, words: readonly string[]): [value: string, text: string][] {
  return [['', all], ...words.map((word): [string, string] => [word, word])];
}
