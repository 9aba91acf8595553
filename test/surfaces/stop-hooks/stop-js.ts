/**
 * The `.claude/hooks/stop.js` that comes with a vault of another tool: it has to understand the state files
 * we write.
 */
export const STOP_JS = `
module.exports = async function stopHook(context) {
  const fs = require('fs');
  const path = require('path');

  const stateDir = path.join(process.cwd(), 'AI_Employee_Vault', 'Ralph_State');

  // Find active loop state
  const stateFiles = fs.readdirSync(stateDir)
    .filter(f => f.startsWith('RALPH_') && f.endsWith('.json'));

  if (stateFiles.length === 0) {
    return { allowExit: true };
  }

  const state = JSON.parse(fs.readFileSync(path.join(stateDir, stateFiles[0])));

  // Check completion conditions
  if (state.completion_promise) {
    // Check if output contains promise
    if (context.output.includes(\`<promise>\${state.completion_promise}</promise>\`)) {
      return { allowExit: true, reason: 'Completion promise detected' };
    }
  }

  if (state.watch_file) {
    // Check if file moved to Done
    const doneFile = path.join(state.done_folder, path.basename(state.watch_file));
    if (fs.existsSync(doneFile)) {
      return { allowExit: true, reason: 'Task file moved to Done' };
    }
  }

  // Check iteration limit
  if (state.current_iteration >= state.max_iterations) {
    return { allowExit: true, reason: 'Max iterations reached' };
  }

  // Continue loop
  return {
    allowExit: false,
    injectPrompt: state.prompt,
    message: \`Continuing loop (iteration \${state.current_iteration + 1}/\${state.max_iterations})\`
  };
};
`;
