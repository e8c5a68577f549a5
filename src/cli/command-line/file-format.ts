import { Option } from 'commander';

export type FileFormat = 'csv' | 'jsonl';

/** The option that names the format of a file. `formatOf` finds the format of a file without it. */
export function formatOption(): Option {
  const text = 'csv (default) or jsonl: one product a line, as JSON; a file that ends in .jsonl needs no option';
  return new Option('--format <name>', text).choices(['csv', 'jsonl']);
}

export function formatOf(file: string, named: FileFormat | undefined): FileFormat {
  return named ?? (file.toLowerCase().endsWith('.jsonl') ? 'jsonl' : 'csv');
}
