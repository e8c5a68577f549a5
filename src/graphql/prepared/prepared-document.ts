import { type DocumentNode, type GraphQLError, type OperationDefinitionNode } from 'graphql';
import { findOperation } from '../document/operation.ts';
import { isGraphQLError } from '../errors.ts';
import { type Literals, NO_LITERALS } from './literals.ts';
import { PreparedOperation, type SchemaFacts } from './prepared-operation.ts';

/** A document with variables in place of its string literals. */
export type WithoutStrings = { readonly document: DocumentNode; readonly literals: Literals };

/**
 * A valid document. Documents that differ only in string literals share one: `literals` says where they were in the
 * text of the first one.
 */
export class PreparedDocument {
  readonly #facts: SchemaFacts;
  readonly #executed: DocumentNode;
  readonly #operations = new Map<OperationDefinitionNode, PreparedOperation>();
  readonly document: DocumentNode;
  readonly literals: Literals;

  constructor(facts: SchemaFacts, document: DocumentNode, replaced: WithoutStrings | null) {
    this.#facts = facts;
    this.document = document;
    this.#executed = replaced?.document ?? document;
    this.literals = replaced?.literals ?? NO_LITERALS;
  }

  /** The operation to execute, or an error with the same message as in graphql-js. */
  operation(name: string | null | undefined): PreparedOperation | GraphQLError {
    const node = findOperation(this.document, name);
    if (isGraphQLError(node)) return node;
    const known = this.#operations.get(node);
    if (known) return known;
    const executed = { document: this.#executed, node: findOperation(this.#executed, name) as OperationDefinitionNode };
    const operation = new PreparedOperation(this.#facts, this.document, node, executed);
    this.#operations.set(node, operation);
    return operation;
  }
}
