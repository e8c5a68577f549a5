/** A node of a parse tree in the format of the catalogue: `{FUNCEXPR :funcid 1299 :args (…)}`. */
export type TreeNode = { tag: string; fields: Map<string, TreeValue[]> };
export type TreeValue = TreeNode | TreeValue[] | string;

const TOKEN = /[{}()]|"(?:[^"\\]|\\.)*"|(?:\\.|[^\s{}()\\])+/gs;

/** Reads the text of a `pg_node_tree`. */
export function readTree(text: string): TreeValue {
  const tokens = (text.match(TOKEN) ?? [])[Symbol.iterator]();
  const next = (): string => tokens.next().value ?? '}';
  return readValue(next(), next);
}

/** All nodes inside a value. `enters` decides whether the fields of a node are searched too. */
export function* nodesIn(value: TreeValue, enters: (node: TreeNode) => boolean = () => true): Generator<TreeNode> {
  if (typeof value === 'string') return;
  if (Array.isArray(value)) {
    for (const part of value) yield* nodesIn(part, enters);
    return;
  }
  yield value;
  if (!enters(value)) return;
  for (const parts of value.fields.values()) yield* nodesIn(parts, enters);
}

export function textField(node: TreeNode, name: string): string {
  const [value] = node.fields.get(name) ?? [];
  return typeof value === 'string' ? value : '';
}

function readValue(token: string, next: () => string): TreeValue {
  if (token === '(') return [...until(')', next)];
  if (token !== '{') return token;
  const tag = next();
  const fields = new Map<string, TreeValue[]>();
  let field: TreeValue[] = [];
  for (const value of until('}', next)) {
    if (typeof value === 'string' && value.startsWith(':')) fields.set(value.slice(1), (field = []));
    else field.push(value);
  }
  return { tag, fields };
}

function* until(end: string, next: () => string): Generator<TreeValue> {
  for (let token = next(); token !== end; token = next()) yield readValue(token, next);
}
