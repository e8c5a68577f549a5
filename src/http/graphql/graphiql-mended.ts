/**
 * HTML above GraphiQL that mends faults of it:
 * - Its animation gives tabs a wrong offset, so that a click on a tab could be lost.
 * - The button that executes sent the name of the former tab's operation. GraphiQL reads the name 100 ms after a change:
 *   the click on the button waits for it.
 * - A reload opened another, empty tab.
 * - What former versions of the page stored for all browser tabs, such as personal data in variables, is removed.
 * - A tab without an operation was executed, and answered by a syntax error. Now a sentence says what to do.
 * - Grey texts had too little contrast, tabs were buttons within buttons, and editors had no names for screen readers.
 * - The editor and the response did not fit beside each other on a phone. Below 700 pixels one of them is shown, and
 *   buttons change between them. Executing shows the response.
 */
export const PAGE_MENDED = String.raw`
<style>
  #root .graphiql-tab { transform: none !important; }
  #root .graphiql-container { --alpha-secondary: 1; --alpha-tertiary: 1; }
  body .graphiql-dialog, body .CodeMirror-hints, body .CodeMirror-info, body .CodeMirror-lint-tooltip,
  body [data-radix-popper-content-wrapper] { --alpha-secondary: 1; --alpha-tertiary: 1; }
  @media (prefers-color-scheme: light) {
    body:not(.graphiql-dark) #root .graphiql-container { --color-neutral: 219, 28%, 32%; --color-tertiary: 188, 100%, 26%;
      --color-info: 208, 100%, 36%; --color-primary: 320, 95%, 36%; --color-warning: 36, 100%, 27%;
    --color-success: 158, 60%, 25%; }
  }
  body.graphiql-light #root .graphiql-container { --color-neutral: 219, 28%, 32%; --color-tertiary: 188, 100%, 26%;
    --color-info: 208, 100%, 36%; --color-primary: 320, 95%, 36%; --color-warning: 36, 100%, 27%;
    --color-success: 158, 60%, 25%; }
  .panes { display: none; gap: 0.25rem; }
  .panes button { font: inherit; padding: 0.25rem 0.75rem; min-height: 2rem; }
  .panes button[aria-pressed=true] { font-weight: 600; text-decoration: underline; }
  @media (max-width: 699px) {
    .panes { display: flex; }
    #root .graphiql-logo, #root .graphiql-horizontal-drag-bar { display: none !important; }
    #root .graphiql-sidebar { width: 2.5rem; padding: 0.25rem; }
    #root .graphiql-sessions { margin: 0; min-width: 0; }
    #root .graphiql-session { padding: 0; }
    #root .graphiql-session > div { min-width: 0; max-width: 100%; }
    #root[data-pane=query] .graphiql-session > div:has(> .graphiql-response),
    #root[data-pane=response] .graphiql-session > div:has(> .graphiql-editors) { display: none !important; }
    #root .graphiql-main:has(> div:first-child > .graphiql-plugin):not(:has(> div:first-child[style*="opacity: 0"]))
      > .graphiql-sessions { display: none !important; }
    #root .graphiql-main > div:has(> .graphiql-plugin):not([style*="opacity: 0"]) { flex: 1 !important; max-width: 100%; }
  }
</style>
<script>
  (() => {
    const NAME_DELAY_MS = 120;
    const EMPTY = 'This tab has no operation. Write one, or choose another tab.';
    let isNamed = Promise.resolve();
    // GraphiQL adds an empty tab if the query that it has stored is not that of a stored tab.
    const storeOpenTabs = () => {
      const { tabs = [], activeTabIndex = 0 } = JSON.parse(sessionStorage.getItem('graphiql:tabState') ?? '{}');
      const kept = tabs.filter(({ query }) => query?.trim());
      const active = kept.includes(tabs[activeTabIndex]) ? tabs[activeTabIndex] : kept[0];
      if (!active) return sessionStorage.removeItem('graphiql:tabState');
      sessionStorage.setItem('graphiql:tabState', JSON.stringify({ tabs: kept, activeTabIndex: kept.indexOf(active) }));
      for (const name of ['query', 'variables', 'headers']) {
        if (active[name]) sessionStorage.setItem('graphiql:' + name, active[name]);
        else sessionStorage.removeItem('graphiql:' + name);
      }
    };
    // Where former versions of this page kept operations with their variables and headers.
    for (const name of Object.keys(localStorage)) if (name.startsWith('graphiql:')) localStorage.removeItem(name);
    try {
      storeOpenTabs();
    } catch {
      sessionStorage.removeItem('graphiql:tabState');
    }
    const root = () => document.getElementById('root');
    const editorIn = (selector) => document.querySelector(selector + ' .CodeMirror')?.CodeMirror;
    const showPane = (pane) => {
      root().dataset.pane = pane;
      for (const button of document.querySelectorAll('.panes button'))
        button.setAttribute('aria-pressed', String(button.value === pane));
    };
    const isEmpty = () => editorIn('.graphiql-query-editor')?.getValue().replace(/#.*/g, '').trim() === '';
    const explain = (event) => {
      event.stopImmediatePropagation();
      event.preventDefault();
      editorIn('.result-window')?.setValue(EMPTY);
      showPane('response');
    };
    addEventListener('click', (event) => {
      if (event.target.closest?.('.graphiql-tab-button')) isNamed = new Promise((resolve) => setTimeout(resolve, NAME_DELAY_MS));
      const button = event.target.closest?.('.graphiql-execute-button');
      if (!button || !event.isTrusted) return;
      if (isEmpty()) return explain(event);
      event.stopImmediatePropagation();
      isNamed.then(() => (showPane('response'), button.click()));
    }, true);
    addEventListener('keydown', (event) => {
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
      if (isEmpty()) explain(event);
      else showPane('response');
    }, true);
    // The names of the editors, in their order.
    const NAMES = [['.graphiql-query-editor', 'Operation'], ['.result-window', 'Response'], ['.graphiql-editor-tool', 'Variables or headers']];
    const mend = () => {
      const tabs = document.querySelector('.graphiql-tabs');
      tabs?.setAttribute('role', 'group');
      for (const tab of tabs?.querySelectorAll('.graphiql-tab') ?? []) {
        tab.setAttribute('role', 'presentation');
        tab.removeAttribute('aria-selected');
        const isActive = String(tab.classList.contains('graphiql-tab-active'));
        const button = tab.querySelector('.graphiql-tab-button');
        if (button && button.getAttribute('aria-pressed') !== isActive) button.setAttribute('aria-pressed', isActive);
      }
      const session = document.querySelector('.graphiql-session[role=tabpanel]');
      session?.setAttribute('role', 'group');
      for (const [selector, name] of NAMES)
        for (const field of document.querySelectorAll(selector + ' textarea:not([aria-label])')) field.setAttribute('aria-label', name);
      for (const scroll of document.querySelectorAll('.CodeMirror-scroll[tabindex="-1"]')) scroll.tabIndex = 0;
    };
    addEventListener('DOMContentLoaded', () => {
      for (const button of document.querySelectorAll('.panes button')) button.addEventListener('click', () => showPane(button.value));
      showPane('query');
      mend();
      new MutationObserver(mend).observe(root(), { subtree: true, childList: true, attributeFilter: ['class', 'aria-selected'] });
    });
  })();
</script>
`;
