/** A row in the table of the files that Da Capo keeps in a project. Each view has its rows in `<format>/names.ts`. */

export interface ProjectFile {
  /**
   * - `state`: only Da Capo writes it. The agent may not, git does not show it, no mark of the work tree counts it.
   * - `shared`: the agent's own file, of which some lines are ours. Only those lines are not counted as work.
   * - `aside`: a log or notes. Git does not show it, no mark counts it, and the agent may write it.
   */
  readonly use: 'state' | 'shared' | 'aside';
  /** The name of its folder; null: the folder of the loop's own view, wherever the person put that. */
  readonly folder: string | null;
  /** `*` stands for what differs between loops. */
  readonly name: string;
  /** Which lines of a shared file are ours. */
  readonly ownLines?: RegExp;
}

/** The temporary name under which a file is written before its rename. Takes a path or a name, and the writing process. */
export function temporaryOf(path: string, writer: number | '*' = process.pid): string {
  return `${path.replace(/[^\\/]*$/, '.$&.')}${writer}.tmp`;
}
