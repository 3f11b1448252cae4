import * as z from 'zod/mini'
import { publicDogAnswer } from '#features/dogs/answers.ts'

// JSON answers of this feature's endpoints. Browser files import their types only.

const count = z.int().check(z.minimum(0))
const lonLat = z.tuple([z.number(), z.number()])
const point = z.object({ type: z.literal('Point'), coordinates: lonLat })

/** A dog on the map, for its mark and its popup. */
const dogPropertiesAnswer = z.object({
  id: z.uuid(),
  name: z.string(),
  breed: z.string(),
  breed_slug: z.string(),
  zone: z.nullable(z.string()),
  photo_url: z.string(),
  path: z.string(),
  likes: count,
})

/** A cluster, with supercluster's names. */
export const clusterPropertiesAnswer = z.object({
  cluster: z.literal(true),
  cluster_id: z.int(),
  point_count: count,
  point_count_abbreviated: z.union([z.string(), z.number()]),
  /** The zoom at which it splits; null where no zoom splits it: it opens as a list of its `bbox`. */
  expansion_zoom: z.nullable(z.int()),
  /** The photo of its newest dog, beyond CLUSTER_ZOOM_MAX, where marks are photos. */
  photo_url: z.exactOptional(z.string()),
})

/** `GET /api/map` */
export const mapAnswer = z.object({
  type: z.literal('FeatureCollection'),
  features: z.array(
    z.union([
      z.object({ type: z.literal('Feature'), id: z.uuid(), geometry: point, properties: dogPropertiesAnswer }),
      z.object({
        type: z.literal('Feature'),
        id: z.int(),
        /** The bounding box of its dogs. */
        bbox: z.tuple([z.number(), z.number(), z.number(), z.number()]),
        geometry: point,
        properties: clusterPropertiesAnswer,
      }),
    ]),
  ),
  /** Number of dogs in the bbox, or in `view` where it was given. */
  visible: count,
  /** Number of dogs of these filters anywhere on the map. */
  total: count,
})

/** `GET /api/map/dogs` */
export const mapDogsAnswer = z.object({
  /** Each with its location on the map. */
  dogs: z.array(z.extend(publicDogAnswer, { center: lonLat })),
  nextCursor: z.nullable(z.string()),
  /** Number of dogs in the bbox, over all pages. */
  visible: count,
  /** Number of them in this order: orders by weight and age have only dogs with that figure (docs/product.md §16.4). */
  listed: count,
})

/** `GET /api/map/lost` */
export const lostMarksAnswer = z.object({
  type: z.literal('FeatureCollection'),
  features: z.array(
    z.object({
      type: z.literal('Feature'),
      /** The dog's. */
      id: z.uuid(),
      /** The centre of the circle: a point moved at random, never where the dog was last seen. */
      geometry: point,
      properties: z.object({
        name: z.string(),
        breed: z.string(),
        zone: z.string(),
        /** Since when it is gone, ms. */
        since: z.int(),
        photo_url: z.string(),
        path: z.string(),
      }),
    }),
  ),
})
