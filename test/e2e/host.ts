// The one door to the end-to-end harness.
export { replies, startModel, type Model, type Reply, type Script, type Turn } from './model.ts';
export { runClaude, startClaude, type Run } from './headless.ts';
export { CLAUDE, makeSandbox, type Sandbox } from './sandbox.ts';
export { flat, openScreen, type Screen } from './screen/screen.ts';
