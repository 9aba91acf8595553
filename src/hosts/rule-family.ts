/** What the permission rules of the host are about. There is one host with such rules so far. */
export { ruleFamily } from './claude-code/hook/tools.ts';
