/** The file is not a product file. In a file of its own: all commands import it, and few read product files. */
export class CsvFileError extends Error {
  override readonly name = 'CsvFileError';
}
