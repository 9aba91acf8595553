// A key that the agent never holds: a proxy on loopback that puts the key into each request.
//
//   node key-proxy.mjs https://api.anthropic.com 8787 < /etc/dacapo/anthropic-key
//   ANTHROPIC_BASE_URL=http://127.0.0.1:8787 ANTHROPIC_API_KEY=held-by-the-proxy dacapo worker
//
// Run it as another user than the worker: an agent can read the memory of processes of its own user. With
// `bearer` as the third word the key goes into `Authorization`, as OpenAI's API wants it.
import { readFileSync } from 'node:fs';
import { createServer, request as plain } from 'node:http';
import { request as secure } from 'node:https';

const [, , to = 'https://api.anthropic.com', port = '8787', how = 'x-api-key'] = process.argv;
const target = new URL(to);
const key = readFileSync(0, 'utf8').trim();
if (key === '') throw new Error('give the key on the standard input');
/** What an agent needs. The key opens more: files, batches, and the administration of an account. */
const ALLOWED = /^\/v1\/(?:messages(?:\/count_tokens)?|models(?:\/[\w.-]+)?|responses|chat\/completions)$/;
/** Another site's page reaches a loopback port by a name of its own. */
const OURS = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?$/;

const server = createServer((asked, answer) => {
  const { pathname, search } = new URL(asked.url ?? '/', target);
  if (!OURS.test(asked.headers.host ?? '')) return answer.writeHead(421).end();
  if (!ALLOWED.test(pathname))
    return answer.writeHead(403).end('{"error":"the proxy allows no such path"}\n');
  const { authorization: _, 'x-api-key': __, ...headers } = asked.headers;
  const own = how === 'bearer' ? { authorization: `Bearer ${key}` } : { 'x-api-key': key };
  const on = target.protocol === 'https:' ? secure : plain;
  const options = { method: asked.method, headers: { ...headers, ...own, host: target.host } };
  const sent = on(new URL(pathname + search, target), options, (came) => {
    answer.writeHead(came.statusCode ?? 502, came.headers);
    came.pipe(answer);
  });
  sent.on('error', ({ code }) =>
    answer.headersSent ? answer.destroy() : answer.writeHead(502).end(`${code}\n`),
  );
  answer.on('close', () => sent.destroy());
  asked.pipe(sent);
});
server.listen(Number(port), '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`));
