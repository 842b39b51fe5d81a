import { cssOf, DARK, LIGHT } from './tokens.js'

/** The look of the console: system fonts, light and dark by the reader's system, one column on a phone. */
export const STYLE = `
:root { color-scheme: light dark; ${cssOf(LIGHT)} }
@media (prefers-color-scheme: dark) { :root { ${cssOf(DARK)} } }
*, ::before, ::after { box-sizing: border-box }
html { -webkit-text-size-adjust: 100% }
body { margin: 0; background: var(--paper); color: var(--ink); font: 15px/1.5 system-ui, "Segoe UI", "Noto Sans",
  "PingFang SC", "Microsoft YaHei", "Noto Sans CJK SC", sans-serif; overflow-wrap: anywhere }
a { color: var(--accent); text-underline-offset: 2px }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 4px }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 4px } h2 { font-size: 1.1rem; margin: 0 0 10px }
h3 { font-size: 1rem; margin: 14px 0 6px } p { margin: 0 0 8px }
code, .id { font-family: ui-monospace, "SF Mono", Menlo, "Noto Sans Mono", "DejaVu Sans Mono", monospace; font-size: .9em }
time { white-space: nowrap } .soft { color: var(--soft) } .small { font-size: .87rem }
.skip { position: absolute; left: -999px; top: 0; background: var(--panel); padding: 10px 16px; z-index: 2 }
.skip:focus { left: 8px; top: 8px }
.bar { background: var(--panel); border-bottom: 1px solid var(--line) }
.bar-in { max-width: 1120px; margin: 0 auto; padding: 10px 20px; display: flex; flex-wrap: wrap; align-items: center; gap: 8px 22px }
.brand { font-weight: 700; color: inherit; text-decoration: none }
.bar nav { display: flex; flex-wrap: wrap; gap: 4px 6px }
.bar nav a { padding: 5px 10px; border-radius: 6px; color: inherit; text-decoration: none }
.bar nav a:hover { background: var(--calmFill) } .bar nav a[aria-current] { background: var(--calmFill); font-weight: 600 }
.bar .who { margin-left: auto; display: flex; flex-wrap: wrap; gap: 8px; align-items: center }
.bar form { margin: 0 }
main { max-width: 1120px; margin: 0 auto; padding: 22px 20px 60px } main:focus { outline: none }
.head { margin-bottom: 18px } .back { display: inline-block; margin-bottom: 8px }
.panel { background: var(--panel); border: 1px solid var(--line); border-radius: 10px; padding: 16px 18px; margin: 0 0 16px; min-width: 0 }
.grid { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 330px), 1fr)); gap: 16px; align-items: start }
.grid > .panel { margin: 0 } .grid { margin-bottom: 16px }
.figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 150px), 1fr)); gap: 12px; margin: 0 0 16px }
.figure { background: var(--panel); border: 1px solid var(--line); border-radius: 10px; padding: 12px 16px; margin: 0 }
.figure dt { color: var(--soft); font-size: .87rem } .figure dd { margin: 2px 0 0; font-size: 1.35rem; font-weight: 650; line-height: 1.3 }
.figure dd small { display: block; font-size: .87rem; font-weight: 400; color: var(--soft) }
.figure dd .soft { font-size: 1.05rem } .figure.bad { border-color: var(--bad) } .figure.bad dd { color: var(--bad) } .figure.warn dd { color: var(--warn) }
.facts { display: grid; grid-template-columns: minmax(96px, 150px) 1fr; gap: 6px 18px; margin: 0 }
.facts dt { color: var(--soft) } .facts dd { margin: 0; min-width: 0 }
.chip { display: inline-block; padding: 1px 9px; border-radius: 99px; font-size: .87rem; font-weight: 600; white-space: nowrap;
  background: var(--calmFill); color: var(--calm) }
.chip.good { background: var(--goodFill); color: var(--good) } .chip.warn { background: var(--warnFill); color: var(--warn) }
.chip.bad { background: var(--badFill); color: var(--bad) }
.scroll { overflow-x: auto } table.list { width: 100%; border-collapse: collapse }
.list th { text-align: left; font-weight: 600; font-size: .87rem; color: var(--soft); padding: 6px 10px 6px 0; border-bottom: 1px solid var(--line) }
.list td { padding: 9px 10px 9px 0; border-bottom: 1px solid var(--line); vertical-align: top } .list tr:last-child td { border-bottom: 0 }
.list .number { text-align: right; padding-right: 26px; font-variant-numeric: tabular-nums; white-space: nowrap } .list .main { font-weight: 600 }
.list td > .small { display: block } .list td > .chip.small { display: inline-block } .list .main .small { font-weight: 400 }
.button[aria-current] { background: var(--calmFill); border-color: var(--ink) }
form.search { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 200px), 1fr)); gap: 12px; align-items: end }
label { display: block; font-size: .87rem; font-weight: 600; margin-bottom: 4px }
input, select { width: 100%; font: inherit; padding: 7px 10px; min-height: 40px; color: var(--ink); background: var(--paper);
  border: 1px solid var(--edge); border-radius: 7px }
.button, button { display: inline-block; font: inherit; font-weight: 600; padding: 7px 16px; min-height: 40px; border-radius: 7px;
  border: 1px solid var(--edge); background: var(--panel); color: var(--ink); cursor: pointer; text-decoration: none; line-height: 1.5 }
.button:hover, button:hover { border-color: var(--ink) }
.button.first, button.first { background: var(--accent); border-color: var(--accent); color: var(--onAccent) }
.button.danger, button.danger { border-color: var(--bad); color: var(--bad) }
button.quiet { min-height: 32px; padding: 3px 10px; font-weight: 400; border-color: transparent; background: none }
button.quiet:hover { border-color: var(--edge) }
.row { display: flex; flex-wrap: wrap; gap: 10px; align-items: center } .row form { margin: 0 } .pages { margin-top: 14px }
.notice { border-left: 4px solid var(--accent); background: var(--panel); padding: 10px 16px; margin: 0 0 16px; border-radius: 0 8px 8px 0 }
.notice.bad { border-color: var(--bad); color: var(--bad) } .notice.good { border-color: var(--good); color: var(--good) }
.empty { color: var(--soft); margin: 4px 0 }
.narrow { max-width: 460px; margin: 6vh auto 0 }
.narrow button { width: 100% } .narrow .field { margin-bottom: 14px }
ol.story { list-style: none; margin: 0; padding: 0 }
.story > li { position: relative; padding: 0 0 14px 26px } .story > li::before { content: ""; position: absolute; left: 5px; top: 8px;
  width: 10px; height: 10px; border-radius: 50%; background: var(--edge) }
.story > li::after { content: ""; position: absolute; left: 9px; top: 20px; bottom: -6px; width: 2px; background: var(--line) }
.story > li:last-child::after { content: none } .story > li:last-child { padding-bottom: 0 }
.story > li.good::before { background: var(--good) } .story > li.bad::before { background: var(--bad) }
.story > li.warn::before { background: var(--warn) }
.story p { margin: 0 } .story .when { color: var(--soft); font-size: .87rem } .story .what { font-weight: 600 }
`
