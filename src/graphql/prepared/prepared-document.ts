import { type DocumentNode, type GraphQLError, type OperationDefinitionNode } from 'graphql';
import { fragmentsOf } from '../document/collect-fields.ts';
import { findOperation } from '../document/operation.ts';
import { isGraphQLError } from '../errors.ts';
import type { WithoutStrings } from './string-literals.ts';
import { type OperationParts, PreparedOperation, type SchemaFacts } from './prepared-operation.ts';

/** A valid document. Texts that differ only in string literals share one, in which variables have replaced them. */
export class PreparedDocument {
  readonly #facts: SchemaFacts;
  /** By their names; under null the only one of the document. */
  readonly #operations = new Map<string | null, PreparedOperation>();
  /** As the first client wrote it. */
  readonly document: DocumentNode;
  /** The document that is executed, if it has strings. */
  readonly withoutStrings: WithoutStrings | null;

  constructor(facts: SchemaFacts, document: DocumentNode, withoutStrings: WithoutStrings | null) {
    this.#facts = facts;
    this.document = document;
    this.withoutStrings = withoutStrings;
  }

  /** The operation to execute, or an error with the same message as in graphql-js. */
  operation(name: string | null | undefined): PreparedOperation | GraphQLError {
    return this.#operations.get(name ?? null) ?? this.#prepare(name);
  }

  #prepare(name: string | null | undefined): PreparedOperation | GraphQLError {
    const node = findOperation(this.document, name);
    if (isGraphQLError(node)) return node;
    const known = this.#operations.values().find((operation) => operation.node === node);
    if (known) {
      this.#operations.set(name ?? null, known);
      return known;
    }
    const sent = { document: this.document, node, fragments: fragmentsOf(this.document) };
    const operation = new PreparedOperation(this.#facts, sent, this.#executed(name) ?? sent);
    this.#operations.set(name ?? null, operation);
    return operation;
  }

  #executed(name: string | null | undefined): OperationParts | null {
    if (!this.withoutStrings) return null;
    const { document } = this.withoutStrings;
    return {
      document,
      node: findOperation(document, name) as OperationDefinitionNode,
      fragments: fragmentsOf(document),
    };
  }
}
