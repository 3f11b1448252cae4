import type * as z from 'zod/mini'
import { toJSONSchema } from 'zod/v4/core'
import { paths } from '#lib/paths.ts'
import { getEnv } from '#server/env.ts'
import { endpoint } from '#server/endpoint.ts'
import { problem, SCHEMA_REGISTRY, schemaId } from './answer-schemas.ts'
import { etagResponse } from './opendata.http.ts'
import { DOWNLOADS, type Operation, OPERATIONS, type ParameterDoc } from './operations.http.ts'

type JsonObject = Record<string, unknown>

const REF = '#/components/schemas/'
const ref = (schema: z.ZodMiniType) => ({ $ref: `${REF}${schemaId(schema)}` })

/** Converts the endpoint's own query schema to JSON Schema. */
function querySchema(query: z.ZodMiniObject): { properties: Record<string, JsonObject>; required: string[] } {
  const { properties = {}, required = [] } = toJSONSchema(query, { io: 'input', unrepresentable: 'any' }) as {
    properties?: Record<string, JsonObject>
    required?: string[]
  }
  return { properties, required }
}

/** A parameter as OpenAPI describes it. */
export interface Parameter {
  name: string
  in: 'path' | 'query'
  required: boolean
  description: string
  schema: JsonObject
  example?: string | number
}

/** The parameters of an operation: first those of its path, then those of its query. */
export function parametersOf({ path, query, parameterDocs = {} }: Operation): Parameter[] {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']): Parameter => ({
    name,
    in: 'path',
    required: true,
    description: 'El «id» del perro.',
    schema: { type: 'string', format: 'uuid' },
  }))
  if (!query) return inPath
  const { properties, required } = querySchema(query)
  const inQuery = Object.entries(properties).map(([name, schema]): Parameter => {
    const { description = '', example, schema: schemaOverride }: Partial<ParameterDoc> = parameterDocs[name] ?? {}
    return {
      name,
      in: 'query',
      required: required.includes(name),
      description,
      schema: schemaOverride ?? schema,
      ...(example !== undefined && { example }),
    }
  })
  return [...inPath, ...inQuery]
}

const REFUSALS = {
  404: 'No existe, o ya no está a la vista.',
  422: 'Algún parámetro no vale: «errors» dice cuál.',
  429: 'Demasiadas peticiones: «Retry-After» dice cuántos segundos esperar.',
  503: 'Ahora mismo no se puede: «Retry-After» dice cuándo volver.',
} as const
const RETRYABLE_STATUSES: readonly number[] = [429, 503]

const refusal = (status: keyof typeof REFUSALS) => ({
  description: REFUSALS[status],
  ...(RETRYABLE_STATUSES.includes(status) && {
    headers: { 'Retry-After': { description: 'Segundos.', schema: { type: 'integer' } } },
  }),
  content: { 'application/problem+json': { schema: ref(problem) } },
})

/** The error statuses of an operation. Files and /api/ have a rate limit (429); /razas-final.json has none. */
export const refusalsOf = (operation: Operation): readonly (keyof typeof REFUSALS)[] => [
  ...operation.refusals,
  ...(operation.path.startsWith('/api/') || DOWNLOADS.includes(operation) ? [429 as const] : []),
]

const LINK = {
  Link: { description: 'El archivo siguiente, con rel="next"; falta en el último.', schema: { type: 'string' } },
}

function toOpenApiOperation(operation: Operation, tag: string, perMinute: number): JsonObject {
  const { id, summary, description, answer, caching } = operation
  const isFile = DOWNLOADS.includes(operation)
  const limitPerMinute = operation.perMinute ?? perMinute
  const content = Object.entries(answer).map(([type, schema]) => [
    type,
    { schema: schema === 'text' ? { type: 'string' } : ref(schema) },
  ])
  const refusals = refusalsOf(operation)
  return {
    operationId: id,
    tags: [tag],
    summary,
    description: `${description} ${caching}${refusals.includes(429) && limitPerMinute ? ` Hasta ${limitPerMinute} peticiones por minuto.` : ''}`,
    parameters: parametersOf(operation),
    responses: {
      200: { description: 'Lo pedido.', ...(isFile && { headers: LINK }), content: Object.fromEntries(content) },
      ...(/ETag/.test(caching) && { 304: { description: 'No ha cambiado desde la vez anterior.' } }),
      ...Object.fromEntries(refusals.map((status) => [status, refusal(status)])),
    },
  }
}

/** The JSON Schemas of all answers, by name. */
export function answerSchemas(): Record<string, JsonObject> {
  const { schemas } = toJSONSchema(SCHEMA_REGISTRY, { io: 'input', uri: (id) => `${REF}${id}` }) as {
    schemas: Record<string, JsonObject>
  }
  // These identify a standalone schema; inside the document its key does.
  for (const schema of Object.values(schemas)) for (const name of ['$schema', '$id', 'id']) delete schema[name]
  return schemas
}

export interface OpenApiOptions {
  siteUrl?: string | undefined
  /** Requests per network and minute; 0 for no limit. */
  perMinute: number
}

/**
 * Builds the OpenAPI 3.1 description of all reads that need no session. Parameters come from the schemas that validate them,
 * answers from those of answer-schemas.ts, against which the tests validate real answers.
 * @param options.siteUrl the origin; without it the document has no absolute addresses
 */
export function buildOpenApi({ siteUrl, perMinute }: OpenApiOptions): JsonObject {
  const part = (operations: readonly Operation[], tag: string) =>
    operations.map((operation) => [operation.path, { get: toOpenApiOperation(operation, tag, perMinute) }])
  return {
    openapi: '3.1.0',
    info: {
      title: 'Perrario',
      version: '1.0.0',
      summary: 'Lo que un programa puede leer del álbum de los perros, sin cuenta.',
      description: ABOUT,
      ...(siteUrl && {
        termsOfService: siteUrl + paths.terms,
        contact: { name: 'Quien administra este sitio', url: siteUrl + paths.terms },
      }),
    },
    ...(siteUrl && {
      servers: [{ url: siteUrl }],
      externalDocs: { description: 'Lo mismo, para leer', url: siteUrl + paths.apiDocs },
    }),
    tags: [
      { name: 'Lecturas', description: 'JSON, por páginas.' },
      { name: 'Descargas', description: 'Todos los perros, en archivos.' },
    ],
    paths: Object.fromEntries([...part(OPERATIONS, 'Lecturas'), ...part(DOWNLOADS, 'Descargas')]),
    components: { schemas: answerSchemas() },
  }
}

const ABOUT =
  'Solo lecturas, sin cuenta ni clave. Los errores son application/problem+json (RFC 9457), con una frase en español. Las listas van por páginas: cada una trae un cursor con el que se pide la siguiente. Las fotos y los textos son de quien los subió y siguen los términos de uso; los perros ocultos o retirados no salen.'

/** API requests per network and minute: twice as many as page renders (server/limits/api-limits.ts). */
export const callsPerMinute = (): number => getEnv().rendersPerMinute * 2

/** `GET /api/openapi.json` */
export const serveOpenApi = endpoint({ 200: 'application/json', 304: null }, (context) => {
  const body = JSON.stringify(buildOpenApi({ siteUrl: getEnv().siteUrl, perMinute: callsPerMinute() }))
  return etagResponse(context, body, { 'Content-Type': 'application/json; charset=utf-8' })
})
