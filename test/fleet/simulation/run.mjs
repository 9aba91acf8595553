// Runs bundles of the simulation in a process of their own, whose clock they replace. On stdin: a list of
// { bundle, order }, or { bundle, day }. It prints one line of JSON for each, and with TRACE=1 what happened in schedules that broke a rule.

import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';

for (const { name, bundle, order, day } of JSON.parse(await text(process.stdin))) {
  const { simulate, simulateDay } = await import(pathToFileURL(bundle).href);
  if (day !== undefined) {
    console.log(JSON.stringify({ name, ...(await simulateDay(day)) }));
    continue;
  }
  const { found, ...counts } = await simulate(order);
  const told = found.map(({ lines, ...one }) => {
    if (process.env.TRACE === '1') console.error(lines.join('\n'));
    return one;
  });
  console.log(JSON.stringify({ name, found: told, ...counts }));
}
process.exit(0);
