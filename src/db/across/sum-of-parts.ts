/**
 * Does the parts of a task one after the other, and returns the sum of their results. A part that fails stops no later one:
 * otherwise a merchant whose rows cannot be removed would keep the rows of all merchants in the later parts. Throws the
 * first error at the end.
 */
export async function sumOfParts(parts: readonly (() => Promise<number>)[]): Promise<number> {
  const errors: unknown[] = [];
  let sum = 0;
  for (const part of parts) {
    try {
      sum += await part();
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw errors[0];
  return sum;
}
