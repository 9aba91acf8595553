import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { featuresProof } from '#law/record/definition.ts';
import { proveFeatures, readFeatureFile } from '#evidence/lists/file.ts';
import { temporaryFolder } from '../../store/folder.ts';

const LIST = JSON.stringify({
  features: [
    { id: 1, description: 'A', passes: true },
    { id: 2, description: 'B' },
  ],
});

function project(content = LIST): string {
  const dir = temporaryFolder();
  mkdirSync(join(dir, '.claude'));
  writeFileSync(join(dir, '.claude', 'feature_list.json'), content);
  return dir;
}

describe('the proof of a feature list', () => {
  it('is what was found in it', () => {
    const proof = proveFeatures('.claude/feature_list.json', project());
    expect(proof).toEqual({
      is: 'read',
      facts: {
        name: '.claude/feature_list.json',
        format: 'feature-list',
        passing: 1,
        total: 2,
        next: {
          id: '2',
          description: 'B',
          steps: [],
          model: null,
          mark: { field: 'passes', done: 'true', open: 'false' },
        },
      },
    });
    expect(featuresProof(JSON.parse(JSON.stringify(proof)))).toBe(true);
  });

  it('may be asked for by an absolute path', () => {
    const path = join(project(), '.claude', 'feature_list.json');
    expect(proveFeatures(path, '/elsewhere')).toMatchObject({ is: 'read', facts: { total: 2, name: path } });
  });

  it('gives the whole list to whoever shows it', () => {
    expect(readFeatureFile('.claude/feature_list.json', project())).toMatchObject({
      ok: true,
      features: [{ id: 1 }, { id: 2 }],
    });
  });
});

describe('what can not be read proves nothing', () => {
  const why = (file: string, dir: string) => {
    const proof = proveFeatures(file, dir);
    return proof.is === 'unreadable' ? proof.why : 'it was read';
  };

  it('a file that is not there', () => {
    const dir = temporaryFolder();
    expect(why('list.json', dir)).toBe(`list.json is not there (looked for ${join(dir, 'list.json')})`);
  });

  it('a malformed one', () => {
    expect(why('.claude/feature_list.json', project('{"features":'))).toContain('is not JSON');
  });

  it('a folder', () => {
    expect(why('.claude', project())).toMatch(/is not a regular file|can't be read \(EISDIR\)/);
  });

  it('a file that is too large', () => {
    const dir = project(' '.repeat(16 * 1024 * 1024 + 1));
    expect(why('.claude/feature_list.json', dir)).toBe('.claude/feature_list.json is larger than 16 MB');
  });

  it.skipIf(process.platform === 'win32')('a link', () => {
    const dir = project();
    symlinkSync(join(dir, '.claude', 'feature_list.json'), join(dir, 'list.json'));
    expect(why('list.json', dir)).toBe('list.json is a link, and links are not followed');
  });
});
