import type { ArgumentReference, OperationReference, Reference } from '../../graphql/reference/operation-reference.ts';
import type { Page } from './page.ts';
import type { SectionedPage } from './sections.ts';

const GRAPHQL_BLOCK = /^```graphql\n([^]*?)^```$/gm;
const NUMBERS = new Intl.NumberFormat('en');

/**
 * Makes a page for each operation from the SDL, with the example of the Markdown file of its domain, and a list of
 * them.
 */
export function operationPages(reference: Reference, domains: ReadonlyMap<string, SectionedPage>): Page[] {
  const { operations, costOf } = reference;
  const pages = operations.map((operation) => {
    const example = domains.get(operation.domain)?.sections.find(({ heading }) => heading === operation.name)?.text;
    const text = [
      `# ${operation.name}`,
      `A ${operation.kind} of [${domains.get(operation.domain)?.title ?? operation.domain}](../operations.md).`,
      ...(operation.deprecation === null ? [] : [`**Deprecated.** ${operation.deprecation}`]),
      operation.description,
      `Returns \`${operation.type}\`.`,
      ...argumentTables(operation),
      ...rules(operation),
      ...(example === undefined ? [] : ['## Example', example, costLine(example, costOf)]),
    ].join('\n\n');
    return { path: `operations/${operation.name}`, title: operation.name, group: operation.domain, markdown: text };
  });
  return [indexPage(operations, domains), ...pages];
}

function indexPage(operations: readonly OperationReference[], domains: ReadonlyMap<string, SectionedPage>): Page {
  const lists = [...Map.groupBy(operations, ({ domain }) => domain)].flatMap(([name, own]) => {
    const domain = domains.get(name);
    const lines = own.map(
      ({ name, description }) => `- [${name}](operations/${name}.md): ${firstSentence(description)}`,
    );
    return [`## ${domain?.title ?? name}`, introOf(domain), lines.join('\n')];
  });
  const markdown = ['# Operations', 'Each operation has a page, generated from the SDL, with an example.', ...lists];
  return { path: 'operations', title: 'Operations', group: null, markdown: markdown.join('\n\n') };
}

/**
 * The first paragraph of a domain's file: those after it prepare its examples. The links of the file go one folder up.
 */
function introOf(domain: SectionedPage | undefined): string {
  return (domain?.intro.split('\n\n')[0] ?? '').replaceAll('](../', '](');
}

function argumentTables({ arguments: all, inputs }: OperationReference): string[] {
  if (all.length === 0) return [];
  const inputTables = inputs.flatMap(({ name, members }) => [`### ${name}`, memberTable('Member', members)]);
  return ['## Arguments', memberTable('Argument', all), ...inputTables];
}

function memberTable(heading: string, members: readonly ArgumentReference[]): string {
  const rows = members.map(({ name, type, isRequired, description, points }) => {
    const each = type.includes('[') ? ' for each entry' : '';
    const cost = points > 0 ? ` Costs ${NUMBERS.format(points)} points${each}.` : '';
    return `| \`${name}\` | \`${type}\`${isRequired ? ', required' : ''} | ${inCell(description)}${cost} |`;
  });
  return [`| ${heading} | Type | Meaning |`, '|---|---|---|', ...rows].join('\n');
}

function rules({ scope, points, entries, errors }: OperationReference): string[] {
  const needs = scope === null ? 'Any valid token, or what is said above.' : `\`${scope}\``;
  const links = errors.map((code) => `[${code}](../errors/${code}.md)`);
  return [
    '## Rules',
    [
      `- Scope: ${needs}`,
      `- Cost: ${NUMBERS.format(points)} ${points === 1 ? 'point' : 'points'} and [those of the selection](../limits.md#what-a-request-costs)${listCost(entries)}.`,
      `- Errors: ${links.join(', ')}, and those that [any request](../errors.md) may get.`,
    ].join('\n'),
  ];
}

function listCost(entries: OperationReference['entries']): string {
  if (!entries) return '';
  const { assumed, max } = entries;
  if (max === null) return `, times ${assumed} entries, however many are returned`;
  return `, times the entries that are asked for: ${assumed} by default, at most ${max}`;
}

/** The cost of the last document of an example. That is the operation's own; the documents before it prepare it. */
function costLine(example: string, costOf: Reference['costOf']): string {
  const document = [...example.matchAll(GRAPHQL_BLOCK)].at(-1)?.[1];
  return document === undefined ? '' : `The cost of this request is ${NUMBERS.format(costOf(document))}.`;
}

function inCell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ');
}

function firstSentence(text: string): string {
  return /^.*?[.;:](?=\s|$)/s.exec(text)?.[0].replaceAll('\n', ' ').replace(/[;:]$/, '.') ?? text;
}
