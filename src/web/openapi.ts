import express, { type Router } from 'express'
import { z } from 'zod'
import { ERRORS, type ErrorCode } from '../errors.js'
import { EVENT_KINDS } from '../receipts/event.js'
import { API_ROUTES, type ApiRoute } from './api-routes.js'
import { Event } from './receipt-schema.js'

type Node = Readonly<Record<string, unknown>>

/** Errors that any route with a key may answer. */
const KEY_ERRORS = ['unauthorized', 'forbidden'] as const

const Problem = z.object({
  type: z.string(),
  title: z.string(),
  status: z.number().int(),
  code: z.enum(Object.keys(ERRORS)),
  errors: z.array(z.object({ path: z.string(), expected: z.string() })).optional(),
})

/** The OpenAPI 3.1 document of the API, made from the schemas that check requests. */
export function openApiDocument(version: string): Node {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Lastword',
      version,
      description: 'Hand in completed agent runs, and learn what became of them.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    paths: pathsOf(API_ROUTES),
    webhooks: Object.fromEntries(
      Object.entries(EVENT_KINDS).map(([kind, says]) => [kind, webhookOf(kind, says)]),
    ),
    components: {
      schemas: { Problem: schemaOf(Problem, 'output') },
      securitySchemes: { key: { type: 'http', scheme: 'bearer' } },
    },
  }
}

/** `GET /openapi.json`. */
export function openApiRouter(version: string): Router {
  const document = openApiDocument(version)
  const router = express.Router()
  router.get('/openapi.json', (_request, response) => void response.json(document))
  return router
}

function pathsOf(routes: readonly ApiRoute[]): Node {
  const paths = new Map<string, Record<string, Node>>()
  for (const route of routes) {
    const path = paths.get(route.path) ?? {}
    path[route.method] = operationOf(route)
    paths.set(route.path, path)
  }
  return Object.fromEntries(paths)
}

function operationOf(route: ApiRoute): Node {
  const parameters = [
    ...pathParameters(route.path),
    ...(route.query === undefined ? [] : queryParameters(route.query)),
  ]
  return {
    operationId: route.name,
    summary: route.summary,
    security: route.right === null ? [] : [{ key: [] }],
    ...(route.right === null ? {} : { description: `Needs a key with the right \`${route.right}\`.` }),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(route.body === undefined
      ? {}
      : {
          requestBody: {
            required: true,
            content: { 'application/json': { schema: schemaOf(route.body, 'input') } },
          },
        }),
    responses: { ...answersOf(route), ...problemsOf(route) },
  }
}

function pathParameters(path: string): readonly Node[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }))
}

function queryParameters(query: z.ZodObject): readonly Node[] {
  return Object.entries(query.shape).map(([name, schema]) => {
    const { description, ...rest } = schemaOf(z.union([schema]), 'input')
    return {
      name,
      in: 'query',
      required: false,
      ...(description === undefined ? {} : { description }),
      schema: rest,
    }
  })
}

function answersOf({ answers }: ApiRoute): Node {
  return Object.fromEntries(
    Object.entries(answers).map(([status, { says, body }]) => [
      status,
      {
        description: says,
        ...(body === null
          ? {}
          : {
              content:
                body === 'text'
                  ? { 'text/plain': { schema: { type: 'string' } } }
                  : { 'application/json': { schema: schemaOf(body, 'output') } },
            }),
      },
    ]),
  )
}

/** Errors of one status share a response; the codes tell them apart. */
function problemsOf(route: ApiRoute): Node {
  const codes: readonly ErrorCode[] = [...(route.right === null ? [] : KEY_ERRORS), ...route.errors]
  const byStatus = new Map<number, ErrorCode[]>()
  for (const code of codes)
    byStatus.set(ERRORS[code].status, [...(byStatus.get(ERRORS[code].status) ?? []), code])
  return Object.fromEntries(
    [...byStatus].map(([status, same]) => [
      status,
      {
        description: same.map((code) => `\`${code}\`: ${ERRORS[code].summary}`).join('; '),
        content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
      },
    ]),
  )
}

function webhookOf(kind: string, says: string): Node {
  return {
    post: {
      operationId: `on.${kind}`,
      summary: says,
      requestBody: {
        required: true,
        content: { 'application/json': { schema: schemaOf(Event.omit({ id: true }), 'output') } },
      },
      responses: { '2XX': { description: 'Taken. Anything else is tried again over a day.' } },
    },
  }
}

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): Node {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io })
  return rest
}
