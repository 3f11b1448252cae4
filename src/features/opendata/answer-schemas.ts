import * as z from 'zod/mini'
import { SIZES } from '#features/dogs/dogs.ts'
import { AGE_UNITS } from '#lib/age.ts'

// The schemas of all public answers. The OpenAPI document is generated from them, and the tests validate real answers
// against it.

/** The names under which the document lists schemas (`#/components/schemas/…`), and a description of each. */
export const SCHEMA_REGISTRY = z.registry<{ id: string; description?: string }>()

const text = z.string()
const nonNegativeInt = z.int().check(z.minimum(0))
const uuid = z.uuid()
const nullable = <T extends z.ZodMiniType>(schema: T) => z.nullable(schema)
const registerSchema = <T extends z.ZodMiniType>(id: string, description: string, schema: T): T => {
  SCHEMA_REGISTRY.add(schema, { id, description })
  return schema
}

const cursor = nullable(text)
const timestampMs = z.int()
const lonLat = z.tuple([z.number(), z.number()])
const bboxTuple = z.tuple([z.number(), z.number(), z.number(), z.number()])

const image = z.object({
  url: text,
  order: nonNegativeInt,
  width: nonNegativeInt,
  height: nonNegativeInt,
  alt: nullable(text),
})

const dogShape = {
  id: uuid,
  name: text,
  breed: text,
  breed_slug: text,
  age: nullable(nonNegativeInt),
  age_unit: nullable(z.enum(AGE_UNITS)),
  weight: nullable(z.number()),
  zone: nullable(text),
  is_adopted: z.boolean(),
  description: nullable(text),
  size: nullable(z.enum(SIZES)),
  photo_url: text,
  user_id: nullable(uuid),
  owner_id: nullable(uuid),
  discoverer_id: nullable(uuid),
  created_at: timestampMs,
  likes: nonNegativeInt,
  votes: nonNegativeInt,
  comments: nonNegativeInt,
  path: text,
  card: nullable(z.enum(['holo', 'platinum'])),
  blur: nullable(text),
  images: z.array(image),
}

export const dog = registerSchema(
  'Perro',
  'Un perro. «likes» y «votes» son el mismo número; «path» es su página; «blur», dieciséis colores de su foto; «created_at», milisegundos desde 1970; «alt» de cada foto, lo que muestra según quien la subió, o null si no lo ha dicho. «name» es «???» cuando no tiene nombre.',
  z.object(dogShape),
)

const figure = nullable(z.number())
export const stats = registerSchema(
  'Cifras',
  'Las cifras de los filtros pedidos, y las de toda la comunidad («total», «breedsTotal», «todayTotal»). Las edades, en meses.',
  z.object({
    dogs: nonNegativeInt,
    breeds: nonNegativeInt,
    today: nonNegativeInt,
    total: nonNegativeInt,
    breedsTotal: nonNegativeInt,
    todayTotal: nonNegativeInt,
    likes: nonNegativeInt,
    likesMax: figure,
    likesMin: figure,
    weightMax: figure,
    weightMin: figure,
    ageMax: figure,
    ageMin: figure,
  }),
)

export const dogPage = registerSchema(
  'Perros',
  'Una página de perros.',
  z.object({ dogs: z.array(dog), nextCursor: cursor, stats }),
)
export const oneDog = registerSchema('UnPerro', 'Un perro.', z.object({ dog }))

export const likers = registerSchema(
  'MeGusta',
  'Una página de a quién le gusta, lo último primero. Cuántos son en total lo dice «likes» del perro.',
  z.object({ likers: z.array(z.object({ id: uuid, alias: text, emoji: text })), nextCursor: cursor }),
)

export const comments = registerSchema(
  'Comentarios',
  'Una página de comentarios, lo último primero. «content» es texto, no HTML.',
  z.object({
    comments: z.array(
      z.object({
        id: uuid,
        user_id: uuid,
        dog_id: uuid,
        content: text,
        created_at: timestampMs,
        alias: text,
        emoji: text,
      }),
    ),
    nextCursor: cursor,
  }),
)

export const breeds = registerSchema(
  'Razas',
  'Todas las razas: su nombre y cómo se llama cada una en las direcciones.',
  z.object({ breeds: z.array(z.object({ slug: text, name: text })) }),
)
export const catalogue = registerSchema(
  'Catalogo',
  'Todas las razas con su retrato.',
  z.object({ razas: z.array(z.object({ id: z.int(), nombre_castellano: text, imagen_purina: text })) }),
)

const point = z.object({ type: z.literal('Point'), coordinates: lonLat })
const mark = z.union([
  z.object({
    type: z.literal('Feature'),
    id: uuid,
    geometry: point,
    properties: z.object({
      id: uuid,
      name: text,
      breed: text,
      breed_slug: text,
      zone: nullable(text),
      photo_url: text,
      path: text,
      likes: nonNegativeInt,
    }),
  }),
  z.object({
    type: z.literal('Feature'),
    id: z.int(),
    bbox: bboxTuple,
    geometry: point,
    properties: z.object({
      cluster: z.literal(true),
      cluster_id: z.int(),
      point_count: nonNegativeInt,
      point_count_abbreviated: z.union([text, z.number()]),
      expansion_zoom: nullable(z.int()),
      photo_url: z.optional(text),
    }),
  }),
])
export const map = registerSchema(
  'Mapa',
  'GeoJSON de perros y de grupos de ellos, 200 como mucho; más allá del zoom 14 un grupo lleva la foto del último. Los perros de una zona se reparten a su alrededor: ningún punto es una casa.',
  z.object({
    type: z.literal('FeatureCollection'),
    features: z.array(mark),
    visible: nonNegativeInt,
    total: nonNegativeInt,
  }),
)
export const mapDogs = registerSchema(
  'PerrosDelMapa',
  'Una página de los perros de una parte del mapa, con dónde se dibuja cada uno («center»: longitud y latitud). «visible» cuenta todos los de la parte; «listed», los que tienen el dato del orden.',
  z.object({
    dogs: z.array(z.object({ ...dogShape, center: lonLat })),
    nextCursor: cursor,
    visible: nonNegativeInt,
    listed: nonNegativeInt,
  }),
)

const kinds = ['municipality', 'province', 'region', 'island', 'district', 'city'] as const
export const places = registerSchema(
  'Zonas',
  'Zonas que empiezan como lo escrito, las más habitadas primero.',
  z.object({ places: z.array(z.object({ name: text, kind: z.enum(kinds) })) }),
)
export const geocode = registerSchema(
  'Punto',
  'El centro de una zona y su nombre; null si no la conocemos.',
  nullable(z.object({ center: lonLat, place_name: text })),
)

export const dogsGeojson = registerSchema(
  'DatosAbiertos',
  'GeoJSON de perros, el último primero. Cada punto es el centro de la zona que dice su ficha, nunca un lugar más exacto; «geometry» es null si la zona no está en ningún sitio que conozcamos.',
  z.object({
    type: z.literal('FeatureCollection'),
    features: z.array(
      z.object({
        type: z.literal('Feature'),
        id: uuid,
        geometry: nullable(point),
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
