'use strict';

// Searches the pages in the browser. The index is loaded when the search is first used.
const MAX_RESULTS = 20;
const EXCERPT_LENGTH = 100;
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
  const words = query.split(/\s+/);
  const pages = await loadIndex();
  if (input.value.trim().toLowerCase() !== query) return;
  const hits = pages
    .map(([path, title, text]) => ({
      path,
      title,
      text,
      score: scoreOf(title.toLowerCase(), text.toLowerCase(), words),
    }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
    .slice(0, MAX_RESULTS);
  show(hits, words[0]);
}

// All words have to be there. A word in the title counts more than one in the text.
function scoreOf(title, text, words) {
  let score = 0;
  for (const word of words) {
    if (title === word) score += 100;
    else if (title.startsWith(word)) score += 20;
    else if (title.includes(word)) score += 10;
    else if (text.includes(word)) score += 1;
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

function item({ path, title, text }, word) {
  const link = document.createElement('a');
  link.href = `/docs/${path}`;
  link.textContent = title;
  const excerpt = document.createElement('small');
  const at = Math.max(text.toLowerCase().indexOf(word) - EXCERPT_LENGTH / 3, 0);
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
  if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
    event.preventDefault();
    moveFocus(event.key === 'ArrowDown' ? 1 : -1);
  }
});
