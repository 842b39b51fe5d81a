import { createHash } from 'node:crypto'
import type { Router } from 'express'
import { SCRIPT } from './script.js'
import { STYLE } from './style.js'
import { PREVIEW_STYLE } from './style-preview.js'

interface Asset {
  readonly path: string
  readonly type: string
  readonly body: string
}

function assetOf(name: string, extension: string, type: string, body: string): Asset {
  const version = createHash('sha256').update(body).digest('hex').slice(0, 12)
  return { path: `/assets/${name}-${version}.${extension}`, type, body }
}

const STYLESHEET = assetOf('console', 'css', 'text/css; charset=utf-8', STYLE + PREVIEW_STYLE)
const SCRIPT_FILE = assetOf('console', 'js', 'text/javascript; charset=utf-8', SCRIPT)

/** Addresses of what every page loads; the name changes with the content. */
export const ASSETS = { style: `/console${STYLESHEET.path}`, script: `/console${SCRIPT_FILE.path}` } as const

/** Serves the stylesheet and the script, to be kept by browsers for a year. */
export function addAssets(router: Router): void {
  for (const { path, type, body } of [STYLESHEET, SCRIPT_FILE]) {
    router.get(path, (_request, response) => {
      response
        .set({
          'Content-Type': type,
          'Cache-Control': 'public, max-age=31536000, immutable',
          'X-Content-Type-Options': 'nosniff',
        })
        .send(body)
    })
  }
}
