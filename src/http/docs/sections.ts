/** A part of a Markdown page, below a heading `## …`. */
export type Section = { readonly heading: string; readonly text: string };

export type SectionedPage = {
  readonly title: string;
  /** What is above the first section. */
  readonly intro: string;
  readonly sections: readonly Section[];
};

/** An HTML comment on a line of its own. Tests read such comments; pages are shown without them. */
const COMMENT = /^<!--.*-->\n/gm;
/** A heading, or a whole code block: a line that looks like a heading in a block is none. */
const HEADING_OR_BLOCK = /^```[^]*?^```$|^## (.+)$/gm;

/** Divides a Markdown page at its headings of the second level. */
export function sectionsOf(markdown: string): SectionedPage {
  const text = withoutComments(markdown);
  const headings = [...text.matchAll(HEADING_OR_BLOCK)].filter((match) => match[1] !== undefined);
  const above = text.slice(0, headings[0]?.index);
  const [, title = '', intro = ''] = /^# (.+)\n([^]*)$/.exec(above) ?? [];
  const sections = headings.map((match, index) => ({
    heading: match[1]!,
    text: text.slice(match.index + match[0].length, headings[index + 1]?.index).trim(),
  }));
  return { title, intro: intro.trim(), sections };
}

export function withoutComments(markdown: string): string {
  return markdown.replace(COMMENT, '');
}
