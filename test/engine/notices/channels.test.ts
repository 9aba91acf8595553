import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Target } from '#input/config/notify-target.ts';
import { desktopPrograms } from '#engine/notices/channels/desktop-programs.ts';
import { sendNotice } from '#engine/notices/channels/send.ts';
import { messageForNotice, type Message, type SendOrder } from '#engine/notices/message.ts';
import { after, running } from '../../law/given.ts';
import { temporaryFolder } from '../../store/folder.ts';
import { deadUrl, isSignedWith, receiver, until } from './receiver.ts';

const SECRET = 'a secret that both sides know';
const loop = { ...running(), name: 'the <b>login</b> & <!channel> @everyone' };
const MESSAGE: Message = messageForNotice({ is: 'escalated', at: after(0), loop }, null);

function sending(changes: Partial<SendOrder> = {}): SendOrder {
  return {
    message: MESSAGE,
    secret: SECRET,
    env: process.env,
    platform: 'linux',
    now: () => new Date(),
    ...changes,
  };
}

const to = (target: Target, changes: Partial<SendOrder> = {}) => sendNotice(target, sending(changes));

describe('a webhook', () => {
  it('gets the event and the loop, signed', async () => {
    const { url, got } = await receiver();
    expect(await to({ kind: 'webhook', url })).toEqual({ ok: true, detail: 'HTTP 204' });
    const [first] = got;
    if (first === undefined) throw new Error('nothing came');
    expect(isSignedWith(SECRET, first)).toBe(true);
    expect(isSignedWith('another', first)).toBe(false);
    expect(JSON.parse(first.body)).toMatchObject({ event: 'escalated', loop: loop.id, status: 'running' });
    expect(first.headers['content-type']).toBe('application/json');
  });

  it('without a secret has no signature', async () => {
    const { url, got } = await receiver();
    await to({ kind: 'webhook', url }, { secret: null });
    expect(got[0]?.headers['webhook-signature']).toBeUndefined();
    expect(got[0]?.headers['webhook-timestamp']).toMatch(/^\d+$/);
  });

  it('with a password in its address uses it, and does not send it in the address', async () => {
    const { url, got } = await receiver();
    await to({ kind: 'webhook', url: `${url.replace('://', '://me:p%40ss@')}/x` });
    expect(got[0]).toMatchObject({
      path: '/x',
      headers: { authorization: `Basic ${Buffer.from('me:p@ss').toString('base64')}` },
    });
  });

  it('that is dead says so, and is tried again', async () => {
    const sent = await to({ kind: 'webhook', url: await deadUrl() });
    expect(sent).toEqual({ ok: false, again: true, detail: 'nothing is listening there (ECONNREFUSED)' });
  });

  it.each([
    [500, true],
    [503, true],
    [429, true],
    [404, false],
    [400, false],
  ])('that answers %d is tried again: %s', async (status, again) => {
    const { url } = await receiver((response) => response.writeHead(status).end('\u001b[31mno\nway'));
    expect(await to({ kind: 'webhook', url })).toEqual({
      ok: false,
      again,
      detail: `HTTP ${status}: no way`,
    });
  });

  it('may say when it wants to be asked again, within bounds', async () => {
    const { url } = await receiver((response) => response.writeHead(429, { 'retry-after': '3600' }).end());
    expect(await to({ kind: 'webhook', url })).toMatchObject({ again: true, afterMs: 60_000 });
  });

  it('that redirects on its own host is followed, with the body and a signature', async () => {
    const { url, got } = await receiver((response, n) =>
      n === 1 ? response.writeHead(307, { location: '/new' }).end() : response.writeHead(200).end(),
    );
    expect(await to({ kind: 'webhook', url })).toMatchObject({ ok: true });
    expect(got.map(({ path }) => path)).toEqual(['/', '/new']);
    expect(got.every((one) => isSignedWith(SECRET, one))).toBe(true);
  });

  it('that redirects to another host is not followed', async () => {
    const other = await receiver();
    const elsewhere = other.url.replace('127.0.0.1', 'localhost');
    const { url } = await receiver((response) => response.writeHead(302, { location: elsewhere }).end());
    expect(await to({ kind: 'webhook', url })).toEqual({
      ok: false,
      again: false,
      detail: `redirects to ${elsewhere}, which is not followed`,
    });
    expect(other.got).toEqual([]);
  });

  it('that redirects to itself is left after a few', async () => {
    const { url, got } = await receiver((response) => response.writeHead(308, { location: '/' }).end());
    expect(await to({ kind: 'webhook', url })).toMatchObject({ ok: false, again: false });
    expect(got.length).toBeLessThan(6);
  });

  it('with an endless answer is left after its first words', async () => {
    const { url } = await receiver((response) => {
      response.writeHead(400);
      const timer = setInterval(() => response.write('x'.repeat(100_000)), 1);
      response.on('close', () => clearInterval(timer));
    });
    expect(await to({ kind: 'webhook', url })).toMatchObject({ ok: false, again: false });
  });

  it('that never answers is left after ten seconds', async () => {
    const { url } = await receiver(() => undefined);
    expect(await to({ kind: 'webhook', url })).toEqual({
      ok: false,
      again: true,
      detail: 'no answer within 10 s',
    });
  });
});

