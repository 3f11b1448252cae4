import { mercatorX, mercatorY } from '#features/map/index/cell-grid.ts'
import { DogIndex, type Mark, newestFirst, type PlacedDog } from '#features/map/index/dog-index.ts'
import { type Area, isCluster, type MapFeature } from '#features/map/map.ts'
import { jitterLocation } from '#features/map/index/location-jitter.ts'
import { MARK_HALF_WIDTH, MARK_HEIGHT, type PlacedMark, placeMarks } from '#features/map/view/mark-layout.ts'
import { areaOfDogs, countDogs } from '#features/map/view/first-view.ts'
import { markName } from '#features/map/view/texts.ts'
import { assert, pluck, suite } from '#tests/support/suites.ts'

const bundles = suite('unit/map/bundles')

const MADRID = { lon: -3.7038, lat: 40.4168 }
const MALASANA = { lon: -3.7046, lat: 40.4262 }
const VIEW: Area = [-3.76, 40.38, -3.66, 40.46]

const dogsAt = (zone: { lon: number; lat: number }, count: number, prefix = 'd'): PlacedDog[] =>
  Array.from({ length: count }, (_, i) => ({
    ...jitterLocation(`${prefix}-${i}`, zone),
    id: `${prefix}-${i}`,
    created: i,
  }))

/** The answer of `GET /api/map` for this index, as far as placing reads it: by default as view/feature-loader.client.ts asks near. */
function featuresOf(index: DogIndex, area: Area, zoom: number, askedZoom = Math.max(zoom, 15)): MapFeature[] {
  const zone = 'Madrid'
  const toFeature = (mark: Mark): MapFeature => {
    if (mark.dog) {
      const { id, lon, lat } = mark.dog
      const properties = {
        id,
        name: id,
        breed: 'Beagle',
        breed_slug: 'beagle',
        zone,
        photo_url: `/${id}.webp`,
        path: `/${id}`,
        likes: Number(id.split('-')[1]) % 10,
      }
      return { type: 'Feature', id, geometry: { type: 'Point', coordinates: [lon, lat] }, properties }
    }
    const { lon, lat, count, bbox, cluster_id, expansion_zoom, coverDogId } = mark
    const properties = {
      cluster: true as const,
      cluster_id,
      point_count: count,
      point_count_abbreviated: count,
      expansion_zoom,
      ...(coverDogId && { photo_url: `/${coverDogId}.webp` }),
    }
    return { type: 'Feature', id: cluster_id, bbox, geometry: { type: 'Point', coordinates: [lon, lat] }, properties }
  }
  return index.queryMarks([area], askedZoom).marks.map(toFeature)
}

/** The pairs of marks that lie over each other on the screen. */
function covered(marks: readonly PlacedMark[], zoom: number): number {
  const world = 256 * 2 ** zoom
  const points = marks.map(({ at: [lon, lat] }) => [mercatorX(lon) * world, mercatorY(lat) * world] as const)
  let pairs = 0
  for (const [i, [x, y]] of points.entries())
    for (const [otherX, otherY] of points.slice(i + 1))
      if (Math.abs(x - otherX) < 2 * MARK_HALF_WIDTH - 0.01 && Math.abs(y - otherY) < MARK_HEIGHT - 0.01) pairs++
  return pairs
}

const CROWDS = {
  'forty of one zone': dogsAt(MADRID, 40),
  'two hundred of one zone': dogsAt(MADRID, 200),
  'three thousand of one zone': dogsAt(MADRID, 3000),
  'two zones side by side': [...dogsAt(MADRID, 90), ...dogsAt(MALASANA, 90, 'm')],
  'all on one spot': Array.from({ length: 150 }, (_, i) => ({ id: `d-${i}`, ...MADRID, created: i })),
}

for (const [what, dogs] of Object.entries(CROWDS))
  bundles(`no mark covers another and every dog is reachable, zooms 14 to 18: ${what}`, () => {
    const index = new DogIndex(dogs.toSorted(newestFirst))
    for (let zoom = 14; zoom <= 18; zoom++) {
      const marks = placeMarks(featuresOf(index, VIEW, zoom), zoom)
      assert.is(covered(marks, zoom), 0, `zoom ${zoom}: marks lie over each other`)
      assert.is(countDogs(marks.map(({ feature }) => feature)), dogs.length, `zoom ${zoom}: every dog counted`)
      assert.is(new Set(marks.map(({ feature }) => feature.id)).size, marks.length, `zoom ${zoom}: names`)
      for (const { feature } of marks)
        if (isCluster(feature))
          assert.is(index.page([feature.bbox], 5000).length, feature.properties.point_count, `zoom ${zoom}: the list`)
    }
  })

