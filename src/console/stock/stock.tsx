import { useState } from 'preact/hooks';
import { Choice } from '../choices.tsx';
import { VARIANTS } from '../documents.ts';
import { Progress } from '../parts.tsx';
import { useQuery } from '../use-query.ts';
import { Counts } from './counts.tsx';
import { Holds } from './holds.tsx';
import { useLocationNames } from './location-names.ts';
import { Movements } from './movements.tsx';

type Variant = { id: string; sku: string | null };
type Data = { listProduct: { data: { variants: Variant[] }[] } };
/** A variant of a product; `stockLocationId` is a location that was found, empty for all. */
type Props = { productId: string; variantId: string | null; stockLocationId: string; text: string };

/** Shows the stock of a variant of a product: its counts, the movements that made them, and its holds. */
export function Stock({ productId, variantId, stockLocationId, text }: Props) {
  const { data, ...progress } = useQuery<Data>({ query: VARIANTS, variables: { productId } });
  const [chosen, setChosen] = useState<string | null>(variantId);
  const variants = data?.listProduct.data[0]?.variants ?? [];
  // The variant with the sku that was searched for, else the first one.
  const shown = chosen ?? (variants.find(({ sku }) => sku === text) ?? variants[0])?.id;
  if (shown === undefined) return data ? <p>The product has no variants.</p> : <Progress {...progress} />;
  const options = variants.map(({ id, sku }) => [id, sku ?? id] as const);
  const isListed = variants.some(({ id }) => id === shown);
  const unlisted = [shown, data ? `${shown} (deleted)` : shown] as const;
  return (
    <>
      <Progress {...progress} />
      <Choice
        label="Variant"
        value={shown}
        options={isListed ? options : [unlisted, ...options]}
        onChoose={setChosen}
      />
      <VariantStock key={shown} variantId={shown} stockLocationId={stockLocationId} />
    </>
  );
}

function VariantStock({ variantId, stockLocationId }: { variantId: string; stockLocationId: string }) {
  const [location, setLocation] = useState(stockLocationId);
  const place = { variantId, ...(location !== '' && { stockLocationId: location }) };
  const nameOf = useLocationNames(location === '' ? [] : [{ stockLocationId: location }]);
  return (
    <>
      <Counts variantId={variantId} location={location} onLocation={setLocation} />
      {location !== '' && (
        <p class="line">
          <span class="wrap">Movements and holds at {nameOf(location)} only.</span>
          <button type="button" class="quiet" onClick={() => setLocation('')}>
            Show all locations
          </button>
        </p>
      )}
      <Movements place={place} />
      <Holds place={place} />
    </>
  );
}
