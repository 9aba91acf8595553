/** How the id of a session begins that no host has: a program drives the loop and says when a pass ends. */
export const TOOL_SESSION = 'tools-';
