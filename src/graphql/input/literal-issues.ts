import { type DocumentNode, type ValueNode, visit } from 'graphql';
import { mayContainUnderflow, underflows } from '../../values/json.ts';
import type { Issue } from '../../errors.ts';
import { NOT_A_FLOAT } from './arguments.ts';

/**
 * Finds number literals that graphql-js would silently read as 0, such as 1e-400. Runs before execution, since only the
 * document has their digits.
 */
export function literalIssues(document: DocumentNode): Issue[] {
  // The text spares a visit of the document: checking 1,000 characters takes half a microsecond. The parser keeps no
  // text of documents with very many lines.
  const text = document.loc?.source.body;
  if (text !== undefined && !mayContainUnderflow(text)) return [];
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
  else if (value.kind === 'FloatValue' && underflows(value.value)) issues.push({ path, message: NOT_A_FLOAT });
}
