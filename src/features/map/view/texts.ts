import { displayName } from '#features/dogs/dogs.ts'
import { formatCount } from '#lib/numbers.ts'
import { shownZone } from '#lib/text/zone.ts'
import { type ClusterProperties, type DogProperties, isCluster, type MapFeature } from '../map.ts'

/** Messages of failures after which the map stays usable. */
export const VIEW_TEXTS = {
  lost: 'No se pudo cargar el mapa.',
  tiles: 'Las calles no responden ahora mismo. Puedes seguir con nuestro mapa.',
  unavailable: 'No hemos podido averiguar dónde estás. Busca tu dirección en el mapa.',
} as const

/** «{n} perro(s) visibles» (docs/product.md §16.1), without its figure. */
export const visibleWords = (count: number): string => (count === 1 ? 'perro visible' : 'perros visibles')

/** The number in a circle: «7», «1.284», «12 mil». */
export const clusterFigure = (count: number): string =>
  count < 10_000 ? formatCount(count) : `${formatCount(Math.floor(count / 1000))} mil`

/** Colour steps of the circles (docs/product.md §16.1). */
export const CLUSTER_STEPS = [10, 25] as const
export const clusterStep = (count: number): number => 1 + CLUSTER_STEPS.filter((step) => count >= step).length

const clusterName = ({ point_count, expansion_zoom, zone }: ClusterProperties): string =>
  [`${formatCount(point_count)} perros`, zone && shownZone(zone), expansion_zoom === null ? 'ver la lista' : 'ampliar']
    .filter(Boolean)
    .join(', ')

const dogName = ({ name, breed, zone }: DogProperties): string =>
  [displayName(name), breed, zone && shownZone(zone)].filter(Boolean).join(', ')

/** A mark's accessible name: «12 perros, ampliar», «7 perros, Toledo, ver la lista», «Toby, Beagle, Cáceres». */
export const markName = (feature: MapFeature): string =>
  isCluster(feature) ? clusterName(feature.properties) : dogName(feature.properties)
