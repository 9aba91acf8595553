import type { Request } from '#law/loop.ts';
import { after } from '../../law/given.ts';

/** An open request to a person. */
export function request(kind: Request['kind'], text: string, why = 'a rule'): Request {
  return {
    id: 'REQ_1',
    kind,
    what: { tool: null, digest: null, text },
    why,
    at: after(0),
    expires: after(9),
    answer: null,
    released: null,
    told: false,
  };
}
