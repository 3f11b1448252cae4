import { CellGrid } from '#features/map/index/cell-grid.ts'
import { DogIndex, type Mark, newestFirst, type PlacedDog } from '#features/map/index/dog-index.ts'
import type { Area } from '#features/map/map.ts'
import { jitterLocation } from '#features/map/index/location-jitter.ts'
import { createRandom as makeDice } from '#app/demo/random.ts'
import { assert, pluck, suite } from '#tests/support/suites.ts'

const WORLD: Area[] = [[-180, -90, 180, 90]]

/** Dogs around as many zones; the first zones have most of them, as towns do. */
function createCrowd(count: number, zones: number, seed = 7): PlacedDog[] {
  const dice = makeDice(seed)
  const places = Array.from({ length: zones }, () => ({ lon: -9 + dice.next() * 12, lat: 36 + dice.next() * 7.5 }))
  return Array.from({ length: count }, (_, i) => {
    const id = `dog-${i}`
    const zone = places[Math.floor(dice.next() ** 3 * zones)]!
    return { id, ...jitterLocation(id, zone), created: i }
  }).sort(newestFirst)
}

const at = (id: string, lon: number, lat: number, created = 0): PlacedDog => ({
  id,
  lon,
  lat,
  created,
})

const countOf = (mark: Mark) => (mark.dog ? 1 : mark.count)
const sum = (marks: Mark[]) => marks.reduce((all, mark) => all + countOf(mark), 0)

interface World {
  dogs: PlacedDog[]
  large: DogIndex
}
const index = suite<World>('unit/map/dog-index')

index.before((w) => {
  w.dogs = createCrowd(20_000, 3000)
  w.large = new DogIndex(w.dogs)
})

index('20,000 dogs have at most 200 marks at any zoom, and no dog is missing', ({ large }) => {
  for (let zoom = 1; zoom <= 18; zoom++) {
    const { marks, visible } = large.queryMarks(WORLD, zoom)
    assert.ok(marks.length <= 200, `${zoom}: ${marks.length}`)
    assert.is(visible, 20_000)
    assert.is(sum(marks), 20_000, `zoom ${zoom}`)
  }
})

index('a view contains the dogs in it, at every zoom', ({ dogs, large }) => {
  const here = dogs[0]!
  for (let zoom = 8; zoom <= 18; zoom++) {
    const half = 300 / 2 ** zoom
    const area: Area = [here.lon - half, here.lat - half, here.lon + half, here.lat + half]
    const inside = dogs.filter((d) => d.lon >= area[0] && d.lon <= area[2] && d.lat >= area[1] && d.lat <= area[3])
    const { marks, visible } = large.queryMarks([area], zoom)
    assert.is(visible, inside.length)
    assert.ok(marks.length <= 200)
    if (zoom > 14) assert.is(sum(marks), inside.length)
  }
})

index('a crowd that no zoom separates is a cluster that opens as a list of exactly its dogs', () => {
  const one = { lon: -3.7, lat: 40.4 }
  const dogs = Array.from({ length: 3000 }, (_, i) => ({ ...at(`d${i}`, 0, 0, i), ...jitterLocation(`d${i}`, one) }))
  const madrid = new DogIndex(dogs.sort(newestFirst))
  const { marks } = madrid.queryMarks([[-3.71, 40.39, -3.69, 40.41]], 18)
  const clusters = marks.filter((mark) => !mark.dog)
  assert.ok(clusters.length > 0 && marks.length <= 200)
  assert.is(sum(marks), 3000)
  for (const cluster of clusters) {
    assert.equal([cluster.expansion_zoom, madrid.page([cluster.bbox], 5000).length], [null, cluster.count])
  }
  assert.is(new Set(clusters.map((cluster) => cluster.cluster_id)).size, clusters.length)
})

