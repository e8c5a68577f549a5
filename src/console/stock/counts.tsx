import { COUNTS } from '../documents.ts';
import { Pager, usePage } from '../lists.tsx';
import { CopyBar, Progress, ReloadButton } from '../parts.tsx';
import { useQuery } from '../use-query.ts';
import { useLocationNames } from './location-names.ts';

type Count = { id: string; stockLocationId: string; stockCount: number; heldCount: number; availableCount: number };
type Data = { listProductStockLocation: { hasNext: boolean; data: Count[] } };
/** `location` is the id of the one whose movements and holds are shown, empty for all. */
type Props = { variantId: string; location: string; onLocation: (id: string) => void };

/** The counts of a variant at its stock locations, of which one can be chosen. */
export function Counts({ variantId, location, onLocation }: Props) {
  const [page, setPage] = usePage(variantId);
  const call = { query: COUNTS, variables: { variantId, page } };
  const { data, reload, ...progress } = useQuery<Data>(call);
  const counts = data?.listProductStockLocation;
  const nameOf = useLocationNames(counts?.data);
  return (
    <section aria-labelledby="counts">
      <h2 id="counts">Counts</h2>
      <CopyBar call={call}>
        <ReloadButton reload={reload} />
      </CopyBar>
      <Progress {...progress} />
      {counts?.data.length === 0 && <p>The variant has no count at a stock location.</p>}
      <ul class="plain">
        {counts?.data.map((count) => (
          <CountEntry
            key={count.id}
            count={count}
            name={nameOf(count.stockLocationId)}
            isChosen={count.stockLocationId === location}
            onChoose={(isChosen) => onLocation(isChosen ? count.stockLocationId : '')}
          />
        ))}
      </ul>
      <Pager page={page} hasNext={counts?.hasNext ?? false} onPage={setPage} what="counts" />
    </section>
  );
}

function CountEntry(props: { count: Count; name: string; isChosen: boolean; onChoose: (isChosen: boolean) => void }) {
  const { count, name, isChosen, onChoose } = props;
  return (
    <li class={isChosen ? 'card highlighted' : 'card'}>
      <p class="line">
        <strong class="wrap">{name}</strong>
        <span>
          count {count.stockCount}, held {count.heldCount}, available {count.availableCount}
        </span>
      </p>
      <button type="button" class="quiet" aria-pressed={isChosen} onClick={() => onChoose(!isChosen)}>
        Only this location
      </button>
    </li>
  );
}
