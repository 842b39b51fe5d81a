import type { Router } from 'express'
import { dropCookie, readCookie, writeCookie } from './cookies.js'
import type { ConsoleDoors } from './doors.js'
import { loginPage } from './small-pages.js'
import { asConsoleLanguage } from './texts.js'
import type { Throttle } from './throttle.js'
import { fieldOf, sendPage, visitOf } from './visit.js'

/** How long a choice of language is kept, in ms. */
const LANGUAGE_MS = 365 * 86_400_000

/** Signing in and out, and the switch of language. */
export function addLogin(
  router: Router,
  doors: Pick<ConsoleDoors, 'signIn' | 'signOut'>,
  throttle: Throttle,
): void {
  router.get('/login', (request, response) => {
    const { frame, viewer } = visitOf(response)
    const next = insidePath(textOf(request.query.next))
    if (viewer !== null) {
      response.redirect(303, next)
      return
    }
    const words = frame.format.texts.login
    const note =
      request.query.out !== undefined ? words.signedOut : next === '/console' ? null : words.expired
    const content = loginPage(frame, null, note, next)
    sendPage(response, { title: words.title, section: null, content })
  })

  router.post('/login', async (request, response) => {
    const { frame, nowMs } = visitOf(response)
    const words = frame.format.texts.login
    const next = insidePath(fieldOf(request, 'next'))
    const address = request.ip ?? ''
    const refuse = (status: number, problem: string) =>
      sendPage(
        response,
        { title: words.title, section: null, content: loginPage(frame, problem, null, next) },
        status,
      )
    const waitMs = throttle.waitMs(address, nowMs)
    if (waitMs > 0) {
      response.set('Retry-After', String(Math.ceil(waitMs / 1_000)))
      refuse(429, words.tooMany(frame.format.relative(nowMs + waitMs)))
      return
    }
    const opened = await doors.signIn(fieldOf(request, 'key')?.trim() ?? '')
    if (opened.kind !== 'opened') {
      throttle.failed(address, nowMs)
      refuse(
        opened.kind === 'unknown_key' ? 401 : 403,
        opened.kind === 'unknown_key' ? words.unknown : words.notAllowed,
      )
      return
    }
    throttle.succeeded(address)
    dropCookie(request, response, 'form')
    writeCookie(request, response, 'session', opened.session, opened.expiresAtMs)
    response.redirect(303, next)
  })

  router.post('/logout', async (request, response) => {
    const session = readCookie(request, 'session')
    if (session !== null) await doors.signOut(session)
    dropCookie(request, response, 'session')
    response.redirect(303, '/console/login?out')
  })

  router.post('/language', (request, response) => {
    const language = asConsoleLanguage(fieldOf(request, 'language'))
    if (language !== null)
      writeCookie(request, response, 'language', language, visitOf(response).nowMs + LANGUAGE_MS)
    response.redirect(303, insidePath(fieldOf(request, 'back')))
  })
}

/** The path when it leads to a page of the console, else its front page. */
export function insidePath(path: string | null): string {
  return path !== null && path.length <= 2_000 && /^\/console(?:[/?][\x21-\x7e]*)?$/.test(path)
    ? path
    : '/console'
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}
