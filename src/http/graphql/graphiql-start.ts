type Tab = { query: string; headers?: string };

/** The header of tabs that write. The service executes the request, answers, and rolls it back. */
const DRY_RUN = JSON.stringify({ 'X-Dry-Run': 'true' });

/** The tabs that a new user sees. Each runs as it is, with a token of any app that has the scopes. */
export const START_TABS: readonly Tab[] = [
  {
    query: `# Welcome to the commerce administration API:
# products, stock, customers and webhooks of a merchant.
#
# The triangle runs this tab. The next tabs save a product,
# show webhooks and import products. Those that write are
# dry runs, see "Headers" below. /docs explains the API.
query ListProducts {
  listProduct(pagination: { limit: 5 }) {
    count
    data {
      id
      name
      updatedAt
      variants { sku prices { sellPrice currency } }
    }
  }
}
`,
  },
  {
    headers: DRY_RUN,
    query: `# A dry run: the header X-Dry-Run rolls back what is saved.
# Remove it below to save.
mutation SaveProduct {
  saveProduct(input: {
    name: "Linen shirt"
    type: PHYSICAL
    variants: [{ sku: "LINEN-1", prices: [{ sellPrice: 49.9 }] }]
  }) {
    id
    version
    variants { id sku }
  }
}
`,
  },
  {
    query: `# Webhooks with their last 24 hours, and the latest deliveries.
# saveWebhook registers a webhook. explainWebhook and /console
# tell why an event did not arrive.
query Webhooks {
  listWebhook {
    scope
    endpoint
    status
    health { requestCount successRate }
  }
  listWebhookDelivery(pagination: { limit: 5 }) {
    data {
      scope
      recordId
      status
      attempts { at statusCode error }
    }
  }
}
`,
  },
  {
    headers: DRY_RUN,
    query: `# A dry run of an import: up to 1,000 products in a request.
# Brands, categories and tags are found by name, or created.
mutation ImportProducts {
  bulkUpdateProducts(input: [{
    name: "Wool scarf"
    type: PHYSICAL
    brand: { name: "Acme" }
    categories: [{ name: ["Clothes", "Scarves"] }]
    productVariantTypes: []
    variants: [{ sku: "SCARF-1", prices: [{ sellPrice: 19.9 }] }]
  }])
}
`,
  },
];

/**
 * A field for the access token, as HTML above GraphiQL. The page keeps the token until the browser tab is closed, and
 * sends it with each request that has no `authorization` header.
 */
export const TOKEN_BAR = `
<style>
  body { display: flex; flex-direction: column; height: 100vh; margin: 0; }
  #root { flex: 1; min-height: 0; height: auto; }
  #root .graphiql-container { height: 100%; }
  .token-bar { display: flex; flex-wrap: wrap; gap: 0.25rem 0.75rem; align-items: center; padding: 0.5rem 1rem;
    font: 15px/1.4 system-ui, sans-serif; color-scheme: light dark; color: light-dark(#1b2126, #e8ecef);
    background: light-dark(#eef1f4, #1c2226); }
  .token-bar input { font: inherit; flex: 1 1 16rem; min-width: 0; padding: 0.25rem 0.5rem; }
  .token-bar h1 { font: inherit; font-weight: 600; margin: 0; }
</style>
<header>
<form class="token-bar" autocomplete="off">
  <h1>Commerce Administration</h1>
  <label for="access-token">Access token</label>
  <input id="access-token" type="password" spellcheck="false" autocomplete="off">
  <span id="token-hint"></span>
  <span class="panes" role="group" aria-label="Pane">
    <button type="button" value="query">Operation</button>
    <button type="button" value="response">Response</button>
  </span>
</form>
</header>
<script>
  (() => {
    const key = 'commerce-graphiql-token';
    const field = document.getElementById('access-token');
    const hint = document.getElementById('token-hint');
    const given = new URLSearchParams(location.hash.slice(1)).get('token');
    if (given) {
      sessionStorage.setItem(key, given);
      // The token must not stay in the history of the browser.
      history.replaceState(null, '', location.pathname + location.search);
    }
    // These are the characters that a header may contain.
    const token = () => field.value.replace(/[^\\x21-\\x7e]/g, '');
    const show = () => {
      hint.textContent = token() ? 'Kept for this browser tab.' : 'Print one for the demo: npm run -s admin -- token --raw';
    };
    field.value = sessionStorage.getItem(key) ?? '';
    field.addEventListener('input', () => (sessionStorage.setItem(key, token()), show()));
    field.form.addEventListener('submit', (event) => event.preventDefault());
    show();
    const send = window.fetch.bind(window);
    window.fetch = (input, init) => {
      const headers = new Headers(init?.headers ?? (input instanceof Request ? input.headers : undefined));
      if (token() && !headers.has('authorization')) headers.set('authorization', 'Bearer ' + token());
      return send(input, { ...init, headers });
    };
  })();
</script>
`;
