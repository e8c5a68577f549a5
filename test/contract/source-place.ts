import { filesOf, textOf } from './imports.ts';

/** An SQL template in `src`: its literal parts, without the expressions between them. */
type Template = { place: string; parts: string[] };

let templates: Template[] | null = null;

/** `file:line` of the template whose literal parts make up most of a statement. */
export function sourcePlace(statement: string): string {
  templates ??= filesOf('src').flatMap(templatesOf);
  const text = inOneLine(statement);
  const scores = templates.map((template) => ({ place: template.place, score: matchedLength(template, text) }));
  return scores.reduce((best, next) => (next.score > best.score ? next : best)).place;
}

function matchedLength({ parts }: Template, statement: string): number {
  let length = 0;
  let from = 0;
  for (const part of parts) {
    const at = statement.indexOf(part, from);
    if (at < 0) return 0;
    length += part.length;
    from = at + part.length;
  }
  return length;
}

function templatesOf(file: string): Template[] {
  const text = textOf(file);
  return [...text.matchAll(/\bsql(?:<[^`]*?>)?`/g)].map(({ index, 0: start }) => ({
    place: `${file}:${text.slice(0, index).split('\n').length}`,
    parts: literalParts(text, index + start.length)
      .map(inOneLine)
      .filter((part) => part !== ''),
  }));
}

/** The texts between the expressions, up to the end of the template. */
function literalParts(text: string, start: number): string[] {
  const parts = [''];
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const character = text[at]!;
    if (depth === 0 && character === '`') break;
    if (depth === 0 && text.startsWith('${', at)) parts.push('');
    else if (depth === 0) parts[parts.length - 1] += character;
    if (text.startsWith('${', at)) depth += 1;
    else if (depth > 0 && character === '{' && text[at - 1] !== '$') depth += 1;
    else if (depth > 0 && character === '}') depth -= 1;
  }
  return parts;
}

function inOneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
