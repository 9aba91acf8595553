// docs/notifications.md says what is so: its receiver verifies our signature, its tables have every event and
// field.
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { NOTICE_KINDS } from '#law/notices.ts';
import { messageForNotice } from '#engine/notices/message.ts';
import { signatureOf } from '#engine/notices/signature.ts';
import { readUserConfig } from '#input/config/user-config.ts';
import { after, running } from '../../law/given.ts';
import { temporaryFolder } from '../../store/folder.ts';
import { request } from './given.ts';

const PAGE = readFileSync(resolve(import.meta.dirname, '../../../docs/notifications.md'), 'utf8');
const blocks = (language: string) =>
  [...PAGE.matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\``, 'gm'))].map(([, text]) => text ?? '');

describe('docs/notifications.md', () => {
  test('has a receiver that knows our signature', async () => {
    const file = join(temporaryFolder(), 'receiver.mjs');
    writeFileSync(file, blocks('js')[0] ?? '');
    const { isFromDacapo } = await import(pathToFileURL(file).href);
    const timestamp = String(Math.floor(Date.now() / 1000));
    const headers = (time: string) => ({
      'webhook-id': 'msg_1',
      'webhook-timestamp': time,
      'webhook-signature': signatureOf({ id: 'msg_1', timestamp: time, body: '{}' }, 'secret'),
    });
    expect(isFromDacapo(headers(timestamp), '{}', 'secret')).toBe(true);
    expect(isFromDacapo(headers(timestamp), '{ }', 'secret')).toBe(false);
    expect(isFromDacapo(headers('1700000000'), '{}', 'secret')).toBe(false);
    expect(isFromDacapo({}, '{}', 'secret')).toBe(false);
  });

  test('has the fields of a payload, in their order', () => {
    const asked = request('approval', 'git push');
    const { payload } = messageForNotice(
      { is: 'approval', at: after(0), loop: running(), request: asked },
      null,
    );
    const shown = JSON.parse(blocks('json').find((text) => text.includes('"event"')) ?? '');
    expect(Object.keys(shown)).toEqual(Object.keys(payload));
    expect(Object.keys(shown.request)).toEqual(Object.keys(payload.request ?? {}));
  });

  test('has every event, and a config that reads', () => {
    for (const kind of NOTICE_KINDS) expect(PAGE).toContain(`\`${kind}\``);
    expect(readUserConfig(() => blocks('json')[0] ?? '')).toMatchObject({ ok: true });
  });
});