bundles('from zoom 17 on dogs of one zone have separate marks near their place, if there is space', () => {
  const pilesAt = (dogs: PlacedDog[], zoom: number) => {
    const index = new DogIndex(dogs.toSorted(newestFirst))
    const world = 256 * 2 ** zoom
    const marks = placeMarks(featuresOf(index, VIEW, zoom), zoom)
    for (const { feature, at } of marks) {
      const [lon, lat] = feature.geometry.coordinates
      const far = Math.hypot(mercatorX(lon) - mercatorX(at[0]), mercatorY(lat) - mercatorY(at[1])) * world
      assert.ok(far < 4 * 80, `${far} px`)
    }
    return marks.filter(({ feature }) => isCluster(feature)).length
  }
  assert.equal(
    [17, 18].map((zoom) => pilesAt(CROWDS['forty of one zone'], zoom)),
    [0, 0],
  )
  assert.is(pilesAt(CROWDS['two hundred of one zone'], 18), 0)
  assert.ok(pilesAt(CROWDS['forty of one zone'], 16) > 0)
})

bundles('the unbundled marks of one zone do overlap', () => {
  const index = new DogIndex(CROWDS['forty of one zone'].toSorted(newestFirst))
  const loose = featuresOf(index, VIEW, 14).map((feature) => ({ feature, at: feature.geometry.coordinates }))
  assert.is(loose.length, 40)
  assert.ok(covered(loose, 14) > 36)
})

bundles('a mark stays near its dogs, and keeps its place when the map moves', () => {
  const index = new DogIndex(CROWDS['forty of one zone'].toSorted(newestFirst))
  const features = featuresOf(index, VIEW, 16)
  const marks = placeMarks(features, 16)
  const world = 256 * 2 ** 16
  for (const { feature, at } of marks) {
    const [lon, lat] = feature.geometry.coordinates
    const moved = [mercatorX(lon) - mercatorX(at[0]), mercatorY(lat) - mercatorY(at[1])].map((part) => part * world)
    assert.ok(Math.abs(moved[0]!) <= MARK_HALF_WIDTH + 0.1 && Math.abs(moved[1]!) <= MARK_HEIGHT + 0.1, `${moved}`)
  }
  const east = placeMarks(
    features.filter(({ geometry }) => geometry.coordinates[0] > MADRID.lon + 0.001),
    16,
  )
  const placeOf = new Map(marks.map(({ feature, at }) => [feature.id, String(at)]))
  const kept = east.filter(({ feature, at }) => placeOf.get(feature.id) === String(at))
  // All but those of the column that the edge of the view cuts.
  assert.ok(kept.length >= east.length - 5 && kept.length > 0, `${kept.length} of ${east.length}`)
})

bundles('a pile opens as a list, names its zone and shows its most liked dog', () => {
  const index = new DogIndex(dogsAt(MADRID, 60).toSorted(newestFirst))
  const piles = placeMarks(featuresOf(index, VIEW, 14), 14).flatMap(({ feature }) =>
    isCluster(feature) ? [feature.properties] : [],
  )
  assert.ok(piles.length > 0)
  for (const pile of piles) {
    assert.equal([pile.expansion_zoom, pile.zone], [null, 'Madrid'])
    assert.match(markName({ properties: pile } as MapFeature), /^\d+ perros, Madrid, ver la lista$/)
  }
  const liked = piles.filter(({ point_count }) => point_count > 8).map(({ photo_url }) => photo_url)
  assert.ok(liked.length > 0 && liked.every((photo) => /[789]\.webp$/.test(photo!)), String(liked))
})

bundles('a cluster that the server merged over several cells is zoomed to, with the newest dog’s photo', () => {
  const dogs = Array.from({ length: 6000 }, (_, i) => ({
    id: `d-${i}`,
    lon: -3.75 + (i % 100) * 0.0009,
    lat: 40.39 + Math.floor(i / 100) * 0.001,
    created: i,
  }))
  const index = new DogIndex(dogs.toSorted(newestFirst))
  const marks = placeMarks(featuresOf(index, VIEW, 15), 15)
  assert.is(covered(marks, 15), 0)
  assert.ok(marks.length <= 200)
  const wide = marks.map(({ feature }) => feature).filter(isCluster)
  // At the crowd's edges a wide cell may hold no more than what one cell would.
  assert.ok(wide.filter(({ properties }) => properties.expansion_zoom === 16).length > 100)
  for (const { bbox, properties } of wide)
    assert.is(properties.photo_url, `/${index.page([bbox], 1)[0]!.id}.webp`, 'the newest')
})

bundles('below zoom 14 circles keep their position', () => {
  const index = new DogIndex(dogsAt(MADRID, 40).toSorted(newestFirst))
  const features = featuresOf(index, VIEW, 13)
  assert.equal(
    placeMarks(features, 13),
    features.map((feature) => ({ feature, at: feature.geometry.coordinates })),
  )
})

