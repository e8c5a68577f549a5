/** Narrower terminals are treated as if they had so many columns. */
const MIN_COLUMNS = 40;
const DEFAULT_COLUMNS = 80;

/** The width of the terminal. */
export function terminalColumns(stream: { columns?: number } = process.stdout): number {
  return Math.max(stream.columns ?? DEFAULT_COLUMNS, MIN_COLUMNS);
}

/**
 * The text in lines of at most `width` characters, divided at spaces where there are some. The lines after the first
 * begin with `indent`, and none ends with a space.
 */
export function wrapText(text: string, width: number, indent = ''): string[] {
  const lines: string[] = [];
  let rest = text.trimEnd();
  while (rest.length > width) {
    const space = rest.lastIndexOf(' ', width);
    const end = space > indent.length ? space : width;
    lines.push(rest.slice(0, end).trimEnd());
    rest = indent + rest.slice(end).trimStart();
  }
  return [...lines, rest];
}
