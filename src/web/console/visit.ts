import type { NextFunction, Request, RequestHandler, Response } from 'express'
import { LastwordError } from '../../errors.js'
import type { Producer } from '../../intake/producer.js'
import { checkFormToken, formToken, randomToken, readCookie, writeCookie } from './cookies.js'
import type { ConsoleDoors } from './doors.js'
import { createFormat } from './format.js'
import type { Html } from './html.js'
import { type Frame, type Page, pageHtml, type Section } from './layout.js'
import { consoleLanguage, type Texts } from './texts.js'

/** Who came, and what their pages need. */
export interface Visit {
  readonly viewer: Producer | null
  readonly session: string | null
  readonly frame: Frame
  readonly nowMs: number
}

/** A visit of somebody who is signed in. */
export interface SignedVisit extends Visit {
  readonly viewer: Producer
  readonly session: string
}

/** Nothing is loaded from elsewhere or runs inline, forms go nowhere else, and no other site may frame a page. */
const HEADERS = {
  'Content-Security-Policy': [
    "default-src 'none'",
    "style-src 'self'",
    "script-src 'self'",
    'img-src data:',
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
} as const

/** Finds out who came; handlers read it with `visitOf`. */
export function identify(doors: Pick<ConsoleDoors, 'viewer'>, now: () => number): RequestHandler {
  return async (request: Request, response: Response, next: NextFunction) => {
    response.set(HEADERS)
    const cookie = readCookie(request, 'session')
    if (cookie === null && isFromElsewhere(request)) {
      comeAgain(response)
      return
    }
    const nowMs = now()
    const viewer = cookie === null ? null : await doors.viewer(cookie)
    const session = viewer === null ? null : cookie
    const language = consoleLanguage(readCookie(request, 'language'), request.get('accept-language'))
    const visit: Visit = {
      viewer,
      session,
      nowMs,
      frame: {
        format: createFormat(language, nowMs),
        viewerName: viewer?.name ?? null,
        formToken: formToken(session ?? formCookie(request, response)),
        here: request.originalUrl,
      },
    }
    response.locals.visit = visit
    next()
  }
}

export function visitOf(response: Response): Visit {
  const visit: Visit = response.locals.visit
  return visit
}

/** @throws {LastwordError} `unauthorized` when nobody is signed in */
export function signedVisit(response: Response): SignedVisit {
  const visit = visitOf(response)
  const { viewer, session } = visit
  if (viewer === null || session === null) throw new LastwordError('unauthorized')
  return { ...visit, viewer, session }
}

/** Every form brings back the token of the page it stood on. */
export function checkForm(request: Request, response: Response, next: NextFunction): void {
  if (request.method === 'POST') {
    const { session } = visitOf(response)
    checkFormToken(session ?? readCookie(request, 'form'), fieldOf(request, 'token'))
  }
  next()
}

/** A field of a form, or null. */
export function fieldOf(request: Request, name: string): string | null {
  const body: unknown = request.body
  if (typeof body !== 'object' || body === null) return null
  const value = Object.entries(body).find(([key]) => key === name)?.[1]
  return typeof value === 'string' ? value : null
}

/** What was just done, as the address says; null: nothing. */
export function doneWords({ query: { done } }: Request, { confirm }: Texts): string | null {
  return done === 'replayed' || done === 'cancelled' || done === 'resumed' ? confirm[done] : null
}

/** Writes a whole page. */
export function sendPage(
  response: Response,
  page: { readonly title: string; readonly section: Section | null; readonly content: Html },
  status = 200,
): void {
  const { frame } = visitOf(response)
  response
    .status(status)
    .set({ 'Content-Language': frame.format.language, Vary: 'Accept-Language, Cookie' })
    .type('html')
    .send(pageHtml(frame, page satisfies Page))
}

/** The cookie that guards the forms of who is not signed in; made when there is none. */
function formCookie(request: Request, response: Response): string {
  const known = readCookie(request, 'form')
  if (known !== null) return known
  const fresh = randomToken()
  writeCookie(request, response, 'form', fresh, null)
  return fresh
}

/** A link on another site brings no strict cookie, so that somebody who is signed in looks like a stranger. */
function isFromElsewhere(request: Request): boolean {
  return request.method === 'GET' && request.get('sec-fetch-site') === 'cross-site'
}

/** The page asks for itself: that request comes from here, and brings the cookies. */
function comeAgain(response: Response): void {
  response
    .type('html')
    .send(
      '<!doctype html><html lang="en"><meta charset="utf-8"><meta http-equiv="refresh" content="0"><title>Lastword</title>',
    )
}
