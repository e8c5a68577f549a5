import { createInterface } from 'node:readline';

/**
 * Whether the user types the word that the question asks for. Undefined without a terminal, where nobody can answer. The
 * question goes to stderr, apart from the result.
 */
export async function confirm(question: string, word: string): Promise<boolean | undefined> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return undefined;
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  return await new Promise((resolve) => {
    // Readline takes Ctrl-C from the terminal, and would only close.
    lines.once('SIGINT', () => process.emit('SIGINT'));
    lines.once('close', () => resolve(false));
    lines.question(question, (answer) => {
      resolve(answer.trim() === word);
      lines.close();
    });
  });
}