/** Dogs of 300 towns between these edges, of some many and of most few, the same in every run. */
function dogsOfTowns([west, south, east, north]: Area): PlacedDog[] {
  let state = 7
  const random = () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647
  const dogs: PlacedDog[] = []
  for (let town = 0; town < 300; town++) {
    const place = { lon: west + random() * (east - west), lat: south + random() * (north - south) }
    const count = 1 + Math.floor(40 * random() ** 4)
    for (const { lon, lat } of dogsAt(place, count, `t${town}`))
      dogs.push({ id: `t${town}-${dogs.length}`, lon, lat, created: dogs.length })
  }
  return dogs
}

/** Far circles and photos as the stylesheet draws them (marks.css), in pixels. */
function drawnCircles(marks: readonly PlacedMark[], zoom: number) {
  const world = 256 * 2 ** zoom
  return marks.map(({ feature, at: [lon, lat] }) => {
    const [x, y] = [mercatorX(lon) * world, mercatorY(lat) * world]
    if (!isCluster(feature)) return { x, y: y - 26, radius: 26, isPhoto: true }
    const { point_count } = feature.properties
    return { x, y, radius: point_count >= 25 ? 31 : point_count >= 10 ? 26 : 23, isPhoto: false }
  })
}

function overlappingCircles(marks: readonly PlacedMark[], zoom: number): number {
  const circles = drawnCircles(marks, zoom)
  return circles.flatMap((a, i) =>
    circles
      .slice(i + 1)
      .filter((b) => !(a.isPhoto && b.isPhoto) && Math.hypot(a.x - b.x, a.y - b.y) < a.radius + b.radius),
  ).length
}

bundles('no circle covers another mark at zooms 1 to 13, and none moves farther than its own size', () => {
  const spain: Area = [-9, 36, 3, 43.5]
  const index = new DogIndex(dogsOfTowns(spain).toSorted(newestFirst))
  let overlapsBefore = 0
  for (let zoom = 1; zoom <= 13; zoom++) {
    const side = 6 / 2 ** Math.max(0, zoom - 6)
    const area: Area = [-3 - side, 39.75 - side * 0.625, -3 + side, 39.75 + side * 0.625]
    const features = featuresOf(index, area, zoom, zoom)
    const loose = features.map((feature) => ({ feature, at: feature.geometry.coordinates }))
    const marks = placeMarks(features, zoom)
    overlapsBefore += overlappingCircles(loose, zoom)
    assert.is(overlappingCircles(marks, zoom), 0, `zoom ${zoom}: ${marks.length} marks`)
    const [from, to] = [drawnCircles(loose, zoom), drawnCircles(marks, zoom)]
    for (const [i, { x, y, isPhoto }] of to.entries()) {
      const moved = Math.hypot(x - from[i]!.x, y - from[i]!.y)
      assert.ok(moved <= (isPhoto ? 0 : 62), `zoom ${zoom}: ${moved} px`)
    }
  }
  assert.ok(overlapsBefore > 10, `${overlapsBefore} overlaps where nothing moves`)
})

bundles('circles without a neighbour stand where they are', () => {
  const index = new DogIndex(
    [...dogsAt(MADRID, 40), ...dogsAt({ lon: 2.17, lat: 41.38 }, 12, 'b')].toSorted(newestFirst),
  )
  const features = featuresOf(index, [-10, 35, 5, 45], 6, 6)
  assert.equal(
    pluck(placeMarks(features, 6), 'at'),
    features.map(({ geometry }) => geometry.coordinates),
  )
})

// --- the first view ---

const clusterAt = (bbox: Area, count: number): MapFeature => ({
  type: 'Feature',
  id: count,
  bbox,
  geometry: { type: 'Point', coordinates: [bbox[0], bbox[1]] },
  properties: {
    cluster: true,
    cluster_id: count,
    point_count: count,
    point_count_abbreviated: count,
    expansion_zoom: 4,
  },
})

bundles('the first view contains nine of ten dogs: a distant one does not make the others small', () => {
  const spain = clusterAt([-9, 36, 3, 43], 90)
  const canaries = clusterAt([-18, 27, -13, 29], 8)
  const tokyo = clusterAt([139, 35, 139, 35], 2)
  assert.equal(areaOfDogs([tokyo, canaries, spain]), [-9, 36, 3, 43])
  assert.equal(areaOfDogs([clusterAt([-9, 36, 3, 43], 80), clusterAt([-18, 27, -13, 29], 20)]), [-18, 27, 3, 43])
  assert.is(areaOfDogs([]), null)
  assert.is(countDogs([spain, canaries, tokyo]), 100)
})
