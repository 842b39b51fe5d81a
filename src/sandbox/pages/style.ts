/** The look of the pages: one column, light and dark by the reader's system. */
export const STYLE = `
:root { color-scheme: light dark; --ink: #1d1c1d; --soft: #616061; --paper: #fff; --line: #ddd; --fill: #f4f4f4;
  --accent: #1264a3; --mention: #e8f1fa; --loud: #fde3b5; --code: #c01343; }
@media (prefers-color-scheme: dark) { :root { --ink: #e3e3e3; --soft: #a5a6a8; --paper: #1a1d21; --line: #3a3d42;
  --fill: #25292e; --accent: #62b0ef; --mention: #22384d; --loud: #5c4310; --code: #f2778f; } }
* { box-sizing: border-box }
body { margin: 0; background: var(--paper); color: var(--ink); font: 15px/1.5 system-ui, "Noto Sans", "PingFang SC",
  "Microsoft YaHei", "Noto Sans CJK SC", sans-serif; }
nav { display: flex; flex-wrap: wrap; gap: 4px 14px; padding: 10px 20px; border-bottom: 1px solid var(--line);
  background: var(--fill); position: sticky; top: 0; z-index: 1 }
nav a.here, .languages a.here { font-weight: 700; color: var(--ink); text-decoration: none }
a { color: var(--accent) }
.title, main { max-width: 860px; margin: 0 auto; padding: 0 20px }
h1 { font-size: 20px; margin: 18px 0 0 } .title p { margin: 2px 0; color: var(--soft) } .languages a { margin-right: 10px }
main { padding-bottom: 60px } .empty { color: var(--soft) }
article { display: flex; gap: 10px; padding: 10px 0; border-top: 1px solid var(--line) }
article.nested { margin-left: 46px }
.avatar { flex: none; width: 36px; height: 36px; border-radius: 8px; background: var(--fill); display: grid;
  place-items: center; font-weight: 700; color: var(--soft) }
.bot .avatar { background: var(--accent); color: #fff } .lark .avatar { border-radius: 50% }
.bubble { min-width: 0; flex: 1; overflow-wrap: anywhere }
.who { margin: 0 } time, .note { color: var(--soft); font-size: 12px } .note { margin-left: 6px }
.app { font-size: 10px; background: var(--fill); border: 1px solid var(--line); border-radius: 3px; padding: 0 3px;
  margin-left: 5px; color: var(--soft) }
p { margin: 4px 0 } .text, .row, .fields div, td, th { white-space: pre-wrap } .row { min-height: 1.2em }
h3, .heading { margin: 8px 0 4px; font-size: 17px } .context, .context p { color: var(--soft); font-size: 13px }
ul, ol { margin: 4px 0; padding-left: 24px } .indent1 { margin-left: 22px } .indent2 { margin-left: 44px }
.indent3 { margin-left: 66px } .box { margin-right: 4px } li > p { margin: 0; display: inline }
blockquote { margin: 4px 0; padding: 0 12px; border-left: 4px solid var(--line); color: var(--soft) }
pre { background: var(--fill); border: 1px solid var(--line); border-radius: 6px; padding: 8px 10px; overflow-x: auto;
  margin: 6px 0; position: relative } pre, code { font: 13px/1.45 ui-monospace, "SF Mono", Menlo, "Noto Sans Mono",
  monospace } :not(pre) > code { background: var(--fill); border: 1px solid var(--line); border-radius: 3px;
  padding: 0 3px; color: var(--code) } .lang { position: absolute; right: 8px; top: 4px; color: var(--soft); font-size: 11px }
.table { overflow-x: auto; margin: 6px 0 } table { border-collapse: collapse } td, th { border: 1px solid var(--line);
  padding: 4px 9px; text-align: left; vertical-align: top } th { background: var(--fill) }
hr { border: 0; border-top: 1px solid var(--line); margin: 10px 0 }
.mention { background: var(--mention); border-radius: 3px; padding: 0 2px; color: var(--accent) }
.mention.loud { background: var(--loud); color: inherit }
.fields { display: grid; grid-template-columns: 1fr 1fr; gap: 6px 16px } .columns { display: flex; gap: 12px; flex-wrap: wrap }
.actions { display: flex; gap: 8px; flex-wrap: wrap } .button { display: inline-block; border: 1px solid var(--line);
  border-radius: 5px; padding: 2px 11px; margin: 4px 6px 4px 0; font-weight: 600; font-size: 13px }
.button.primary { background: #007a5a; color: #fff; border-color: transparent } .lark .button.primary { background: #3370ff }
.button.danger { background: #c8352d; color: #fff; border-color: transparent }
.file { border: 1px solid var(--line); border-radius: 8px; padding: 8px 12px; display: inline-block } .file span { color: var(--soft) }
.unknown { color: var(--soft); font-style: italic }
.card { border: 1px solid var(--line); border-radius: 8px; overflow: hidden; margin: 4px 0; max-width: 640px }
.card header { padding: 8px 12px; background: var(--fill) } .card .inner { padding: 6px 12px 10px }
.card header.red, .card header.carmine { background: #c8352d; color: #fff } .card header.green { background: #2ea121; color: #fff }
.card header.orange, .card header.yellow { background: #de7802; color: #fff } .card header.grey { background: #646a73; color: #fff }
.card header.blue, .card header.wathet, .card header.turquoise, .card header.indigo { background: #3370ff; color: #fff }
.card header.purple, .card header.violet { background: #7a3ff2; color: #fff }
`
