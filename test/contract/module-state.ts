import { parseAst } from 'vitest/node';

/** Classes of objects that the code fills later. */
const STORES: ReadonlySet<string> = new Set(['WeakMap', 'WeakSet', 'WeakRef', 'LRUCache', 'EventEmitter']);
const COLLECTIONS: ReadonlySet<string> = new Set(['Map', 'Set']);
/** Classes of objects that never change. */
const CONSTANTS: ReadonlySet<string> = new Set([
  'PgDialect',
  'Error',
  'GraphQLScalarType',
  'Intl.DateTimeFormat',
  'Intl.NumberFormat',
  'Intl.Segmenter',
  'MarkdownIt',
  'RegExp',
  'TextDecoder',
  'TextEncoder',
  'URL',
]);
const CHANGING_METHODS: ReadonlySet<string> = new Set(
  'add clear copyWithin delete fill pop push reverse set shift sort splice unshift'.split(' '),
);

type Node = { readonly type: string; readonly start: number; readonly [member: string]: unknown };

/**
 * The variables of a module that change after it is loaded: `let`, collections that are not declared as read-only,
 * objects of classes with a state, and constants whose members the module assigns.
 */
export function moduleState(text: string): string[] {
  const program = parseAst(text, { lang: 'ts' }) as unknown as Node;
  const statements = (program['body'] as Node[]).map((node) => (node['declaration'] as Node | null) ?? node);
  const declarations = statements.filter(({ type }) => type === 'VariableDeclaration');
  const variables = declarations.flatMap((node) => node['declarations'] as Node[]);
  const changeable = [
    ...declarations.filter(({ kind }) => kind !== 'const').flatMap((node) => node['declarations'] as Node[]),
    ...variables.filter(holdsState),
    ...statements.filter(({ type }) => type === 'ClassDeclaration').flatMap(changingStatics),
  ];
  const changed = changedNames(program);
  const assigned = variables.filter((node) => changed.has(nameOf(node['id'])));
  return [...new Set([...changeable, ...assigned].map((node) => nameOf(node['id'] ?? node['key'])))].sort();
}

/** Whether the variable gets a mutable object when the module is loaded. */
function holdsState({ id, init }: Node): boolean {
  const isReadonly = /^Readonly(Map|Set)$/.test(typeName(id));
  return madeObjects(init).some(
    (name) => STORES.has(name) || (COLLECTIONS.has(name) ? !isReadonly : !CONSTANTS.has(name)),
  );
}

function changingStatics({ body }: Node): Node[] {
  const members = (body as Node)['body'] as Node[];
  return members.filter(({ type, static: isStatic, readonly: isReadonly }) => {
    return type === 'PropertyDefinition' && isStatic === true && isReadonly !== true;
  });
}

/** The names of the classes in the `new` expressions that run when the module is loaded. */
function madeObjects(node: unknown): string[] {
  const made: string[] = [];
  walk(node, (node) => {
    if (/Function|Class/.test(node.type)) return false;
    if (node.type === 'NewExpression') made.push(nameOf(node['callee']));
    return true;
  });
  return made;
}

/** The names whose members are assigned, deleted, or changed by a method, anywhere in the module. */
function changedNames(program: Node): ReadonlySet<string> {
  const names = new Set<string>();
  const add = (node: unknown): void => {
    const { type, object } = node as Node;
    if (type === 'MemberExpression' && nameOf(object) !== '') names.add(nameOf(object));
  };
  walk(program, (node) => {
    const { type, callee } = node;
    if (type === 'AssignmentExpression') add(node['left']);
    if (type === 'UpdateExpression' || (type === 'UnaryExpression' && node['operator'] === 'delete'))
      add(node['argument']);
    if (type === 'CallExpression' && CHANGING_METHODS.has(nameOf((callee as Node)['property']))) add(callee);
    return true;
  });
  return names;
}

function walk(node: unknown, visit: (node: Node) => boolean): void {
  if (node === null || typeof node !== 'object') return;
  if ('type' in node && typeof node.type === 'string' && !visit(node as Node)) return;
  for (const child of Object.values(node)) walk(child, visit);
}

function nameOf(node: unknown): string {
  const { type, name, object, property } = (node ?? {}) as Node;
  if (type === 'MemberExpression') return `${nameOf(object)}.${nameOf(property)}`;
  return typeof name === 'string' ? name : '';
}

function typeName(id: unknown): string {
  const annotation = (id as { typeAnnotation?: { typeAnnotation?: Node } }).typeAnnotation?.typeAnnotation;
  return nameOf(annotation?.['typeName']);
}
