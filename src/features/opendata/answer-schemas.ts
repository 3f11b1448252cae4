import * as z from 'zod/mini'
import { breedsAnswer } from '#features/breeds/answers.ts'
import { publicCommentsAnswer } from '#features/comments/answers.ts'
import { dogPageAnswer, dogStatsAnswer, oneDogAnswer, publicDogAnswer } from '#features/dogs/answers.ts'
import { SIZES } from '#features/dogs/dogs.ts'
import { likersAnswer } from '#features/likes/answers.ts'
import { lostMarksAnswer, mapAnswer, mapDogsAnswer } from '#features/map/answers.ts'
import { geocodeAnswer, placesAnswer } from '#features/places/answers.ts'
import { AGE_UNITS } from '#lib/age.ts'

// The schemas of all public answers: those of their endpoints, and of the files to download. The OpenAPI document is generated
// from them, and the tests validate real answers against it.

/** The names under which the document lists schemas (`#/components/schemas/…`), and a description of each. */
export const SCHEMA_REGISTRY = z.registry<{ id: string; description?: string }>()

/** The name of a registered schema. */
export const schemaId = (schema: z.ZodMiniType): string => SCHEMA_REGISTRY.get(schema)!.id

const text = z.string()
const nonNegativeInt = z.int().check(z.minimum(0))
const nullable = <T extends z.ZodMiniType>(schema: T) => z.nullable(schema)
const registerSchema = <T extends z.ZodMiniType>(id: string, description: string, schema: T): T => {
  SCHEMA_REGISTRY.add(schema, { id, description })
  return schema
}

const cursor = nullable(text)
const lonLat = z.tuple([z.number(), z.number()])

registerSchema(
  'Perro',
  'Un perro. «likes» y «votes» son el mismo número; «path» es su página; «blur», dieciséis colores de su foto; «created_at», milisegundos desde 1970; «frame», el marco de temporada que le ha puesto quien es su dueño («christmas», «spring», «summer», «autumn») o null; «alt» de cada foto, lo que muestra según quien la subió, o null si no lo ha dicho. «name» es «???» cuando no tiene nombre.',
  publicDogAnswer,
)
registerSchema(
  'Cifras',
  'Las cifras de los filtros pedidos, y las de toda la comunidad («total», «breedsTotal», «todayTotal»). Las edades, en meses.',
  dogStatsAnswer,
)
export const dogPage = registerSchema('Perros', 'Una página de perros.', dogPageAnswer)
export const oneDog = registerSchema('UnPerro', 'Un perro.', oneDogAnswer)

export const likers = registerSchema(
  'MeGusta',
  'Una página de a quién le gusta, lo último primero. Cuántos son en total lo dice «likes» del perro.',
  likersAnswer,
)

export const comments = registerSchema(
  'Comentarios',
  'Una página de comentarios, lo último primero. «content» es texto, no HTML.',
  publicCommentsAnswer,
)

export const breeds = registerSchema(
  'Razas',
  'Todas las razas: su nombre y cómo se llama cada una en las direcciones.',
  breedsAnswer,
)
export const catalogue = registerSchema(
  'Catalogo',
  'Todas las razas con su retrato.',
  z.object({ razas: z.array(z.object({ id: z.int(), nombre_castellano: text, imagen_purina: text })) }),
)

export const map = registerSchema(
  'Mapa',
  'GeoJSON de perros y de grupos de ellos, 200 como mucho; más allá del zoom 14 un grupo lleva la foto del último. Los perros de una zona se reparten a su alrededor: ningún punto es una casa.',
  mapAnswer,
)
export const mapDogs = registerSchema(
  'PerrosDelMapa',
  'Una página de los perros de una parte del mapa, con dónde se dibuja cada uno («center»: longitud y latitud). «visible» cuenta todos los de la parte; «listed», los que tienen el dato del orden.',
  mapDogsAnswer,
)

export const mapLost = registerSchema(
  'PerdidosDelMapa',
  'GeoJSON de los perros perdidos de una parte del mapa, 200 como mucho, los últimos primero. El punto es el centro de un círculo de 500 m movido al azar: nunca donde se le vio.',
  lostMarksAnswer,
)

export const places = registerSchema(
  'Zonas',
  'Zonas que empiezan como lo escrito, las más habitadas primero.',
  placesAnswer,
)
export const geocode = registerSchema(
  'Punto',
  'El centro de una zona y su nombre; null si no la conocemos.',
  geocodeAnswer,
)

export const dogsGeojson = registerSchema(
  'DatosAbiertos',
  'GeoJSON de perros, el último primero. Cada punto es el centro de la zona que dice su ficha, nunca un lugar más exacto; «geometry» es null si la zona no está en ningún sitio que conozcamos.',
  z.object({
    type: z.literal('FeatureCollection'),
    features: z.array(
      z.object({
        type: z.literal('Feature'),
        id: z.uuid(),
        geometry: nullable(z.object({ type: z.literal('Point'), coordinates: lonLat })),
        properties: z.object({
          name: text,
          breed: text,
          breed_slug: text,
          age: nullable(nonNegativeInt),
          age_unit: nullable(z.enum(AGE_UNITS)),
          weight_kg: nullable(z.number()),
          size: nullable(z.enum(SIZES)),
          zone: nullable(text),
          province: nullable(text),
          likes: nonNegativeInt,
          created: z.iso.date(),
          page: text,
          photo: text,
        }),
      }),
    ),
    siguiente: cursor,
  }),
)

export const problem = registerSchema(
  'Problema',
  'Un error (RFC 9457). «detail» es una frase en español; «errors», una por cada campo equivocado.',
  z.object({
    type: text,
    title: text,
    status: z.int(),
    detail: text,
    errors: z.optional(z.record(text, text)),
    requestId: z.optional(text),
  }),
)
