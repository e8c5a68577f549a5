/** Texts of the type `tsquery`. */

/** A word of a phrase. `position` counts the words from the phrase's beginning. */
export type Operand = { word: string; position: number; isPrefix: boolean };

/** The operands one after the other, at the distances of their positions; with `weight`, all with this weight. */
export function phrase(operands: readonly Operand[], weight: 'A' | '' = ''): string {
  return operands
    .map(({ word, position, isPrefix }, index) => {
      const flags = `${isPrefix ? '*' : ''}${weight}`;
      const distance = index > 0 ? ` <${position - operands[index - 1]!.position}> ` : '';
      return `${distance}${quoted(word)}${flags && `:${flags}`}`;
    })
    .join('');
}

export function anyOf(queries: readonly string[]): string {
  return [...new Set(queries)].map((query) => `(${query})`).join('|');
}

/** One of each list. */
export function allOf(lists: readonly (readonly string[])[]): string {
  return lists.map((list) => `(${anyOf(list)})`).join('&');
}

export function quoted(lexeme: string): string {
  return `'${lexeme.replace(/['\\]/g, '$&$&')}'`;
}
