import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Request, Response } from 'express'
import { LastwordError } from '../../errors.js'

/** `session`: who is signed in. `form`: guards the sign-in form of who is not. `language`: what they chose. */
type CookieName = 'session' | 'form' | 'language'

/** Whether the browser speaks to us over https, itself or through a proxy. A false claim only costs the cookie. */
function isSecure(request: Request): boolean {
  return request.secure || request.get('x-forwarded-proto')?.split(',')[0]?.trim() === 'https'
}

/** With https the name is bound to this host: another one of the same domain cannot plant it. */
function nameOf(request: Request, name: CookieName): string {
  return isSecure(request) ? `__Host-lastword_${name}` : `lastword_${name}`
}

/** The value of one of our cookies, or null. */
export function readCookie(request: Request, name: CookieName): string | null {
  const wanted = nameOf(request, name)
  for (const pair of (request.get('cookie') ?? '').split(';')) {
    const [key, ...value] = pair.trim().split('=')
    if (key === wanted) return /^[\w-]{1,64}$/.test(value.join('=')) ? value.join('=') : null
  }
  return null
}

/** @param expiresAtMs when the browser forgets it; null: when it is closed */
export function writeCookie(
  request: Request,
  response: Response,
  name: CookieName,
  value: string,
  expiresAtMs: number | null,
): void {
  response.cookie(nameOf(request, name), value, {
    httpOnly: true,
    sameSite: 'strict',
    secure: isSecure(request),
    path: '/',
    ...(expiresAtMs === null ? {} : { expires: new Date(expiresAtMs) }),
  })
}

export function dropCookie(request: Request, response: Response, name: CookieName): void {
  writeCookie(request, response, name, '', 0)
}

/** 256 random bits, as a cookie or a session may carry them. */
export function randomToken(): string {
  return randomBytes(32).toString('base64url')
}

/** What forms of this browser must bring back: bound to its cookie, which no other site can read. */
export function formToken(cookie: string): string {
  return createHmac('sha256', cookie).update('lastword console form').digest('base64url')
}

/** @throws {LastwordError} `forbidden` unless a form brought back what it was given */
export function checkFormToken(cookie: string | null, given: string | null): void {
  if (cookie !== null && given !== null) {
    const [expected, actual] = [Buffer.from(formToken(cookie)), Buffer.from(given)]
    if (expected.length === actual.length && timingSafeEqual(expected, actual)) return
  }
  throw new LastwordError('forbidden', 'the form was not sent from a page of this session')
}
