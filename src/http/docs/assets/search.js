'use strict';

// Searches the pages in the browser. The index is loaded when the search is first used.
const MAX_RESULTS = 20;
const EXCERPT_LENGTH = 100;
// Words of a question that say nothing about its subject.
const IGNORED = 'a an and are can do does for how i in is it my of on or the to what when where with'.split(' ');
// Left out of words of a query, so that `paginate` finds `pagination`.
const ENDING = /(ation|ating|ates?|ions?|ings?|ed|es|e|s)$/;
const SHORTEST_STEM = 4;
const COPIED_MS = 1_500;
const input = document.getElementById('search');
const results = document.getElementById('results');
const found = document.getElementById('found');
let index = null;

async function loadIndex() {
  index ??= fetch('/docs/search.json').then((response) => {
    if (!response.ok) throw new Error(`The index answers ${response.status}.`);
    return response.json();
  });
  try {
    return await index;
  } catch (error) {
    index = null;
    throw error;
  }
}

async function search() {
  const query = input.value.trim().toLowerCase();
  if (query === '') return show([], '');
  const words = wordsOf(query);
  const pages = await loadIndex();
  if (input.value.trim().toLowerCase() !== query) return;
  const hits = rank(pages, words);
  show(hits, words[0]);
  return hits[0];
}

function wordsOf(query) {
  const words = query.replace(/\?/g, ' ').trim().split(/\s+/);
  const telling = words.filter((word) => !IGNORED.includes(word));
  return telling.length > 0 ? telling : words;
}

function stemOf(word) {
  const stem = word.replace(ENDING, '');
  return stem.length < SHORTEST_STEM ? word : stem;
}

// The best pages first, each at the heading that has most of the words.
function rank(pages, words) {
  return pages
    .map(([path, title, text, headings]) => {
      const best = bestHeading(headings, words);
      const score = scoreOf(title.toLowerCase(), text.toLowerCase(), best.title, words);
      return { path: best.id === '' ? path : `${path}#${best.id}`, title, heading: best.heading, text, score };
    })
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
    .slice(0, MAX_RESULTS);
}

function bestHeading(headings, words) {
  let best = { heading: '', title: '', id: '', count: 0 };
  for (const [heading, id] of headings) {
    const title = heading.toLowerCase();
    const count = words.filter((word) => title.includes(stemOf(word))).length;
    if (count > best.count) best = { heading, title, id, count };
  }
  return best;
}

// All words have to be there. A word in the title counts more than one in a heading, and that more than one in the text.
function scoreOf(title, text, heading, words) {
  let score = 0;
  for (const word of words) {
    if (title === word) score += 100;
    else if (title.startsWith(word)) score += 20;
    else if (title.includes(word)) score += 10;
    else if (heading.includes(word)) score += 8;
    else if (heading.includes(stemOf(word))) score += 6;
    else if (title.includes(stemOf(word))) score += 5;
    else if (text.includes(word)) score += 1;
    else if (text.includes(stemOf(word))) score += 0.5;
    else return 0;
  }
  return score;
}

function show(hits, word) {
  results.replaceChildren(...hits.map((hit) => item(hit, word)));
  results.hidden = hits.length === 0;
  const isEmpty = input.value.trim() === '';
  found.textContent = isEmpty ? '' : `${hits.length} ${hits.length === 1 ? 'page' : 'pages'} found`;
}

function item({ path, title, heading, text }, word) {
  const link = document.createElement('a');
  link.href = `/docs/${path}`;
  link.textContent = heading === '' ? title : `${title}: ${heading}`;
  const excerpt = document.createElement('small');
  const at = Math.max(text.toLowerCase().indexOf(stemOf(word)) - EXCERPT_LENGTH / 3, 0);
  excerpt.textContent = `${at > 0 ? '…' : ''}${text.slice(at, at + EXCERPT_LENGTH)}…`;
  link.append(excerpt);
  const entry = document.createElement('li');
  entry.append(link);
  return entry;
}

function moveFocus(step) {
  const links = [input, ...results.querySelectorAll('a')];
  const next = links[links.indexOf(document.activeElement) + step];
  if (next) next.focus();
}

async function openFirst() {
  const first = await search();
  if (first) location.assign(`/docs/${first.path}`);
}

// Pages are text without the script, so the buttons are added by it. Without TLS only this machine has a clipboard.
function addCopyButtons() {
  if (!navigator.clipboard) return;
  for (const block of document.querySelectorAll('pre')) {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'copy';
    button.textContent = 'Copy';
    button.addEventListener('click', () => void copy(block, button));
    block.before(button);
  }
}

async function copy(block, button) {
  const text = await navigator.clipboard.writeText(block.textContent).then(
    () => 'Copied',
    () => 'Not allowed',
  );
  button.textContent = text;
  setTimeout(() => (button.textContent = 'Copy'), COPIED_MS);
}

addCopyButtons();
input.addEventListener('input', () => {
  search().catch((error) => (found.textContent = error.message));
});
document.addEventListener('keydown', (event) => {
  const isTyping = event.target === input || event.ctrlKey || event.metaKey || event.altKey;
  if (event.key === '/' && !isTyping) {
    event.preventDefault();
    input.focus();
  }
  const isInSearch = event.target === input || results.contains(event.target);
  if (!isInSearch) return;
  if (event.key === 'Escape') {
    input.value = '';
    show([], '');
    input.focus();
  }
  if (event.key === 'Enter' && event.target === input) {
    event.preventDefault();
    openFirst().catch((error) => (found.textContent = error.message));
  }
  if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
    event.preventDefault();
    moveFocus(event.key === 'ArrowDown' ? 1 : -1);
  }
});
