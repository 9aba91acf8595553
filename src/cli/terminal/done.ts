/** Receives the exit code of the command that ran. */
export type Done = (code: number) => void;
