// Which packages are in our bundles: their licences, and a CycloneDX list of them (an SBOM). Both come from
// what the bundler says it has used, so a package that is only installed is in neither.

import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../root.mjs';
import { slashes } from './seams.mjs';

/** The names of the packages whose code is in a bundle. */
export function bundledIn(metafile) {
  const names = new Set();
  for (const output of Object.values(metafile.outputs)) {
    for (const [input, { bytesInOutput }] of Object.entries(output.inputs)) {
      const name = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(slashes(input))?.[1];
      if (name && bytesInOutput > 0) names.add(name);
    }
  }
  return [...names];
}

/** The full licences of these packages. */
export function licencesOf(names) {
  const sections = inOrder(names).map((name) => {
    const { version, license } = manifestOf(name);
    return `${name} ${version} (${license})\n\n${licenceText(name)}\n`;
  });
  return `Parts of these packages are bundled here.\n\n${sections.join(`\n${'-'.repeat(80)}\n\n`)}`;
}

/** A CycloneDX document. It has no time and no serial number: the same sources give the same bytes. */
export function sbomOf(names) {
  const own = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const components = inOrder(names).map((name) => componentOf('library', manifestOf(name)));
  const subject = componentOf('application', own);
  const document = {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: subject, lifecycles: [{ phase: 'build' }] },
    components,
    dependencies: [{ ref: subject['bom-ref'], dependsOn: components.map((one) => one['bom-ref']) }],
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

function componentOf(type, { name, version, license, description }) {
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
  const licenses = /^[\w.+-]+$/.test(license) ? [{ license: { id: license } }] : [{ expression: license }];
  return { type, 'bom-ref': purl, name, version, ...(description && { description }), licenses, purl };
}

function licenceText(name) {
  const folder = join(root, 'node_modules', name);
  const find = (pattern) => {
    const file = readdirSync(folder).find((entry) => pattern.test(entry));
    return file && readFileSync(join(folder, file), 'utf8').replaceAll('\r\n', '\n');
  };
  // A few packages have it at the end of their readme only.
  const text = (find(/^licen[cs]e/i) ?? find(/^readme/i)?.split(/^#+ licen[cs]e$/im)[1])?.trim();
  if (!text) throw new Error(`${name} comes without a licence`);
  return text;
}

function manifestOf(name) {
  return JSON.parse(readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8'));
}

/** An order that does not depend on the locale. */
function inOrder(names) {
  return [...names].toSorted((a, b) => (a < b ? -1 : 1));
}
