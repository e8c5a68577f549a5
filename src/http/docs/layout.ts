import { type Page, pageAddress } from './page.ts';

const SERVICE = 'Commerce administration';

export type Layout = {
  readonly page: Page;
  /** The rendered Markdown. */
  readonly content: string;
  readonly pages: readonly Page[];
};

/** The HTML document of a page. It has no inline script or style: the content security policy allows none. */
export function renderLayout({ page, content, pages }: Layout): string {
  const mainPages = pages.filter(({ group }) => group === null);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(page.title)} – ${SERVICE}</title>
<link rel="stylesheet" href="/docs/docs.css">
<link rel="icon" href="data:,">
<link rel="alternate" type="text/markdown" href="/docs/${page.path}.md">
<script src="/docs/search.js" defer></script>
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<header>
<a class="home" href="/docs">${SERVICE}</a>
<search>
<label for="search">Search</label>
<input id="search" type="search" autocomplete="off" placeholder="Search ( / )" aria-controls="results">
<p id="found" role="status"></p>
<ul id="results" hidden></ul>
</search>
</header>
<div class="columns">
<nav class="pages" aria-label="Pages">
${list(mainPages, page)}
</nav>
<main id="content" tabindex="-1">
${content}
<footer><a href="/docs/${page.path}.md">This page as Markdown</a></footer>
</main>
${groupList(pages, page)}</div>
</body>
</html>
`;
}

/** Links to the pages of the page's group. */
function groupList(pages: readonly Page[], page: Page): string {
  if (page.group === null) return '';
  const own = pages.filter(({ group }) => group === page.group);
  const title = page.group === 'errors' ? 'Errors' : 'Related operations';
  return `<nav class="related" aria-label="${title}">\n<h2>${title}</h2>\n${list(own, page)}\n</nav>\n`;
}

function list(pages: readonly Page[], current: Page): string {
  const items = pages.map(({ path, title }) => {
    const mark = path === current.path ? ' aria-current="page"' : '';
    return `<li><a href="${pageAddress(path)}"${mark}>${escapeHtml(title)}</a></li>`;
  });
  return `<ul>\n${items.join('\n')}\n</ul>`;
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
