import {
  coerceInputLiteral,
  getNullableType,
  GraphQLError,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLLeafType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isRequiredInputField,
} from 'graphql';
import type { InputPath } from '../../errors.ts';
import { Pauses, type SlicedContext } from '../../limits/event-loop-slices.ts';
import { MAX_MESSAGE_LENGTH } from '../errors.ts';
import { isLongList, NOT_A_FLOAT, tooLong } from './arguments.ts';
import { quotedValue } from './quoted-value.ts';

/** One character more than responses show of a message, so that a response ends a cut message with an ellipsis. */
const MAX_LENGTH = MAX_MESSAGE_LENGTH + 1;

type OnRefusedValue = (path: InputPath, message: string) => void;

export type CoercionOptions = {
  /** Called with each value that graphql-js refuses, and with its message. */
  readonly onInvalid: OnRefusedValue;
  /** Called with each value that only we refuse: a list longer than `maxListSize`, and a number that is not finite. */
  readonly onIssue: OnRefusedValue;
  readonly maxListSize: number;
};

/** A list whose entries are coerced after the rest of the value, one by one. */
type LongList = {
  readonly entries: readonly unknown[];
  readonly type: GraphQLInputType;
  readonly path: InputPath;
  readonly coerced: unknown[];
};

/**
 * Coerces JSON values as graphql-js does, which tests compare, with the same messages about invalid ones. Four things
 * differ: the entries of long lists are coerced in slices of time, since 1,000 products with 70 variants take 0.3 s; those
 * of lists that no argument allows are not coerced; a number of 1e400 where a scalar belongs is not called Infinity; and the messages quote no
 * more of a value than a response shows.
 */
export class Coercion {
  readonly #options: CoercionOptions;
  #path: InputPath = [];
  readonly #longLists: LongList[] = [];

  constructor(options: CoercionOptions) {
    this.#options = options;
  }

  /** The coerced value. Its long lists are empty until `finish`. */
  coerce(value: unknown, type: GraphQLInputType): unknown {
    if (value === null || value === undefined) {
      if (isNonNullType(type)) this.#refuse(`Expected value of non-null type "${type.toString()}" not to be null.`);
      return null;
    }
    const nullable = getNullableType(type);
    if (isListType(nullable)) return this.#list(value, nullable.ofType);
    if (isInputObjectType(nullable)) return this.#object(value, nullable);
    return this.#leaf(value, nullable);
  }

  get isFinished(): boolean {
    return this.#longLists.length === 0;
  }

  /** Coerces the entries of the long lists. Long lists within an entry are added to the end, and are coerced after it. */
  async finish(ctx: SlicedContext): Promise<void> {
    const pauses = new Pauses(ctx);
    for (const { entries, type, path, coerced } of this.#longLists) {
      this.#path = path;
      for (const [index, entry] of entries.entries()) {
        if (pauses.isDue()) await pauses.take();
        coerced.push(this.#member(index, entry, type));
      }
    }
  }

  #member(key: string | number, value: unknown, type: GraphQLInputType): unknown {
    this.#path.push(key);
    const coerced = this.coerce(value, type);
    this.#path.pop();
    return coerced;
  }

  #list(value: unknown, type: GraphQLInputType): unknown[] {
    if (!Array.isArray(value)) return [this.coerce(value, type)];
    const { maxListSize } = this.#options;
    if (value.length > maxListSize) {
      this.#report(tooLong(maxListSize, value.length));
      return [];
    }
    if (!isLongList(value)) return value.map((entry: unknown, index) => this.#member(index, entry, type));
    const coerced: unknown[] = [];
    this.#longLists.push({ entries: value, type, path: [...this.#path], coerced });
    return coerced;
  }

  #object(value: unknown, type: GraphQLInputObjectType): unknown {
    if (typeof value !== 'object' || Array.isArray(value))
      return this.#refuse(`Expected value of type "${type.name}" to be an object, found: ${quote(value)}.`);
    const sent = value as Record<string, unknown>;
    const coerced = Object.create(null) as Record<string, unknown>;
    const fields = type.getFields();
    for (const field of Object.values(fields)) {
      const { name } = field;
      if (Object.hasOwn(sent, name)) coerced[name] = this.#member(name, sent[name], field.type);
      else if (isRequiredInputField(field))
        this.#refuse(
          `Expected value of type "${type.name}" to include required field "${name}", found: ${quote(sent)}.`,
        );
      else if (field.default?.literal) coerced[name] = coerceInputLiteral(field.default.literal, field.type);
    }
    this.#refuseUnknown(sent, type);
    return coerced;
  }

  #refuseUnknown(sent: Record<string, unknown>, type: GraphQLInputObjectType): void {
    const fields = type.getFields();
    const unknown = Object.keys(sent).filter((name) => !Object.hasOwn(fields, name));
    if (unknown.length === 0) return;
    const found = quote(sent);
    for (const name of unknown)
      this.#refuse(`Expected value of type "${type.name}" not to include unknown field "${name}", found: ${found}.`);
  }

  #leaf(value: unknown, type: GraphQLLeafType): unknown {
    if (typeof value === 'number' && !Number.isFinite(value)) return this.#report(NOT_A_FLOAT);
    try {
      // No scalar accepts an object. In the error graphql-js quotes it by its `toJSON`, which quotes a part only.
      return type.coerceInputValue(typeof value === 'object' ? { toJSON: () => quote(value) } : value, true);
    } catch (error) {
      if (!(error instanceof GraphQLError)) throw error;
      return this.#refuse(error.message);
    }
  }

  #refuse(message: string): void {
    this.#options.onInvalid([...this.#path], message.slice(0, MAX_LENGTH));
  }

  #report(message: string): void {
    this.#options.onIssue([...this.#path], message);
  }
}

function quote(value: unknown): string {
  return quotedValue(value, MAX_LENGTH);
}
