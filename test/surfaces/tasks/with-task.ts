/** What the tests of tasks begin with: a server, and a task that it has made. */
import { connect, type Connected, type Place } from '../mcp/server.ts';

export const CLAIM = 'It works.\n\n<promise>COMPLETE</promise>';

/** A server in that place, and a task that it has made. */
export async function withTask(place: Place): Promise<Connected & { readonly taskId: unknown }> {
  const connected = await connect(place);
  const { taskId } = await connected.call('task_create', { title: 'Add the login' });
  return { ...connected, taskId };
}
