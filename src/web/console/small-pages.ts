import type { Format } from './format.js'
import { type Html, html } from './html.js'
import { type Frame, tokenField } from './layout.js'

/** The sign-in form, with what went wrong before. `next` is where the reader wanted to go. */
export function loginPage(frame: Frame, problem: string | null, note: string | null, next: string): Html {
  const words = frame.format.texts.login
  return html`<div class="narrow panel"><h1>${words.title}</h1><p class="soft">${words.lead}</p>${
    problem === null ? null : html`<p class="notice bad" role="alert" id="problem">${problem}</p>`
  }${note === null ? null : html`<p class="notice" role="status">${note}</p>`}
<form method="post" action="/console/login">${tokenField(frame)}<input type="hidden" name="next" value="${next}">
<div class="field"><label for="key">${words.key}</label><input id="key" name="key" type="password" autocomplete="current-password" required autofocus maxlength="512" spellcheck="false"${
    problem === null ? null : html` aria-describedby="problem" aria-invalid="true"`
  }></div><button class="first">${words.button}</button></form></div>`
}

/** Asks once more before something is done. */
export function confirmPage(
  frame: Frame,
  ask: {
    readonly title: string
    readonly text: string
    /** What it is done to. */
    readonly subject: string
    readonly action: string
    readonly button: string
    readonly isDanger: boolean
    readonly back: string
  },
): Html {
  return html`<div class="narrow panel"><h1>${ask.title}</h1><p class="id">${ask.subject}</p><p>${ask.text}</p>
<div class="row"><form method="post" action="${ask.action}">${tokenField(frame)}<button class="${ask.isDanger ? 'danger' : 'first'}">${ask.button}</button></form>
<a class="button" href="${ask.back}">${frame.format.texts.confirm.keep}</a></div></div>`
}

export function problemPage(format: Format, title: string, text: string): Html {
  return html`<div class="narrow panel"><h1>${title}</h1><p>${text}</p><p><a href="/console">${format.texts.nav.overview}</a></p></div>`
}
