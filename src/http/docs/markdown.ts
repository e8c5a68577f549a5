import { posix } from 'node:path';
import MarkdownIt, { type Token } from 'markdown-it';
import { pageAddress } from './page.ts';

const EXTERNAL = /^[a-z]+:/i;
const CODE_OR_LINK = /^```[^]*?^```$|`[^`\n]*`|(?<!!)\[((?:`[^`]*`|[^\]])*)\]\(([^)\s]+)\)/gm;

/** Escapes HTML in the pages, and makes no links to `javascript:`. */
const markdownIt = new MarkdownIt({ html: false, linkify: false, typographer: false });

/** Renders a page. Its headings get ids. Links to files that are not served become plain text. */
export function renderMarkdown(path: string, markdown: string, pagePaths: ReadonlySet<string>): string {
  const tokens = markdownIt.parse(markdown, {});
  for (const [index, token] of tokens.entries()) {
    if (token.type === 'heading_open') token.attrSet('id', headingId(tokens[index + 1]?.content ?? ''));
    if (token.children) token.children = resolveLinks(path, token.children, pagePaths);
  }
  const html = markdownIt.renderer.render(tokens, markdownIt.options, {});
  // Wide tables and code blocks scroll in the page. `tabindex` lets the keyboard scroll them.
  return html
    .replaceAll('<table>', '<div class="scroll" tabindex="0"><table>')
    .replaceAll('</table>', '</table></div>')
    .replaceAll('<pre>', '<pre tabindex="0">');
}

/** The id that GitHub gives a heading, so that links to headings work on GitHub and on these pages. */
export function headingId(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}

/** The text of a page, in which links to files that are not served are plain text. Code blocks stay as they are. */
export function servedMarkdown(path: string, markdown: string, pagePaths: ReadonlySet<string>): string {
  return markdown.replace(CODE_OR_LINK, (written, label?: string, href?: string) =>
    href === undefined || pageHref(path, href, pagePaths) !== null ? written : label!,
  );
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

/** The address of the page for a linked Markdown file or folder, or null if there is none. */
function pageHref(path: string, href: string, pagePaths: ReadonlySet<string>): string | null {
  if (EXTERNAL.test(href) || href.startsWith('#')) return href;
  const [file = '', anchor] = href.split('#');
  const target = posix.join(posix.dirname(path), file).replace(/\.md$|\/$/, '');
  return pagePaths.has(target) ? `${pageAddress(target)}${anchor === undefined ? '' : `#${anchor}`}` : null;
}