index('past zoom 14 two hundred dogs are single dogs, however close', () => {
  const dogs = Array.from({ length: 200 }, (_, i) => ({
    ...at(`d${i}`, 0, 0, i),
    ...jitterLocation(`d${i}`, { lon: 2, lat: 41 }),
  }))
  const { marks } = new DogIndex(dogs.sort(newestFirst)).queryMarks(WORLD, 15)
  assert.is(marks.filter(({ dog }) => dog).length, 200)
  const clustered = new DogIndex(dogs).queryMarks(WORLD, 13).marks
  assert.ok(clustered.length < 10, `${clustered.length}`)
})

index('a cluster has the zoom at which it separates, and its width', () => {
  const pair = new DogIndex([at('a', 2, 41), at('b', 2.01, 41.01)])
  const [cluster] = pair.queryMarks(WORLD, 5).marks
  assert.ok(cluster && !cluster.dog)
  assert.equal([cluster.count, cluster.bbox], [2, [2, 41, 2.01, 41.01]])
  const apart = cluster.expansion_zoom!
  assert.is(pair.queryMarks(WORLD, apart).marks.length, 2)
  assert.is(pair.queryMarks(WORLD, apart - 1).marks.length, 1)
})

index('crowds too large for a view are merged, single dogs are not', () => {
  const dice = makeDice(3)
  const town = Array.from({ length: 5000 }, (_, i) => at(`d${i}`, 2 + dice.next() * 0.01, 41 + dice.next() * 0.01, i))
  const { marks } = new DogIndex([...town, at('lone', 2.03, 41.02, -1)]).queryMarks([[1.99, 40.99, 2.04, 41.03]], 16)
  assert.ok(marks.length <= 200)
  assert.ok(marks.some(({ dog }) => dog?.id === 'lone'))
  assert.is(sum(marks), 5001)
})

index('across the antimeridian both sides are visible', () => {
  const fiji = new DogIndex([at('east', 179.9, -17), at('west', -179.9, -17), at('far', 0, 0)])
  const areas: Area[] = [
    [170, -20, 180, -10],
    [-180, -20, -170, -10],
  ]
  for (const zoom of [3, 10, 16]) {
    const { marks, visible } = fiji.queryMarks(areas, zoom)
    assert.equal([visible, sum(marks)], [2, 2])
  }
  assert.equal(pluck(fiji.page(areas, 10), 'id').sort(), ['east', 'west'])
})

index('pages continue, newest first, each dog once', ({ dogs, large }) => {
  const area: Area = [-9, 36, -3, 40]
  const inside = dogs.filter((d) => d.lon >= -9 && d.lon <= -3 && d.lat >= 36 && d.lat <= 40)
  assert.ok(inside.length > 3000)
  const got: PlacedDog[] = []
  for (let page = large.page([area], 100); page.length; page = large.page([area], 100, page.at(-1)!)) got.push(...page)
  assert.equal(pluck(got, 'id'), pluck(inside, 'id'))
})

index('a page continues after a deleted dog', () => {
  const three = [at('c', 1, 1, 3), at('b', 1, 1, 2), at('a', 1, 1, 1)]
  const left = new DogIndex([three[0]!, three[2]!])
  assert.equal(pluck(left.page(WORLD, 5, { created: 2, id: 'b' }), 'id'), ['a'])
})

index('no dogs have no marks', () => {
  const none = new DogIndex([])
  assert.equal(none.queryMarks(WORLD, 5), { marks: [], visible: 0 })
  assert.equal(none.page(WORLD, 10), [])
})

index('the grid is fixed to the world, not to the view', () => {
  const some = Array.from({ length: 300 }, (_, i) => i / 100)
  const keysOf = (lons: number[]) => {
    const cells = new CellGrid<number>(10)
    for (const lon of lons) cells.add(lon, lon, 40)
    return cells.atMost(100).map((cell) => cell.key)
  }
  const keys = new Set(keysOf(some))
  assert.ok(keysOf(some.slice(50, 290)).every((key) => keys.has(key)))
})
