import { LOCATION_NAMES } from '../documents.ts';
import { useQuery } from '../use-query.ts';

type Data = { listStockLocation: { id: string; name: string; deleted: boolean }[] };

/** The names of the stock locations of the rows, by their ids. A name that is not known yet is the id. */
export function useLocationNames(rows: readonly { stockLocationId: string }[] | undefined): (id: string) => string {
  const idList = [...new Set(rows?.map(({ stockLocationId }) => stockLocationId))].toSorted();
  const { data } = useQuery<Data>(idList.length === 0 ? null : { query: LOCATION_NAMES, variables: { idList } });
  return (id) => {
    const location = data?.listStockLocation.find((one) => one.id === id);
    if (!location) return id;
    return location.deleted ? `${location.name} (deleted)` : location.name;
  };
}
