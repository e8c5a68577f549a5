import { execFileSync, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A copy of the repository, in which faults are tried. It has the same packages. */
export class RepositoryCopy {
  readonly folder: string;

  private constructor(folder: string) {
    this.folder = folder;
  }

  static async create(): Promise<RepositoryCopy> {
    const folder = await mkdtemp(join(tmpdir(), 'commerce-faults-'));
    for (const path of git('ls-files')) if (existsSync(path)) await cp(path, join(folder, path));
    await symlink(join(process.cwd(), 'node_modules'), join(folder, 'node_modules'));
    return new RepositoryCopy(folder);
  }

  /** Whether the npm command succeeds within the time. */
  async succeeds(npm: string[], maxMs: number, env: Record<string, string> = {}): Promise<boolean> {
    const child = spawn('npm', npm, {
      cwd: this.folder,
      stdio: 'ignore',
      detached: true,
      env: { ...process.env, ...env },
    });
    const timer = setTimeout(() => process.kill(-child.pid!, 'SIGTERM'), maxMs);
    try {
      return await new Promise<boolean>((resolve) => child.once('close', (code) => resolve(code === 0)));
    } finally {
      clearTimeout(timer);
    }
  }

  async remove(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
  }
}

export function git(...args: string[]): string[] {
  return execFileSync('git', args, { encoding: 'utf8' }).trimEnd().split('\n');
}
