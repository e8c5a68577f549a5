import { posix } from 'node:path';
import MarkdownIt, { type Token } from 'markdown-it';
import { pageAddress } from './page.ts';

const EXTERNAL = /^[a-z]+:/i;

/** HTML in the text is escaped, and links to `javascript:` are not made. Descriptions of the SDL are texts too. */
const markdownIt = new MarkdownIt({ html: false, linkify: false, typographer: false });

/** Renders a page. Its headings get ids; links to files that are no pages become plain text. */
export function renderMarkdown(path: string, markdown: string, pagePaths: ReadonlySet<string>): string {
  const tokens = markdownIt.parse(markdown, {});
  for (const [index, token] of tokens.entries()) {
    if (token.type === 'heading_open') token.attrSet('id', headingId(tokens[index + 1]?.content ?? ''));
    if (token.children) token.children = resolveLinks(path, token.children, pagePaths);
  }
  const html = markdownIt.renderer.render(tokens, markdownIt.options, {});
  // Wide tables and blocks scroll by themselves, with the keyboard too.
  return html
    .replaceAll('<table>', '<div class="scroll" tabindex="0"><table>')
    .replaceAll('</table>', '</table></div>')
    .replaceAll('<pre>', '<pre tabindex="0">');
}

/** As GitHub makes it: links in the files work there and here. */
export function headingId(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}

function resolveLinks(path: string, children: Token[], pagePaths: ReadonlySet<string>): Token[] {
  let isKept = true;
  return children.filter((token) => {
    if (token.type === 'link_open') {
      const href = pageHref(path, String(token.attrGet('href') ?? ''), pagePaths);
      isKept = href !== null;
      if (href !== null) token.attrSet('href', href);
      return isKept;
    }
    return token.type !== 'link_close' || isKept;
  });
}

/** The address of a linked Markdown file, or null if it is no page. */
function pageHref(path: string, href: string, pagePaths: ReadonlySet<string>): string | null {
  if (EXTERNAL.test(href) || href.startsWith('#')) return href;
  const [file = '', anchor] = href.split('#');
  const target = posix.join(posix.dirname(path), file).replace(/\.md$/, '');
  return pagePaths.has(target) ? `${pageAddress(target)}${anchor === undefined ? '' : `#${anchor}`}` : null;
}
