import type { Arbitrary } from 'fast-check';
import type { State, Verdict } from './state.ts';

/** A request that the service gets, and what the model says of it. */
export type Request = { operation: string; variables: object; verdict: Verdict };
/** A choice of an operation and of records by number, so that a shorter sequence still has a meaning. */
export type Command = { name: string; choices: unknown; mode: Mode };
/** `dry run`: nothing is stored. `twice`: sent twice with one idempotency key, and stored once. */
export type Mode = 'once' | 'dry run' | 'twice';

/** How a command is chosen, and the request that it is. */
export type Definition<Choices> = {
  choices: Arbitrary<Choices>;
  weight: number;
  request(state: State, choices: Choices): Request;
};

/** Infers the type of the choices. */
export function definition<Choices>(one: Definition<Choices>): Definition<Choices> {
  return one;
}
