import { Validator } from '@seriousme/openapi-schema-validator'
import type { Express } from 'express'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { ERRORS } from '../../src/errors.js'
import { createLogger } from '../../src/log.js'
import { EVENT_KINDS } from '../../src/receipts/event.js'
import { API_ROUTES } from '../../src/web/api-routes.js'
import { createWebApp } from '../../src/web/app.js'
import { openApiDocument } from '../../src/web/openapi.js'

const unused = async () => Promise.reject(new TypeError('no request is made'))

/** The app with every door of the API, and none of the pages. */
function wholeApp(): Express {
  return createWebApp({
    log: createLogger('silent'),
    maxOutputBytes: 1_000,
    accept: unused,
    producerByKey: async () => null,
    notices: { record: unused, read: unused, cancel: unused },
    api: {
      deliveries: { list: unused, show: unused, replay: unused, cancel: unused },
      receipts: unused,
      webhooks: { list: unused, add: unused, remove: unused, enable: unused, test: unused },
    },
    readiness: async () => [],
    metrics: { contentType: 'text/plain', render: unused },
  })
}

interface Layer {
  readonly route?: { readonly path: string; readonly methods: Readonly<Record<string, boolean>> } | undefined
  readonly handle?: { readonly stack?: readonly Layer[] | undefined } | undefined
}

/** What express keeps of its routes; a layer's handler is a function, with a stack where it is a router. */
const Layers: z.ZodType<readonly Layer[]> = z.lazy(() =>
  z.array(
    z.object({
      route: z.object({ path: z.string(), methods: z.record(z.string(), z.boolean()) }).optional(),
      handle: z.custom<{ readonly stack?: unknown }>().transform(({ stack }) => ({
        stack: stack === undefined ? undefined : Layers.parse(stack),
      })),
    }),
  ),
)

function routesOf(layers: readonly Layer[]): readonly string[] {
  return layers.flatMap(({ route, handle }) =>
    route === undefined
      ? routesOf(handle?.stack ?? [])
      : Object.keys(route.methods).map((method) => `${method} ${route.path.replace(/:(\w+)/g, '{$1}')}`),
  )
}

describe('the OpenAPI document', () => {
  const document = openApiDocument('1.2.3')

  test('is valid OpenAPI 3.1', async () => {
    const result = await new Validator().validate(JSON.parse(JSON.stringify(document)))
    expect(result.errors).toBeUndefined()
    expect(result.valid).toBe(true)
  })

  test('describes the routes that are served, each of them and no other', () => {
    const served = routesOf(Layers.parse(wholeApp().router.stack))
    const described = API_ROUTES.map(({ method, path }) => `${method} ${path}`)
    expect([...described].sort()).toEqual([...served].sort())
    expect(new Set(described).size).toBe(described.length)
  })

  test('names every error with the status it is answered with', () => {
    for (const route of API_ROUTES) {
      const operation = JSON.parse(JSON.stringify(document)).paths[route.path][route.method]
      for (const code of route.errors) {
        expect(operation.responses[ERRORS[code].status].description).toContain(code)
      }
    }
  })

  test('describes every event that is sent', () => {
    expect(Object.keys(Object(document.webhooks)).sort()).toEqual(Object.keys(EVENT_KINDS).sort())
  })

  test('refers to nothing that is not there', () => {
    const text = JSON.stringify(document)
    const references = [...text.matchAll(/"\$ref":"([^"]+)"/g)].map(([, reference]) => reference)
    expect(new Set(references)).toEqual(new Set(['#/components/schemas/Problem']))
  })
})
