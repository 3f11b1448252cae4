import type * as z from 'zod/mini'
import { listProvinces } from '#features/places/provinces.server.ts'
import { getEnv } from '#server/env.ts'
import type { Docs, ShownOperation } from './docs.ts'
import { schemaId } from './answer-schemas.ts'
import { answerSchemas, callsPerMinute, type Parameter, parametersOf, refusalsOf } from './openapi.http.ts'
import { DOWNLOADS, type Operation, OPERATIONS } from './operations.http.ts'
import { typeText } from './type-text.ts'

/** A dog's id in the examples. */
const EXAMPLE_DOG_ID = '3f0a7a52-9d53-4a8e-8c39-8a1f7a0c2b11'

function curlExample(path: string, parameters: readonly Parameter[], siteUrl: string | undefined): string {
  const requiredParameters = parameters.filter(
    ({ in: where, required, example }) => where === 'query' && required && example,
  )
  const shownParameters =
    requiredParameters.length > 0
      ? requiredParameters
      : parameters.filter(({ example }) => example !== undefined).slice(0, 2)
  const query = new URLSearchParams(shownParameters.map(({ name, example }) => [name, String(example)]))
  const address = path.replace('{id}', EXAMPLE_DOG_ID) + (query.size > 0 ? `?${query}` : '')
  return `curl "${siteUrl ?? '$SITIO'}${address}"`
}

function toShownOperation(operation: Operation, siteUrl: string | undefined): ShownOperation {
  const { id, path, summary, description, caching, answer } = operation
  const [[type, schema]] = Object.entries(answer) as [[string, z.ZodMiniType | 'text']]
  const parameters = parametersOf(operation)
  return {
    id,
    path,
    summary,
    description,
    caching,
    parameters: parameters.map((parameter) => ({
      name: parameter.name,
      required: parameter.required,
      type: typeText(parameter.schema),
      description: parameter.description,
    })),
    curl: curlExample(path, parameters, siteUrl),
    answer: schema === 'text' ? null : schemaId(schema),
    type,
    refusals: [...refusalsOf(operation)],
  }
}

/** Builds the data of /api/docs from the same operations and schemas as `GET /api/openapi.json`. */
export function buildDocs(): Docs {
  const { siteUrl } = getEnv()
  return {
    reads: OPERATIONS.map((operation) => toShownOperation(operation, siteUrl)),
    downloads: DOWNLOADS.map((operation) => toShownOperation(operation, siteUrl)),
    schemas: Object.entries(answerSchemas()).map(([name, schema]) => ({
      name,
      description: (schema.description as string | undefined) ?? '',
      text: typeText(schema),
    })),
    provinces: listProvinces().toSorted((a, b) => a.name.localeCompare(b.name, 'es')),
    perMinute: callsPerMinute(),
    hasAddress: siteUrl !== undefined,
  }
}
