import { type DocumentNode, type ValueNode, visit } from 'graphql';
import { underflows } from '../../decimal.ts';
import type { Issue } from '../../errors.ts';
import { NOT_IN_FLOAT } from './arguments.ts';

/** What a literal must have to be lost in a 64-bit float: a negative exponent of two digits, or a row of zeros. */
const SMALL_EXPONENT = /e-\d{2}/i;
const ZEROS = '0'.repeat(200);

const known = new WeakMap<DocumentNode, readonly Issue[]>();

/**
 * Number literals that graphql-js reads as 0 though they are not 0, as 1e-400. Their digits are in the document
 * alone, so this comes before execution.
 */
export function literalIssues(document: DocumentNode): readonly Issue[] {
  const found = known.get(document) ?? find(document);
  known.set(document, found);
  return found;
}

function find(document: DocumentNode): Issue[] {
  const text = document.loc?.source.body ?? '';
  if (!SMALL_EXPONENT.test(text) && !text.includes(ZEROS)) return [];
  const issues: Issue[] = [];
  visit(document, {
    Argument: ({ name, value }) => check(issues, [name.value], value),
    VariableDefinition: ({ variable, defaultValue }) => {
      if (defaultValue) check(issues, [variable.name.value], defaultValue);
    },
  });
  return issues;
}

function check(issues: Issue[], path: Issue['path'], value: ValueNode): void {
  if (value.kind === 'ListValue') value.values.forEach((entry, index) => check(issues, [...path, index], entry));
  else if (value.kind === 'ObjectValue')
    for (const field of value.fields) check(issues, [...path, field.name.value], field.value);
  else if (value.kind === 'FloatValue' && underflows(value.value)) issues.push({ path, message: NOT_IN_FLOAT });
}
