import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type Db, sqliteOf } from '#db/client.ts'
import { SORTS } from '#features/dogs/dogs.ts'
import { deleteDog, updateDog } from '#features/dogs/edit.server.ts'
import { type Area, isCluster, type MapAnswer } from '#features/map/map.ts'
import { OverrideFile, parseOverride } from '#features/map/override.server.ts'
import type { Place } from '#features/map/order.server.ts'
import { CHANGED, type MapFilter, MapStore } from '#features/map/store.server.ts'
import { freshDb } from '#tests/support/db.ts'
import { dog, member, seed } from '#tests/support/seed.ts'

const WORLD: Area[] = [[-180, -90, 180, 90]]
const PLACES: Record<string, { lon: number; lat: number }> = {
  Madrid: { lon: -3.7, lat: 40.41 },
  Vigo: { lon: -8.72, lat: 42.23 },
  Palma: { lon: 2.65, lat: 39.57 },
}

interface World {
  db: Db
  dir: string
  file: string
  /** What was written to the log. */
  said: string[]
  /** How often a zone was looked up. */
  asked: string[]
  store: MapStore
  /** As the worker does it: reads, and clusters anew where something changed. */
  catchUp: (now?: number) => void
}

const map = suite<World>('map store')

map.before.each((w) => {
  w.db = freshDb()
  w.dir = mkdtempSync(join(tmpdir(), 'perrario-map-'))
  w.file = join(w.dir, 'dogs-geo.json')
  w.said = []
  w.asked = []
  const locate = (zone: string) => {
    w.asked.push(zone)
    return PLACES[zone] ?? null
  }
  w.store = new MapStore(sqliteOf(w.db), locate, new OverrideFile(w.file, (text) => w.said.push(text)))
  w.catchUp = (now) => {
    w.store.refresh(now)
    if (w.store.isStale) w.store.rebuild()
  }
})
map.after.each(async (w) => {
  rmSync(w.dir, { recursive: true, force: true })
  await w.db.destroy()
})

const look = (w: World, zoom = 16, filter: MapFilter = {}, areas = WORLD) => w.store.answer({ areas, zoom, ...filter })
const names = (answer: MapAnswer) =>
  answer.features.flatMap((feature) => (isCluster(feature) ? [] : [feature.properties.name])).sort()

map('dogs stand around their zone; those without a known one are not on the map', async (w) => {
  const [, toby] = await seed(
    w.db,
    member(),
    dog({ name: 'Toby', zone: 'Madrid', breed: 'Beagle' }),
    dog({ name: 'Luna', zone: 'Vigo' }),
    dog({ name: 'Nadie', zone: null }),
    dog({ name: 'Lejos', zone: 'Narnia' }),
  )
  w.catchUp()
  const answer = look(w)
  assert.equal([names(answer), answer.visible, answer.total], [['Luna', 'Toby'], 2, 2])
  const feature = answer.features.find(({ id }) => id === toby.id)!
  assert.equal(feature.properties, {
    id: toby.id,
    name: 'Toby',
    breed: 'Beagle',
    breed_slug: 'beagle',
    zone: 'Madrid',
    photo_url: toby.photo_url,
    path: toby.path,
    likes: 0,
  })
  const [lon, lat] = feature.geometry.coordinates
  assert.ok(Math.abs(lon + 3.7) < 0.006 && Math.abs(lat - 40.41) < 0.005)
})

map('a cluster carries supercluster’s names', async (w) => {
  await seed(w.db, member(), ...Array.from({ length: 12 }, () => dog({ zone: 'Madrid' })))
  w.catchUp()
  const [cluster, ...rest] = look(w, 4).features
  assert.is(rest.length, 0)
  const { cluster_id, ...properties } = { ...cluster!.properties } as Record<string, unknown>
  assert.equal(properties, {
    cluster: true,
    point_count: 12,
    point_count_abbreviated: 12,
    expansion_zoom: properties.expansion_zoom,
  })
  assert.is(typeof cluster_id, 'number')
  assert.ok((properties.expansion_zoom as number) > 10)
  assert.equal(look(w, 4, {}, [[-10, 41, 0, 43]]).features, [])
})