describe('a service', () => {
  it('ntfy gets a topic, a title and a priority', async () => {
    const { url, got } = await receiver();
    await to({ kind: 'ntfy', url: `${url}/my-topic`, token: 'tk_1' });
    expect(got[0]).toMatchObject({ path: '/', headers: { authorization: 'Bearer tk_1' } });
    expect(JSON.parse(got[0]?.body ?? '')).toEqual({
      topic: 'my-topic',
      title: MESSAGE.title,
      message: MESSAGE.text,
      priority: 4,
    });
  });

  it('Slack gets a text that links to nothing and calls nobody', async () => {
    const { url, got } = await receiver();
    await to({ kind: 'slack', url });
    const { text } = JSON.parse(got[0]?.body ?? '');
    expect(text).toContain('&lt;b&gt;login&lt;/b&gt; &amp; &lt;!channel&gt;');
    expect(text).not.toMatch(/[<>]/);
  });

  it('Discord gets a text that mentions nobody', async () => {
    const { url, got } = await receiver();
    await to({ kind: 'discord', url });
    expect(JSON.parse(got[0]?.body ?? '')).toEqual({
      content: expect.stringContaining('login'),
      allowed_mentions: { parse: [] },
    });
  });
});

/** A program on the PATH that writes its arguments, one a line. */
function fakeProgram(name: string, body = ''): { env: Record<string, string>; args: () => string[] } {
  const dir = temporaryFolder();
  const out = join(dir, 'arguments');
  writeFileSync(join(dir, name), `#!/bin/sh\nfor a in "$@"; do echo "$a"; done > '${out}'\n${body}\n`);
  chmodSync(join(dir, name), 0o755);
  const env = { PATH: `${dir}${delimiter}/usr/bin${delimiter}/bin` };
  return { env, args: () => readFileSync(out, 'utf8').trimEnd().split('\n') };
}

describe('the desktop', () => {
  it('is told by notify-send, with markup made harmless', async () => {
    const { env, args } = fakeProgram('notify-send');
    expect(await to({ kind: 'desktop' }, { env })).toEqual({ ok: true, detail: 'notify-send' });
    const [app, urgency, dashes, title, text] = args();
    expect([app, urgency, dashes, title]).toEqual([
      '--app-name=Da Capo',
      '--urgency=critical',
      '--',
      MESSAGE.title,
    ]);
    expect(text).toContain('&lt;b&gt;login');
  });

  it('says why it could not be told', async () => {
    const { env } = fakeProgram('notify-send', 'echo "no bus" >&2; exit 3');
    expect(await to({ kind: 'desktop' }, { env })).toEqual({
      ok: false,
      again: false,
      detail: 'notify-send failed with exit code 3: no bus',
    });
    const none = { PATH: temporaryFolder() };
    expect(await to({ kind: 'desktop' }, { env: none })).toMatchObject({
      detail: 'notify-send is not installed',
    });
  });

  it('of a Mac and of Windows gets the words as arguments or variables, never inside a script', () => {
    const hostile = { ...MESSAGE, title: '" & (do shell script "id") & "', text: '$(id) `id`' };
    const [mac] = desktopPrograms(hostile, 'darwin', {});
    expect(mac?.command).toBe('osascript');
    expect(mac?.args?.slice(-3)).toEqual(['--', hostile.title, hostile.text]);
    const [windows] = desktopPrograms(hostile, 'win32', {});
    expect(windows?.command).toBe('powershell.exe');
    expect(windows?.args?.join(' ')).not.toContain('do shell script');
    expect(windows?.env).toEqual({ DACAPO_TITLE: hostile.title, DACAPO_TEXT: hostile.text });
  });

  it('of Windows is told from its Linux, where nothing else is there', () => {
    const programs = desktopPrograms(MESSAGE, 'linux', { WSL_DISTRO_NAME: 'Debian', WSLENV: 'X/p' });
    expect(programs.map(({ command }) => command)).toEqual(['notify-send', 'powershell.exe']);
    expect(programs[1]?.env?.['WSLENV']).toBe('X/p:DACAPO_TITLE:DACAPO_TEXT');
  });
});

describe('a command', () => {
  it('gets the payload on stdin, and the rest in variables, but no secret', async () => {
    const out = join(temporaryFolder(), 'out');
    const command = `{ cat; echo "$DACAPO_EVENT $DACAPO_LOOP [$DACAPO_NOTIFY_SECRET]"; } > '${out}'`;
    const env = { ...process.env, DACAPO_NOTIFY_SECRET: SECRET };
    expect(await to({ kind: 'command', command }, { env })).toEqual({ ok: true, detail: 'exit code 0' });
    const [payload = '', variables] = readFileSync(out, 'utf8').split('\n');
    expect(JSON.parse(payload)).toEqual(MESSAGE.payload);
    expect(variables).toBe(`escalated ${loop.id} []`);
  });

  it('that fails is not run again, and its last words are told', async () => {
    const sent = await to({ kind: 'command', command: 'echo "no such room" >&2; exit 4' });
    expect(sent).toEqual({ ok: false, again: false, detail: 'exit code 4: no such room' });
  });

  it('that reads nothing and leaves something behind is over when it ends', async () => {
    const left = join(temporaryFolder(), 'left');
    const began = Date.now();
    expect(await to({ kind: 'command', command: `(sleep 1; touch '${left}') & true` })).toMatchObject({
      ok: true,
    });
    expect(Date.now() - began).toBeLessThan(900);
    await until(() => existsSync(left));
  });
});
