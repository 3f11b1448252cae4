import { readFileSync } from 'node:fs'
import * as z from 'zod/mini'
import { toJSONSchema } from 'zod/v4/core'
import { breedsAnswer } from '../../src/features/breeds/answers.ts'
import { publicCommentsAnswer } from '../../src/features/comments/answers.ts'
import { dogPageAnswer, dogStatsAnswer, oneDogAnswer, publicDogAnswer } from '../../src/features/dogs/answers.ts'
import { likersAnswer } from '../../src/features/likes/answers.ts'
import { lostMarksAnswer, mapAnswer, mapDogsAnswer } from '../../src/features/map/answers.ts'
import { catalogue, dogsGeojson, problem } from '../../src/features/opendata/answer-schemas.ts'
import type { OpenApi, OpenApiParameter } from '../../src/features/opendata/openapi.ts'
import type { JsonSchema } from '../../src/features/opendata/type-text.ts'
import { geocodeAnswer, placesAnswer } from '../../src/features/places/answers.ts'

export const OPENAPI_FILE = new URL('../../data/openapi.json', import.meta.url)

/** The schemas with which endpoints check their queries: file and export. */
const QUERIES: Record<string, readonly [file: string, name: string]> = {
  '/api/dogs': ['dogs/list/dog-query.ts', 'dogQuerySchema'],
  '/api/dogs/{id}/likes': ['likes/likes.http.ts', 'likersQuerySchema'],
  '/api/dogs/{id}/comments': ['comments/comments.http.ts', 'commentsQuerySchema'],
  '/api/map': ['map/map-query.ts', 'mapQuerySchema'],
  '/api/map/dogs': ['map/map-query.ts', 'mapDogsQuerySchema'],
  '/api/map/lost': ['map/map-query.ts', 'lostMarksQuerySchema'],
  '/api/places': ['places/places.http.ts', 'placesQuerySchema'],
  '/api/geocode': ['places/places.http.ts', 'geocodeQuerySchema'],
  '/datos/perros.csv': ['opendata/datasets.ts', 'csvQuerySchema'],
  '/datos/perros.geojson': ['opendata/datasets.ts', 'datasetQuerySchema'],
}

/** The schemas of answers by their names in the document. */
const ANSWERS: Record<string, z.ZodMiniType> = {
  Perro: publicDogAnswer,
  Cifras: dogStatsAnswer,
  Perros: dogPageAnswer,
  UnPerro: oneDogAnswer,
  MeGusta: likersAnswer,
  Comentarios: publicCommentsAnswer,
  Razas: breedsAnswer,
  Catalogo: catalogue,
  Mapa: mapAnswer,
  PerrosDelMapa: mapDogsAnswer,
  PerdidosDelMapa: lostMarksAnswer,
  Zonas: placesAnswer,
  Punto: geocodeAnswer,
  DatosAbiertos: dogsGeojson,
  Problema: problem,
}

/** The parameters that a query schema takes, with what the document says of those that it has already. */
function parametersOf(query: z.ZodMiniObject, written: OpenApiParameter[]): OpenApiParameter[] {
  const { properties = {}, required = [] } = toJSONSchema(query, { io: 'input', unrepresentable: 'any' }) as JsonSchema
  const ofQuery = Object.entries(properties).map(([name, schema]): OpenApiParameter => {
    const known = written.find((parameter) => parameter.name === name)
    // Of a text that the endpoint reads as a number or a size only the document knows what it may be.
    const isPlain = !schema.enum && schema.const === undefined
    return {
      name,
      in: 'query',
      required: required.includes(name),
      description: known?.description ?? '',
      schema: (isPlain && known?.schema) || schema,
      ...(known?.example !== undefined && { example: known.example }),
    }
  })
  return [...written.filter((parameter) => parameter.in === 'path'), ...ofQuery]
}

function schemasOf(written: OpenApi['components']['schemas']): OpenApi['components']['schemas'] {
  const registry = z.registry<{ id: string; description?: string }>()
  for (const [id, answer] of Object.entries(ANSWERS))
    registry.add(answer, { id, description: written[id]?.description ?? '' })
  const { schemas } = toJSONSchema(registry, { io: 'input', uri: (id) => `#/components/schemas/${id}` })
  // These identify a standalone schema; inside the document its key does.
  for (const schema of Object.values(schemas)) for (const name of ['$schema', '$id', 'id']) delete schema[name]
  return schemas as OpenApi['components']['schemas']
}

/** data/openapi.json with the parameters and answers of today's endpoints. Its words are edited there. */
export async function writeOpenApi(): Promise<string> {
  const document: OpenApi = JSON.parse(readFileSync(OPENAPI_FILE, 'utf8'))
  for (const [path, [file, name]] of Object.entries(QUERIES)) {
    const { [name]: query } = await import(new URL(`../../src/features/${file}`, import.meta.url).href)
    const { get } = document.paths[path]!
    get.parameters = parametersOf(query, get.parameters)
  }
  document.components.schemas = schemasOf(document.components.schemas)
  return `${JSON.stringify(document, null, 2)}\n`
}
