/** Receives the exit code of the command that ran. */
export type SetExit = (code: number) => void;
