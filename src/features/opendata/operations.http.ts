import type * as z from 'zod/mini'
import { commentsQuerySchema } from '#features/comments/comments.http.ts'
import { COMMENTS_PAGE_SIZE, COMMENTS_PAGE_MAX } from '#features/comments/comments.ts'
import { dogQuerySchema, DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE } from '#features/dogs/list/dog-query.ts'
import { SIZES } from '#features/dogs/dogs.ts'
import { likersQuerySchema } from '#features/likes/likes.http.ts'
import { LIKERS_PAGE_SIZE, LIKERS_PAGE_MAX } from '#features/likes/likes.ts'
import { lostMarksQuerySchema, mapDogsQuerySchema, mapQuerySchema } from '#features/map/map-query.ts'
import { ZOOM_DEFAULT, ZOOM_MAX, ZOOM_MIN } from '#features/map/map.ts'
import {
  geocodeQuerySchema,
  placesQuerySchema,
  SEARCHES_PER_MINUTE,
  SUGGESTIONS_PER_MINUTE,
} from '#features/places/places.http.ts'
import * as answers from './answer-schemas.ts'
import { csvQuerySchema, datasetQuerySchema, FILE_MAX_ROWS } from './datasets.ts'

/** What the document adds to a parameter's schema: a description, a working example, and a schema that replaces a vaguer one. */
export interface ParameterDoc {
  description: string
  example?: string | number
  schema?: Record<string, unknown>
}

export interface Operation {
  path: string
  id: string
  summary: string
  description: string
  /** The schema with which the endpoint validates the query. */
  query?: z.ZodMiniObject
  parameterDocs?: Record<string, ParameterDoc>
  /** The answer by media type: a registered schema, or `text`. */
  answer: Record<string, z.ZodMiniType | 'text'>
  /** The error statuses besides 429. */
  refusals: readonly (404 | 422 | 503)[]
  caching: string
  /** Requests per network and minute, where the operation has a limit of its own. */
  perMinute?: number
}

const JSON_TYPE = 'application/json'
const limitDoc = (maxSize: number, defaultSize: number): ParameterDoc => ({
  description: `Cuántos trae una página; ${defaultSize} si no se dice.`,
  example: 10,
  schema: { type: 'integer', minimum: 1, maximum: maxSize, default: defaultSize },
})
const cursorDoc: ParameterDoc = { description: 'El «nextCursor» de la página anterior. Es opaco: no lo construyas.' }
const breedDoc: ParameterDoc = {
  description: 'Una raza, por su nombre, por otro de sus nombres o como sale en su dirección.',
  example: 'beagle',
}
const sizeDoc: ParameterDoc = {
  description: 'Un tamaño.',
  example: 'mediano',
  schema: { type: 'string', enum: [...SIZES] },
}
const bboxDoc: ParameterDoc = { description: 'Oeste, sur, este y norte, en grados.', example: '-10,35,5,45' }
const NO_STORE_TEXT = 'Cambia en cualquier momento: no se guarda («no-store»).'
const ETAG_TEXT = 'Lleva ETag: si nada ha cambiado, «If-None-Match» recibe un 304.'
const FILE_PARAMETER_DOCS: Record<string, ParameterDoc> = {
  raza: { description: 'Solo los de esta raza, por cualquiera de sus nombres.', example: 'beagle' },
  provincia: {
    description: 'Solo los de esta provincia, por su nombre en cualquiera de sus lenguas o por su número del INE.',
    example: 'madrid',
  },
  cursor: { description: 'Donde empieza el archivo: lo lleva la cabecera «Link» del anterior.' },
}

const sortDoc = {
  description: 'El orden. Por peso y por edad salen solo los perros que los dicen.',
  example: 'votes-desc',
}

