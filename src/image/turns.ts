type Waiting = { readonly weight: number; readonly enter: () => void };

/** Lets in, first come first served, as long as what is inside weighs at most `max` together; and always one. */
export type Turns = { take(weight: number): Promise<() => void> };

export function openTurns(max: number): Turns {
  const waiting: Waiting[] = [];
  let inside = 0;
  const fits = (weight: number): boolean => inside === 0 || inside + weight <= max;

  function enter(weight: number): () => void {
    inside += weight;
    let hasLeft = false;
    return () => {
      if (hasLeft) return;
      hasLeft = true;
      inside -= weight;
      while (waiting[0] && fits(waiting[0].weight)) waiting.shift()!.enter();
    };
  }
  return {
    take: async (weight) => {
      if (waiting.length === 0 && fits(weight)) return enter(weight);
      return await new Promise((resolve) => waiting.push({ weight, enter: () => resolve(enter(weight)) }));
    },
  };
}
