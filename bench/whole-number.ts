import { InvalidArgumentError } from 'commander';

export function wholeNumber(text: string): number {
  const number = Number(text);
  if (Number.isInteger(number) && number > 0) return number;
  throw new InvalidArgumentError('It is a whole number from 1 on.');
}
