import type { JsonSchema } from './type-text.ts'

/** What /api/docs shows of the OpenAPI document. */
export interface OpenApi {
  openapi: string
  info: object
  paths: Record<string, { get: OpenApiRead }>
  components: { schemas: Record<string, JsonSchema> }
}

export interface OpenApiRead {
  operationId: string
  tags: string[]
  summary: string
  description: string
  parameters: OpenApiParameter[]
  responses: Record<string, { content?: Record<string, { schema: JsonSchema }> }>
}

export interface OpenApiParameter {
  name: string
  in: string
  required: boolean
  description: string
  schema: JsonSchema
  example?: string | number
}

/** A dog's id in the examples. */
const EXAMPLE_DOG_ID = '3f0a7a52-9d53-4a8e-8c39-8a1f7a0c2b11'

/** A curl command with the examples of the required parameters, or of the first two. @param origin of the site */
export function curlExample(path: string, { parameters }: OpenApiRead, origin: string): string {
  const ofQuery = parameters.filter((parameter) => parameter.in === 'query' && parameter.example !== undefined)
  const required = ofQuery.filter((parameter) => parameter.required)
  const shown = required.length > 0 ? required : ofQuery.slice(0, 2)
  const query = shown.map(({ name, example }) => [name, String(example)])
  return `curl "${origin}${path.replace('{id}', EXAMPLE_DOG_ID)}${query.length > 0 ? `?${new URLSearchParams(query)}` : ''}"`
}
