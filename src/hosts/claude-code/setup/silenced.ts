/** What in Claude Code's settings keeps our hook from judging a loop that runs: it is switched off, led away, or run with code of others. */
import { isRecord } from '../../../core/shape.ts';
import { flagIn, strongest, type Layer } from './layers.ts';

/** With these the hook lets every stop through. */
const OFF = ['DACAPO_DISABLE', 'IDLE_LOOP_DISABLE', 'DACAPO_DRIVEN'];
/** With these it looks for its loops elsewhere. */
const ELSEWHERE = ['DACAPO_HOME', 'XDG_STATE_HOME', 'LOCALAPPDATA', 'HOME', 'USERPROFILE'];
/** These decide which program runs as `node`, and what it loads. A person may say so for themselves, but not a project. */
const OTHERS_CODE = /^(?:PATH|NODE_.*|LD_.*|DYLD_.*)$/;

/** Each in words, with the file. */
export function silencedBy(layers: readonly Layer[]): string[] {
  const off = strongest(layers, flagIn('disableAllHooks'));
  return [
    ...(off?.value === true ? [`hooks are switched off (disableAllHooks) in ${off.layer.path}`] : []),
    ...layers.flatMap(inEnvironment),
  ];
}

function inEnvironment({ name: layer, path, settings }: Layer): string[] {
  const env = settings?.['env'];
  if (!isRecord(env)) return [];
  const isProjects = layer === 'project' || layer === 'local';
  return Object.keys(env).flatMap((name) => {
    if (OFF.includes(name) && String(env[name]) === '1')
      return [`Da Capo is switched off (${name}) in ${path}`];
    if (ELSEWHERE.includes(name))
      return [`Da Capo looks for its loops elsewhere (${name}) because of ${path}`];
    return isProjects && OTHERS_CODE.test(name)
      ? [`the hook may run other code (${name}) because of ${path}`]
      : [];
  });
}