map('filters count, find and page only their dogs', async (w) => {
  await seed(
    w.db,
    member(),
    dog({ name: 'Toby', zone: 'Madrid', breed: 'Beagle', size: 'pequeño', created_at: 1 }),
    dog({ name: 'Luna', zone: 'Madrid', breed: 'Beagle', size: 'grande', created_at: 2 }),
    dog({ name: 'Thor', zone: 'Vigo', breed: 'Mestizo', size: 'grande', created_at: 3 }),
  )
  w.catchUp()
  assert.equal(names(look(w, 16, { breed_slug: 'beagle' })), ['Luna', 'Toby'])
  assert.equal(names(look(w, 16, { size: 'grande' })), ['Luna', 'Thor'])
  assert.equal(names(look(w, 16, { breed_slug: 'beagle', size: 'grande' })), ['Luna'])
  const none = look(w, 16, { breed_slug: 'dalmata' })
  assert.equal([none.features, none.visible, none.total], [[], 0, 0])
  const page = w.store.page({ areas: WORLD, limit: 1, size: 'grande' })
  assert.equal([page.ids.length, page.visible, page.last?.value], [1, 2, 3])
  const thor = look(w, 16, { breed_slug: 'mestizo' }).features[0]!
  assert.equal(page.centers, [thor.geometry.coordinates])
  const next = w.store.page({ areas: WORLD, limit: 1, size: 'grande', after: page.last! })
  assert.equal([next.ids.length, next.last], [1, null])
  assert.not.equal(next.ids, page.ids)
})

map('every order of the list holds for pages, in a narrow area and in a wide one', async (w) => {
  const given = Array.from({ length: 40 }, (_, i) => ({
    name: `Perro ${i}`,
    zone: i % 2 ? 'Madrid' : 'Vigo',
    votes: (i * 7) % 11,
    weight: i % 4 ? ((i * 13) % 17) + 0.5 : null,
    age: i % 5 ? 1 + ((i * 3) % 9) : null,
    age_unit: 'años' as const,
    created_at: 1000 + i,
  }))
  const [, ...rows] = await seed(w.db, member(), ...given.map((fields) => dog(fields)))
  w.catchUp()
  const near: Area[] = [[-4, 40, -3, 41]]
  const columns = { votes: 'votes', weight: 'weight', age: 'age_months' } as const
  for (const [areas, isHere] of [
    [WORLD, () => true],
    [near, ({ zone }: { zone: string | null }) => zone === 'Madrid'],
  ] as const)
    for (const sort of SORTS.filter((each) => each !== 'recent')) {
      const [figure, way] = sort.split('-') as [keyof typeof columns, string]
      const stored = (await w.db.selectFrom('dogs').selectAll().execute()).filter(isHere)
      const wanted = stored
        .filter((row) => row[columns[figure]] !== null)
        .sort((a, b) => a[columns[figure]]! - b[columns[figure]]! || (a.id < b.id ? -1 : 1))
        .map(({ id }) => id)
      if (way === 'desc') wanted.reverse()
      const got: string[] = []
      // Pages of 3 of all dogs are read in the table's order, of 30 dogs of twenty are sorted at once.
      for (const limit of [3, 30]) {
        got.length = 0
        let after: Place | undefined
        do {
          const page = w.store.page({ areas: [...areas], limit, sort, after })
          assert.equal([page.visible, page.listed], [stored.length, wanted.length], sort)
          assert.ok(page.centers.every((center) => center.every(Number.isFinite)))
          got.push(...page.ids)
          after = page.last ?? undefined
        } while (after)
        assert.equal(got, wanted, `${sort} by ${limit}`)
      }
    }
  const [light] = w.store.page({ areas: WORLD, limit: 1, sort: 'weight-asc', size: rows[1]!.size ?? undefined }).ids
  assert.ok(rows.some(({ id }) => id === light))
})