/** All JSON reads that need no session, in the order of the documentation. */
export const OPERATIONS: readonly Operation[] = [
  {
    path: '/api/dogs',
    id: 'perros',
    summary: 'Perros, por páginas',
    description:
      'Los perros de la comunidad, los últimos primero si no se pide otro orden, con las cifras de los filtros.',
    query: dogQuerySchema,
    parameterDocs: {
      breed: breedDoc,
      size: sizeDoc,
      sort: sortDoc,
      cursor: cursorDoc,
      limit: limitDoc(MAX_PAGE_SIZE, DEFAULT_PAGE_SIZE),
    },
    answer: { [JSON_TYPE]: answers.dogPage },
    refusals: [422],
    caching: NO_STORE_TEXT,
  },
  {
    path: '/api/dogs/{id}',
    id: 'perro',
    summary: 'Un perro',
    description: 'Un perro con todas sus fotos y cuántos me gusta tiene («likes»).',
    answer: { [JSON_TYPE]: answers.oneDog },
    refusals: [404],
    caching: NO_STORE_TEXT,
  },
  {
    path: '/api/dogs/{id}/likes',
    id: 'meGusta',
    summary: 'A quién le gusta un perro',
    description: 'Quién le ha dado me gusta, por páginas.',
    query: likersQuerySchema,
    parameterDocs: { cursor: cursorDoc, limit: limitDoc(LIKERS_PAGE_MAX, LIKERS_PAGE_SIZE) },
    answer: { [JSON_TYPE]: answers.likers },
    refusals: [404, 422],
    caching: NO_STORE_TEXT,
  },
  {
    path: '/api/dogs/{id}/comments',
    id: 'comentarios',
    summary: 'Los comentarios de un perro',
    description: 'Lo que se ha dicho de él, por páginas.',
    query: commentsQuerySchema,
    parameterDocs: { cursor: cursorDoc, limit: limitDoc(COMMENTS_PAGE_MAX, COMMENTS_PAGE_SIZE) },
    answer: { [JSON_TYPE]: answers.comments },
    refusals: [404, 422],
    caching: NO_STORE_TEXT,
  },
  {
    path: '/api/breeds',
    id: 'razas',
    summary: 'Los nombres de las razas',
    description: 'Todas las razas del álbum, por su nombre y por el de su dirección.',
    answer: { [JSON_TYPE]: answers.breeds },
    refusals: [],
    caching: `Se puede guardar una hora. ${ETAG_TEXT}`,
  },
  {
    path: '/razas-final.json',
    id: 'catalogo',
    summary: 'Las razas y sus retratos',
    description: 'Todas las razas del álbum, con la dirección de su retrato.',
    answer: { [JSON_TYPE]: answers.catalogue },
    refusals: [],
    caching: `Se puede guardar una hora. ${ETAG_TEXT}`,
  },
  {
    path: '/api/map',
    id: 'mapa',
    summary: 'El mapa',
    description: 'Perros y grupos de perros de una parte del mapa, en GeoJSON.',
    query: mapQuerySchema,
    parameterDocs: {
      bbox: bboxDoc,
      view: {
        description: 'La parte de «bbox» cuyos perros cuenta «visible»; toda si no se dice.',
        example: '-4,40,-3,41',
      },
      zoom: {
        description: 'Con qué detalle: a mayor zoom, menos grupos.',
        example: 6,
        schema: { type: 'integer', minimum: ZOOM_MIN, maximum: ZOOM_MAX, default: ZOOM_DEFAULT },
      },
      breed: breedDoc,
      size: sizeDoc,
    },
    answer: { [JSON_TYPE]: answers.map },
    refusals: [422, 503],
    caching: ETAG_TEXT,
  },
  {
    path: '/api/map/dogs',
    id: 'perrosDelMapa',
    summary: 'Los perros de una parte del mapa',
    description: 'Los mismos perros uno a uno, por páginas, los últimos primero si no se pide otro orden.',
    query: mapDogsQuerySchema,
    parameterDocs: {
      bbox: bboxDoc,
      breed: breedDoc,
      size: sizeDoc,
      sort: sortDoc,
      cursor: cursorDoc,
      limit: limitDoc(MAX_PAGE_SIZE, DEFAULT_PAGE_SIZE),
    },
    answer: { [JSON_TYPE]: answers.mapDogs },
    refusals: [422, 503],
    caching: NO_STORE_TEXT,
  },
  {
    path: '/api/map/lost',
    id: 'perdidosDelMapa',
    summary: 'Los perros perdidos de una parte del mapa',
    description: 'Los perros que sus familias buscan ahora, en GeoJSON, los últimos primero.',
    query: lostMarksQuerySchema,
    parameterDocs: { bbox: bboxDoc },
    answer: { [JSON_TYPE]: answers.mapLost },
    refusals: [422],
    caching: NO_STORE_TEXT,
  },
  {
    path: '/api/places',
    id: 'zonas',
    summary: 'Zonas que empiezan así',
    description: 'Municipios, barrios, islas y ciudades cuyo nombre empieza como el texto.',
    query: placesQuerySchema,
    parameterDocs: { q: { description: 'El principio de un nombre: dos letras o más.', example: 'cham' } },
    answer: { [JSON_TYPE]: answers.places },
    refusals: [422],
    caching: 'Se puede guardar un día.',
    perMinute: SUGGESTIONS_PER_MINUTE,
  },
  {
    path: '/api/geocode',
    id: 'punto',
    summary: 'Dónde está una zona',
    description: 'El centro de la zona que dice el texto.',
    query: geocodeQuerySchema,
    parameterDocs: { q: { description: 'Una zona, como se escribe: de 3 a 100 letras.', example: 'Chamberí, Madrid' } },
    answer: { [JSON_TYPE]: answers.geocode },
    refusals: [422],
    caching: NO_STORE_TEXT,
    perMinute: SEARCHES_PER_MINUTE,
  },
]

/** Files per network and minute: each has thousands of dogs. */
export const FILES_PER_MINUTE = 120

/** The files to download. */
export const DOWNLOADS: readonly Operation[] = [
  {
    path: '/datos/perros.csv',
    id: 'perrosCsv',
    summary: 'Perros en CSV',
    description: `Hasta ${FILE_MAX_ROWS} perros, el último primero, en una tabla: UTF-8 con su marca, comas, y comillas en los textos (RFC 4180). Un texto que empieza por =, +, - o @ lleva delante un apóstrofo, para que ninguna hoja de cálculo lo tome por una fórmula. Si hay más, la cabecera «Link: rel="next"» dice dónde.`,
    query: csvQuerySchema,
    parameterDocs: {
      ...FILE_PARAMETER_DOCS,
      formato: {
        description: '«excel»: para hojas de cálculo en español, con punto y coma y coma decimal.',
        example: 'excel',
      },
    },
    answer: { 'text/csv': 'text' },
    refusals: [422],
    caching: ETAG_TEXT,
    perMinute: FILES_PER_MINUTE,
  },
  {
    path: '/datos/perros.geojson',
    id: 'perrosGeojson',
    summary: 'Perros en GeoJSON',
    description: `Los mismos perros, hasta ${FILE_MAX_ROWS}, cada uno en el centro de su zona (RFC 7946). Si hay más, «siguiente» y la cabecera «Link: rel="next"» dicen dónde.`,
    query: datasetQuerySchema,
    parameterDocs: FILE_PARAMETER_DOCS,
    answer: { 'application/geo+json': answers.dogsGeojson },
    refusals: [422],
    caching: ETAG_TEXT,
    perMinute: FILES_PER_MINUTE,
  },
]
