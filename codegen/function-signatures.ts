import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { CreateFunctionStmt, FunctionParameter, TypeName } from '@pgsql/types';
import { loadModule, parseSync } from 'libpg-query';
import { functionFiles } from '../src/db/schema/function-files.ts';

const SOURCES = fileURLToPath(new URL('../src', import.meta.url));
const OUTPUT = ['FUNC_PARAM_OUT', 'FUNC_PARAM_INOUT', 'FUNC_PARAM_TABLE'];
const INPUT = ['FUNC_PARAM_IN', 'FUNC_PARAM_INOUT', 'FUNC_PARAM_VARIADIC', 'FUNC_PARAM_DEFAULT'];

/** `optional`: how many of the last parameters have a default. */
export type Signature = {
  readonly name: string;
  readonly parameters: readonly string[];
  readonly optional: number;
  readonly results: readonly string[];
};

await loadModule();

/** The functions of migrations/functions that src names, with all their overloads. Nothing calls a trigger function by name. */
export function calledSignatures(): Signature[] {
  const source = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => readFileSync(join(SOURCES, path), 'utf8'))
    .join('\n');
  return functionFiles()
    .filter(({ name }) => new RegExp(`\\b${name}\\b`).test(source))
    .flatMap(({ statements }) => statements.flatMap(signaturesOf))
    .filter(({ results }) => results[0] !== 'trigger');
}

/** The signatures that a statement creates. */
export function signaturesOf(statement: string): Signature[] {
  const { stmts } = parseSync(statement) as { stmts: { stmt: { CreateFunctionStmt?: CreateFunctionStmt } }[] };
  return stmts.flatMap(({ stmt: { CreateFunctionStmt: created } }) => (created ? [signatureOf(created)] : []));
}

/** As `_functions.json` has it: `name(types of the parameters)`, and the types of the results, of columns with their names. */
export function textOf({ name, parameters, results }: Signature): [call: string, results: string] {
  return [`${name}(${parameters.join(', ')})`, results.join(', ')];
}

/**
 * Whether a function still accepts calls that were written for a former signature: its parameters have the former types,
 * additional ones have a default, and none of the former results is missing.
 */
export function fits([call, results]: readonly [string, string], signatures: readonly Signature[]): boolean {
  return signatures.some(({ name, parameters, optional, results: found }) =>
    Array.from({ length: optional + 1 }, (_, left) => parameters.slice(0, parameters.length - left)).some(
      (required) =>
        `${name}(${required.join(', ')})` === call && results.split(', ').every((result) => found.includes(result)),
    ),
  );
}

function signatureOf({ funcname, parameters = [], returnType }: CreateFunctionStmt): Signature {
  const all = parameters.map((node) => (node as { FunctionParameter: FunctionParameter }).FunctionParameter);
  const inputs = all.filter(({ mode }) => INPUT.includes(mode!));
  const outputs = all.filter(({ mode }) => OUTPUT.includes(mode!));
  const last = funcname!.at(-1) as { String: { sval: string } };
  return {
    name: last.String.sval,
    parameters: inputs.map(({ argType }) => typeName(argType!)),
    optional: inputs.filter(({ defexpr }) => defexpr !== undefined).length,
    results:
      outputs.length > 0
        ? outputs.map(({ name, argType }) => `${name} ${typeName(argType!)}`)
        : [typeName(returnType!)],
  };
}

function typeName({ names = [], arrayBounds = [], setof }: TypeName): string {
  const last = names.at(-1) as { String: { sval: string } };
  return `${setof ? 'setof ' : ''}${last.String.sval}${'[]'.repeat(arrayBounds.length)}`;
}