map('a weight that is given or taken away counts from the next look on', async (w) => {
  const [ana, toby] = await seed(w.db, member(), dog({ zone: 'Madrid', weight: null, created_at: 1 }))
  w.catchUp()
  const listed = () => w.store.page({ areas: WORLD, limit: 5, sort: 'weight-desc' }).listed
  assert.is(listed(), 0)
  await updateDog(w.db, ana, toby.id, { weight: 12.5 })
  w.catchUp()
  assert.is(listed(), 1)
})

map('a view inside the area is counted alone', async (w) => {
  await seed(w.db, member(), dog({ zone: 'Madrid', created_at: 1 }), dog({ zone: 'Vigo', created_at: 2 }))
  w.catchUp()
  const view: Area[] = [[-5, 39, -2, 42]]
  const { features, visible } = w.store.answer({ areas: WORLD, view, zoom: 15 })
  assert.equal([features.length, visible], [2, 1])
})

map('what comes, moves, changes its filter and goes is followed', async (w) => {
  const [ana, toby, luna] = await seed(
    w.db,
    member(),
    dog({ name: 'Toby', zone: 'Madrid', created_at: 1 }),
    dog({ name: 'Luna', zone: 'Madrid', created_at: 2, size: 'mini' }),
  )
  w.catchUp()
  await seed(w.db, dog({ name: 'Nuevo', zone: 'Vigo', owner_id: ana.id }))
  // A backup or a script may bring dogs with an old date.
  await seed(w.db, dog({ name: 'Viejo', zone: 'Vigo', owner_id: ana.id, created_at: 5 }))
  await updateDog(w.db, ana, toby.id, { zone: 'Palma' })
  await updateDog(w.db, ana, luna.id, { size: 'gigante' })
  w.catchUp()
  assert.equal(names(look(w)), ['Luna', 'Nuevo', 'Toby', 'Viejo'])
  assert.equal(names(look(w, 16, {}, [[2, 39, 3, 40]])), ['Toby'])
  assert.equal(names(look(w, 16, { size: 'gigante' })), ['Luna'])
  await deleteDog(w.db, w.dir, ana, toby.id)
  w.catchUp()
  assert.equal(names(look(w)), ['Luna', 'Nuevo', 'Viejo'])
  assert.is(look(w).visible, 3)
})

map('one that goes while another comes is noticed', async (w) => {
  const [ana, toby] = await seed(w.db, member(), dog({ name: 'Toby', zone: 'Madrid' }))
  w.catchUp()
  await deleteDog(w.db, w.dir, ana, toby.id)
  await seed(w.db, dog({ name: 'Nuevo', zone: 'Madrid', owner_id: ana.id }))
  w.catchUp()
  assert.equal([names(look(w)), look(w).visible], [['Nuevo'], 1])
})

map('a dog deleted since is left out at once, a new name is shown at once', async (w) => {
  const [ana, toby, luna] = await seed(w.db, member(), dog({ zone: 'Madrid' }), dog({ zone: 'Madrid' }))
  w.catchUp()
  await updateDog(w.db, ana, luna.id, { name: 'Otra' })
  await deleteDog(w.db, w.dir, ana, toby.id)
  assert.equal(names(look(w)), ['Otra'])
})

map('likes do not make it stale, and a zone is looked up once', async (w) => {
  const [, toby] = await seed(w.db, member(), dog({ zone: 'Madrid' }), dog({ zone: 'Madrid' }), dog({ zone: 'Narnia' }))
  w.catchUp()
  await w.db.updateTable('dogs').set({ votes: 7 }).where('id', '=', toby.id).execute()
  w.store.refresh()
  assert.is(w.store.isStale, false)
  assert.equal(w.asked.sort(), ['Madrid', 'Narnia'])
  assert.is(
    look(w).features.some(({ properties }) => 'likes' in properties && properties.likes === 7),
    true,
  )
})

