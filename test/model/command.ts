import type { Arbitrary } from 'fast-check';
import { slots } from './choices.ts';
import { idAt } from './inputs.ts';
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

/** An operation on a list of ids. `records`: those from which they are chosen. */
export function listDefinition(
  operation: string,
  weight: number,
  records: (state: State) => readonly { id: string }[],
  verdictOf: (state: State, ids: readonly string[]) => Verdict,
) {
  return definition({
    weight,
    choices: slots,
    request: (state, chosen) => {
      const idList = chosen.map((one) => idAt(records(state), one));
      return { operation, variables: { idList }, verdict: verdictOf(state, idList) };
    },
  });
}

/** Infers the type of the choices. */
export function definition<Choices>(one: Definition<Choices>): Definition<Choices> {
  return one;
}
