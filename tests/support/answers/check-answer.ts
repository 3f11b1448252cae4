import * as z from 'zod/mini'
import { problem } from '#features/opendata/answer-schemas.ts'
import { type ApiEndpoint, readApiEndpoints } from '../../../scripts/lib/api-endpoints.ts'

const JSON_TYPE = /^application\/json\b/
const PROBLEM_TYPE = /^application\/problem\+json\b/

/** What a server answered. */
export interface RealAnswer {
  status: number
  type: string
  text: string
}

/** The endpoint of `route`, as the matrix names it: `GET /api/dogs/[id]`. */
export async function findEndpoint(route: string): Promise<ApiEndpoint | undefined> {
  endpoints ??= await readApiEndpoints()
  return endpoints.find(({ method, path }) => `${method} ${path}` === route)
}
let endpoints: ApiEndpoint[] | undefined

/**
 * How an answer differs from its endpoint's schema, with every object closed: a field that no schema names is a difference.
 * Null for one that does not, and for what the endpoint's document says nothing of: pages, files, redirects.
 */
export function answerDifference(endpoint: ApiEndpoint, { status, type, text }: RealAnswer): string | null {
  if (PROBLEM_TYPE.test(type)) return schemaDifference(problem, JSON.parse(text))
  const answer = endpoint.answers?.[status]
  if (answer === undefined) return `${status} is no status of its answers`
  if (answer === null) return text === '' ? null : `${status} with a body`
  if (typeof answer === 'string') return type.startsWith(answer) ? null : `${type} instead of ${answer}`
  return JSON_TYPE.test(type) ? schemaDifference(answer, JSON.parse(text)) : `${type} instead of JSON`
}

/** How a value differs from what a schema describes; null for no difference. */
export function schemaDifference(schema: z.ZodMiniType, value: unknown): string | null {
  const result = schema.safeParse(value)
  if (!result.success) return JSON.stringify(result.error.issues).slice(0, 600)
  // Parsing drops what the schema does not name.
  const extra = findExtra(value, result.data, '')
  return extra && `${extra} is in no schema`
}

/** The path of the first part of `value` that `known` lacks; null where there is none. */
function findExtra(value: unknown, known: unknown, path: string): string | null {
  if (typeof value !== 'object' || value === null) return null
  if (typeof known !== 'object' || known === null) return path
  const parts = Object.entries(known)
  for (const [name, part] of Object.entries(value)) {
    const match = parts.find(([key]) => key === name)
    if (!match) return `${path}.${name}`
    const extra = findExtra(part, match[1], `${path}.${name}`)
    if (extra) return extra
  }
  return null
}
