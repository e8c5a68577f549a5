import { useState } from 'preact/hooks';
import { AppChoice, Choice, wordOptions } from '../choices.tsx';
import { CHANGES } from '../documents.ts';
import { Pager, usePage } from '../lists.tsx';
import { CopyBar, Progress, ReloadButton } from '../parts.tsx';
import { useQuery } from '../use-query.ts';
import { type Change, ChangeEntry } from './change-entry.tsx';

type Data = { listChange: { hasNext: boolean; data: Change[] } };
type Filters = { kind: string; app: string; path: string; since: string };
type FilterProps = { filters: Filters; onFilters: (filters: Filters) => void };

const KINDS = wordOptions('Everything', ['CREATED', 'UPDATED', 'DELETED', 'RESTORED']);

type Props = { recordId: string | null; onTakenBack: () => Promise<void> };

/** Shows who changed a record and when, newest first; with `recordId` null the changes of all records. */
export function History({ recordId, onTakenBack }: Props) {
  const [filters, setFilters] = useState<Filters>({ kind: '', app: '', path: '', since: '' });
  const { kind, app, path, since } = filters;
  const conditions = {
    ...(recordId !== null && { recordId }),
    ...(kind !== '' && { kind }),
    ...(app !== '' && { app }),
    ...(path !== '' && { path }),
    ...(since !== '' && { since: new Date(since).getTime() }),
  };
  const [page, setPage] = usePage(JSON.stringify(conditions));
  const call = { query: CHANGES, variables: { ...conditions, page } };
  const { data, reload, ...progress } = useQuery<Data>(call);
  const changes = data?.listChange;
  const readAgain = async () => void (await Promise.all([reload(), onTakenBack()]));
  return (
    <section aria-labelledby="changes">
      <h2 id="changes">{recordId === null ? 'Latest changes' : 'Changes'}</h2>
      <FilterFields filters={filters} onFilters={setFilters} />
      <CopyBar call={call}>
        <ReloadButton reload={reload} />
      </CopyBar>
      <Progress {...progress} />
      {changes?.data.length === 0 && <p role="status">No change is recorded that fits.</p>}
      <ol class="plain">
        {changes?.data.map((change) => (
          <ChangeEntry key={change.id} change={change} isOfOneRecord={recordId !== null} onTakenBack={readAgain} />
        ))}
      </ol>
      <Pager page={page} hasNext={changes?.hasNext ?? false} onPage={setPage} what="changes" />
    </section>
  );
}

function FilterFields({ filters, onFilters }: FilterProps) {
  const set = (changed: Partial<Filters>) => onFilters({ ...filters, ...changed });
  return (
    <div class="actions">
      <Choice label="What happened" value={filters.kind} options={KINDS} onChoose={(kind) => set({ kind })} />
      <AppChoice value={filters.app} onChoose={(app) => set({ app })} />
      <label class="filter">
        Member{' '}
        <input
          type="search"
          autocomplete="off"
          placeholder="sellPrice"
          maxLength={255}
          onChange={(event) => set({ path: event.currentTarget.value.trim() })}
        />
      </label>
      <label class="filter">
        Since <input type="datetime-local" onChange={(event) => set({ since: event.currentTarget.value })} />
      </label>
    </div>
  );
}
