/** The look of messages as their readers saw them. */
export const PREVIEW_STYLE = `
.part { border: 1px solid var(--line); border-radius: 10px; margin: 0 0 12px; overflow: hidden }
.part > header { display: flex; flex-wrap: wrap; gap: 4px 10px; align-items: center; padding: 8px 14px; border-bottom: 1px solid var(--line);
  font-size: .87rem } .part > .seen { padding: 12px 14px; max-height: 560px; overflow: auto }
.seen p { margin: 0 0 8px; white-space: pre-wrap } .seen > :last-child, .seen li p:last-child { margin-bottom: 0 }
.seen ul, .seen ol { margin: 0 0 8px; padding-left: 24px } .seen blockquote { margin: 0 0 8px; padding: 0 0 0 12px; border-left: 3px solid var(--edge); color: var(--soft) }
.seen pre { background: var(--paper); border: 1px solid var(--line); border-radius: 6px; padding: 9px 11px; overflow-x: auto; margin: 0 0 8px }
.seen code { background: var(--paper); border-radius: 3px; padding: 0 3px } .seen pre code { padding: 0; background: none }
.seen .cells { overflow-x: auto; margin: 0 0 8px } .seen table { border-collapse: collapse } .seen td, .seen th { border: 1px solid var(--line);
  padding: 5px 10px; text-align: left; vertical-align: top; white-space: pre-wrap }
.seen li > p:first-of-type { display: inline } .seen hr { border: 0; border-top: 1px solid var(--line); margin: 12px 0 }
.seen .title { font-weight: 700; font-size: 1.05rem } .seen .tone { font-weight: 650; padding: 8px 12px; border-radius: 6px;
  background: var(--calmFill); color: var(--calm) } .seen .tone.failure { background: var(--badFill); color: var(--bad) }
.seen .tone.cut { background: var(--warnFill); color: var(--warn) } .seen .heading { font-weight: 700 }
.seen .note { color: var(--soft); font-size: .9rem } .seen .mention { background: var(--calmFill); color: var(--accent); border-radius: 3px; padding: 0 3px }
.seen .press { display: inline-block; border: 1px solid var(--edge); border-radius: 6px; padding: 2px 12px; margin: 0 6px 6px 0; font-weight: 600; font-size: .9rem }
.seen .file { border: 1px solid var(--line); border-radius: 8px; padding: 8px 12px }
@media (max-width: 640px) {
  main { padding: 16px 14px 50px } .bar-in { padding: 10px 14px } .bar .who { margin-left: 0; width: 100% }
  .panel { padding: 14px } .facts { grid-template-columns: 1fr; gap: 0 } .facts dd { margin-bottom: 8px }
  table.list.cards, .cards tbody, .cards tr { display: block } .cards thead { position: absolute; left: -999px }
  .cards tr { padding: 10px 0; border-bottom: 1px solid var(--line) } .cards tr:last-child { border-bottom: 0 }
  .cards td { border: 0; padding: 1px 12px 1px 0; display: inline-block } .cards td.main { display: block } .cards td::before { content: attr(data-label) " "; color: var(--soft); font-size: .87rem }
  .cards td.main::before { content: none } .cards td.number { text-align: left }
}
@media (prefers-reduced-motion: no-preference) { a, button, .button { transition: background-color .1s, border-color .1s } }
@media print { .bar, .skip, form { display: none } body { background: none } }
`
