/**
 * The look of the report: one style sheet for light, dark and paper, without a font or picture from
 * elsewhere.
 */
export const STYLE = `
:root {
  color-scheme: light dark;
  --paper: #fbfaf8; --card: #ffffff; --ink: #1d1c1a; --soft: #6b6862; --line: #e6e2db; --code: #f4f1ec;
  --good: #1a7f4b; --bad: #c0362c; --warn: #a3690a; --calm: #2f62b5; --good-bg: #e6f4ec; --bad-bg: #fbeae8;
  --warn-bg: #faf0dc; --calm-bg: #e8effa;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #161514; --card: #1f1e1c; --ink: #ecebe8; --soft: #a09c95; --line: #34322f; --code: #272522;
    --good: #5cc78f; --bad: #f08a80; --warn: #e5b45a; --calm: #8ab4f8; --good-bg: #1b3326; --bad-bg: #3b211f;
    --warn-bg: #38301c; --calm-bg: #1f2c42;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0; background: var(--paper); color: var(--ink);
  font: 16px/1.55 ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif;
  -webkit-text-size-adjust: 100%;
}
main { max-width: 860px; margin: 0 auto; padding: 48px 24px 80px; }
h1 {
  font-size: 30px; line-height: 1.2; letter-spacing: -0.02em; margin: 6px 0 14px; overflow-wrap: anywhere;
}
h2 { font-size: 20px; letter-spacing: -0.01em; margin: 52px 0 16px; }
p { margin: 0 0 12px; overflow-wrap: anywhere; }
code, pre { font: 13px/1.55 ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace; }
code { background: var(--code); border-radius: 5px; padding: 1px 5px; overflow-wrap: anywhere; }
pre {
  background: var(--code); border-radius: 10px; padding: 14px 16px; margin: 10px 0 0; overflow-x: auto;
  white-space: pre-wrap; overflow-wrap: anywhere; max-height: 480px; overflow-y: auto;
}
.eyebrow { color: var(--soft); font-size: 13px; letter-spacing: 0.04em; margin: 0; }
.soft { color: var(--soft); }
.lead { display: flex; flex-wrap: wrap; gap: 8px 12px; align-items: baseline; }
.pill {
  border-radius: 999px; padding: 2px 11px; font-size: 13px; font-weight: 600; white-space: nowrap;
  background: var(--tone-bg, var(--code)); color: var(--tone, var(--soft));
}
.good, .done { --tone: var(--good); --tone-bg: var(--good-bg); }
.bad, .failed { --tone: var(--bad); --tone-bg: var(--bad-bg); }
.warning, .resting, .needs-you { --tone: var(--warn); --tone-bg: var(--warn-bg); }
.working, .waiting, .person { --tone: var(--calm); --tone-bg: var(--calm-bg); }
.tiles {
  display: grid; grid-template-columns: repeat(auto-fit, minmax(150px, 1fr)); gap: 12px; margin: 28px 0 0;
}
.tile { background: var(--card); border: 1px solid var(--line); border-radius: 14px; padding: 14px 16px; }
.tile dt { color: var(--soft); font-size: 13px; }
.tile dd {
  margin: 2px 0 0; font-size: 22px; font-weight: 600; letter-spacing: -0.01em;
  font-variant-numeric: tabular-nums;
}
.tile small { display: block; color: var(--soft); font-size: 13px; font-weight: 400; letter-spacing: 0; }
.strip { display: block; width: 100%; max-height: 72px; margin: 26px 0 4px; }
.strip rect { fill: var(--tone, var(--calm)); }
.strip .plain { opacity: 0.55; }
.facts { display: grid; grid-template-columns: max-content 1fr; gap: 4px 20px; margin: 0; font-size: 15px; }
.facts dt { color: var(--soft); } .facts dd { margin: 0; overflow-wrap: anywhere; }
.story { list-style: none; margin: 0; padding: 0 0 0 22px; border-left: 2px solid var(--line); }
.story > li { position: relative; margin: 0 0 14px; }
.story > li::before {
  content: ""; position: absolute; left: -28px; top: 9px; width: 10px; height: 10px; border-radius: 50%;
  background: var(--tone, var(--line)); box-shadow: 0 0 0 4px var(--paper);
}
.moment { font-size: 15px; color: var(--soft); padding: 2px 0; overflow-wrap: anywhere; }
.moment time { font-size: 13px; opacity: 0.8; white-space: nowrap; margin-left: 6px; }
.moment b { color: var(--ink); font-weight: 600; }
article {
  background: var(--card); border: 1px solid var(--line); border-radius: 14px; padding: 14px 18px 16px;
  color: var(--ink);
}
article header { display: flex; flex-wrap: wrap; gap: 6px 12px; align-items: baseline; }
article h3 { font-size: 16px; margin: 0; overflow-wrap: anywhere; }
article header .soft { margin-left: auto; font-size: 13px; font-variant-numeric: tabular-nums; }
article p { margin: 8px 0 0; }
article ul { list-style: none; margin: 10px 0 0; padding: 0; font-size: 15px; }
article li { margin: 4px 0; padding-left: 22px; position: relative; overflow-wrap: anywhere; }
article li > .mark { position: absolute; left: 2px; font-weight: 700; color: var(--tone); }
article li > .mark.soft { color: var(--soft); }
blockquote {
  margin: 10px 0 0; padding: 2px 0 2px 14px; border-left: 3px solid var(--line); color: var(--soft);
  overflow-wrap: anywhere;
}
details summary { cursor: pointer; color: var(--calm); font-size: 14px; margin-top: 4px; }
summary:focus-visible { outline: 2px solid var(--calm); outline-offset: 3px; border-radius: 4px; }
.files { columns: 2 320px; list-style: none; padding: 0; margin: 0; font-size: 14px; }
.files li { break-inside: avoid; margin: 3px 0; }
footer {
  margin-top: 64px; border-top: 1px solid var(--line); padding-top: 16px; color: var(--soft); font-size: 13px;
}
@media (max-width: 560px) {
  main { padding: 28px 16px 56px; } h1 { font-size: 24px; }
  article header .soft { margin-left: 0; width: 100%; }
}
@media print { body { background: none; } article, .tile { break-inside: avoid; } pre { max-height: none; } }
`;
