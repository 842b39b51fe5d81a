import type { NextFunction, Request, Response } from 'express'
import { ERRORS, LastwordError } from '../../errors.js'
import type { Logger } from '../../log.js'
import { problemPage } from './small-pages.js'
import type { Texts } from './texts.js'
import { sendPage, visitOf } from './visit.js'

type Kind = 'notFound' | 'forbidden' | 'conflict' | 'invalid' | 'broken'

/** Answers every failure of a page with a page. Express finds it by its four arguments. */
export function answerWithPage(log: Logger) {
  return (error: unknown, request: Request, response: Response, next: NextFunction): void => {
    if (response.headersSent || response.locals.visit === undefined) {
      next(error)
      return
    }
    const status = statusOf(error)
    if (status >= 500) log.error({ err: error, path: request.path }, 'a console page met a fault of ours')
    const { format } = visitOf(response).frame
    const { title, text } = wordsFor(status, format.texts)
    sendPage(response, { title, section: null, content: problemPage(format, title, text) }, status)
  }
}

function statusOf(error: unknown): number {
  if (error instanceof LastwordError) return ERRORS[error.code].status
  // Express and its body parser say whose fault it was.
  const status = error instanceof Error && 'status' in error ? error.status : null
  return typeof status === 'number' && status >= 400 && status < 500 ? 400 : 500
}

function wordsFor(status: number, { errors }: Texts): { readonly title: string; readonly text: string } {
  const kind = kindOf(status)
  return { title: errors[`${kind}Title`], text: errors[kind] }
}

function kindOf(status: number): Kind {
  if (status >= 500) return 'broken'
  if (status === 404) return 'notFound'
  if (status === 401 || status === 403) return 'forbidden'
  return status === 409 ? 'conflict' : 'invalid'
}
