/**
 * `FILE#Section`: a part of a list. In Markdown it is the items under that heading, in JSON the list of that
 * name. `FILE#!Section` is everything else, and `#` may be repeated: `plan.md#!Future#!Optional`.
 */
import type { Attempt } from '#base/shape.ts';
import { hiddenLines } from './hidden.ts';

/**
 * A `#` counts only after a file extension; elsewhere it may be part of the name. Without sections, all of it
 * is meant.
 */
export function splitName(name: string): { readonly file: string; readonly sections: readonly string[] } {
  const at = name.search(/\.[A-Za-z0-9]{1,10}#/);
  if (at === -1) return { file: name, sections: [] };
  const hash = name.indexOf('#', at);
  const sections = name
    .slice(hash + 1)
    .split('#')
    .map((section) => section.trim());
  return { file: name.slice(0, hash), sections: sections.filter((section) => section !== '') };
}

/** Why a file with this name is not read; null: it may be. The lines of such files are not items. */
export function unreadFormat(file: string): string | null {
  const format = /\.(ya?ml|toml|csv|tsv|xml|html?)$/i.exec(file)?.[1];
  return format === undefined
    ? null
    : `is ${format.toUpperCase()}, which is not read: use JSON or a checklist`;
}

/** Lines outside become blank, so the other lines keep their numbers. */
export function cutSections(markdown: string, sections: readonly string[]): Attempt<{ content: string }> {
  if (sections.length === 0) return { ok: true, content: markdown };
  const [out, into] = [sections.filter(isOut), sections.filter((section) => !isOut(section))];
  const seen = new Set<string>();
  const titles: string[] = [];
  /** The headings above a line, the outermost first. */
  let under: { readonly level: number; readonly title: string }[] = [];
  const all = markdown.split(/\r\n|\n|\r/);
  const hidden = hiddenLines(all);
  const lines = all.map((line, k) => {
    const [, signs = '', title = ''] =
      hidden[k] === true ? [] : (/^ {0,3}(#{1,6})[ \t]+(.*?)(?:[ \t]+#+)?[ \t]*$/.exec(line) ?? []);
    if (signs !== '') {
      under = [
        ...under.filter(({ level }) => level < signs.length),
        { level: signs.length, title: slug(title) },
      ];
      titles.push(title);
    }
    const isUnder = (section: string) => {
      const found = under.some(({ title }) => title === slug(section.replace(/^!/, '')));
      if (found) seen.add(section);
      return found;
    };
    // Evaluates every section, so that we know that each one exists.
    const [wanted, unwanted] = [into.filter(isUnder), out.filter(isUnder)];
    return (into.length === 0 || wanted.length > 0) && unwanted.length === 0 ? line : '';
  });
  const absent = sections.find((section) => !seen.has(section));
  if (absent === undefined) return { ok: true, content: lines.join('\n') };
  const known =
    titles.length === 0 ? 'it has no headings' : `its headings are: ${titles.slice(0, 12).join(', ')}`;
  return { ok: false, why: `has no section "${absent.replace(/^!/, '')}"; ${known}` };
}

function isOut(section: string): boolean {
  return section.startsWith('!');
}

/** Only letters and digits: `Nice to Have 🚀` is `nice-to-have`, as in a link to it. */
function slug(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '');
}