map('changes are read from an index', ({ db }) => {
  const [step] = sqliteOf(db).prepare(`EXPLAIN QUERY PLAN ${CHANGED}`).all(5) as { detail: string }[]
  assert.is(step!.detail, 'SEARCH dogs USING INDEX dogs_updated (updated_at>?)')
})

const overrideOf = (...points: [string, number, number][]) =>
  JSON.stringify({
    type: 'FeatureCollection',
    features: points.map(([id, ...coordinates]) => ({
      type: 'Feature',
      properties: { id },
      geometry: { type: 'Point', coordinates },
    })),
  })

map('dogs-geo.json places single dogs elsewhere, or at all; without it they go back', async (w) => {
  const [, toby, nobody] = await seed(
    w.db,
    member(),
    dog({ name: 'Toby', zone: 'Madrid' }),
    dog({ name: 'Nadie', zone: null }),
    dog({ name: 'Luna', zone: 'Madrid' }),
  )
  w.catchUp()
  writeFileSync(w.file, overrideOf([toby.id, 2.65, 39.57], [nobody.id, 2.65, 39.57], ['unknown', 0, 0]))
  w.catchUp()
  const palma: Area[] = [[2.6, 39.5, 2.7, 39.6]]
  assert.equal(names(look(w, 16, {}, palma)), ['Nadie', 'Toby'])
  // Several may share a point: they are spread around it like those of a zone.
  const [a, b] = look(w, 16, {}, palma).features
  assert.not.equal(a!.geometry, b!.geometry)
  rmSync(w.file)
  w.catchUp()
  assert.equal(names(look(w, 16, {}, palma)), [])
  assert.equal(names(look(w)), ['Luna', 'Toby'])
  assert.equal(w.said, [])
})

map('a broken dogs-geo.json is told once and counts as none', async (w) => {
  const [, toby] = await seed(w.db, member(), dog({ name: 'Toby', zone: 'Madrid' }))
  writeFileSync(w.file, overrideOf([toby.id, 2.65, 39.57]).slice(0, -4))
  w.catchUp()
  w.catchUp()
  assert.is(w.said.length, 1)
  assert.match(w.said[0]!, /^perrario · dogs-geo\.json no sirve y no se tiene en cuenta \(.+\)$/)
  assert.equal(names(look(w, 16, {}, [[-4, 40, -3, 41]])), ['Toby'])
  writeFileSync(w.file, overrideOf([toby.id, 2.65, 39.57]))
  utimesSync(w.file, 1, 1)
  w.catchUp()
  assert.equal(names(look(w, 16, {}, [[2, 39, 3, 40]])), ['Toby'])
})

map('only points of this world with an id are taken', () => {
  const bad = [
    '[]',
    '{"type":"FeatureCollection"}',
    overrideOf(['a', 200, 0]),
    overrideOf(['a', 0, 91]),
    overrideOf(['', 0, 0]),
    overrideOf(['a', 0, 0]).replace('Point', 'Polygon'),
    overrideOf(['a', 0, 0]).replace('[0,0]', '["0",0]'),
    overrideOf(['a', 0, 0]).replace('"id":"a"', '"nombre":"a"'),
  ]
  for (const text of bad) assert.throws(() => parseOverride(text), undefined, text)
  assert.equal(
    [...parseOverride(overrideOf(['a', 1.5, 2]).replace('[1.5,2]', '[1.5,2,600]'))],
    [['a', { lon: 1.5, lat: 2 }]],
  )
  assert.is(parseOverride(overrideOf()).size, 0)
})

map('a clock that goes back hides no change', async (w) => {
  const now = Date.now()
  const [ana, toby] = await seed(w.db, member(), dog({ name: 'Toby', zone: 'Madrid' }))
  w.catchUp(now + 86_400_000)
  await updateDog(w.db, ana, toby.id, { zone: 'Vigo', name: 'Rex' }, now)
  w.catchUp(now)
  const [found] = look(w).features
  assert.ok(Math.abs(found!.geometry.coordinates[0]! - PLACES.Vigo!.lon) < 0.1, 'he stands in Vigo')
})

map.run()
