// A stand-in for jwz, the message store of idle-loop, with what its documentation promises: topics in a store
// of the current folder, messages as JSON, newest first, and `\n`, `\t`, `\\` in a message taken for what
// they stand for. JWZ_FAKE=old makes no store or topic by itself; JWZ_FAKE=hangs never ends; JWZ_FAKE=fails
// does nothing.
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';

const LOG = '.jwz/messages.jsonl';
const ESCAPES = { n: '\n', t: '\t', '\\': '\\' };
const [command, ...rest] = process.argv.slice(2);
const mode = process.env.JWZ_FAKE;
if (mode === 'hangs') setInterval(() => undefined, 1000);
else if (mode === 'fails') process.exit(1);
else run();

function run() {
  if (command === 'init') return existsSync('.jwz') ? die('store already exists') : init();
  if (!existsSync(LOG)) {
    if (mode === 'old' || command !== 'post') die("No store found. Run 'jwz init' or use --store.");
    init();
  }
  const rows = readFileSync(LOG, 'utf8').split('\n').filter(Boolean).map(JSON.parse);
  const topic = command === 'topic' ? rest[1] : rest.find((word) => !word.startsWith('-'));
  const known = rows.some((row) => row.type === 'topic' && row.name === topic);
  if (command === 'topic')
    return known ? die('Topic already exists.') : append({ type: 'topic', name: topic });
  if (!known && (mode === 'old' || command !== 'post')) die('Topic not found.');
  if (!known) append({ type: 'topic', name: topic });
  const messages = rows.filter((row) => row.type === 'message' && row.topic === topic);
  if (command === 'read') {
    const limit = Number(rest[rest.indexOf('--limit') + 1]);
    return console.log(JSON.stringify(messages.toReversed().slice(0, limit)));
  }
  const body = rest[rest.indexOf('-m') + 1].replace(/\\([nt\\])/g, (_, short) => ESCAPES[short]);
  append({ type: 'message', id: String(rows.length).padStart(26, '0'), topic, body, created_at: Date.now() });
}

function init() {
  mkdirSync('.jwz');
  writeFileSync(LOG, '');
}

function append(row) {
  appendFileSync(LOG, `${JSON.stringify(row)}\n`);
}

function die(why) {
  console.error(why);
  process.exit(1);
}
