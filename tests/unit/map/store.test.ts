import { SORTS } from '#features/dogs/dogs.ts'
import type { Area } from '#features/map/map.ts'
import type { SortPosition } from '#features/map/index/sorted-page.server.ts'
import { queryStore, dogNames, storeSuite, WHOLE_WORLD } from '#tests/support/map/store-suite.ts'
import { assert, dog, member, seed } from '#tests/support/suites.ts'

const map = storeSuite('unit/map/store')

map('dogs are placed around their zone; those without a known one are not on the map', async (w) => {
  const [, toby] = await seed(
    w.db,
    member(),
    dog({ name: 'Toby', zone: 'Madrid', breed: 'Beagle' }),
    dog({ name: 'Luna', zone: 'Vigo' }),
    dog({ name: 'Nadie', zone: null }),
    dog({ name: 'Lejos', zone: 'Narnia' }),
  )
  await w.catchUp()
  const answer = await queryStore(w)
  assert.equal([dogNames(answer), answer.visible, answer.total], [['Luna', 'Toby'], 2, 2])
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

map('a cluster has supercluster’s property names', async (w) => {
  await seed(w.db, member(), ...Array.from({ length: 12 }, () => dog({ zone: 'Madrid' })))
  await w.catchUp()
  const [cluster, ...rest] = (await queryStore(w, 4)).features
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
  assert.equal((await queryStore(w, 4, {}, [[-10, 41, 0, 43]])).features, [])
})

map('filters count, find and page only matching dogs', async (w) => {
  await seed(
    w.db,
    member(),
    dog({ name: 'Toby', zone: 'Madrid', breed: 'Beagle', size: 'pequeño', created_at: 1 }),
    dog({ name: 'Luna', zone: 'Madrid', breed: 'Beagle', size: 'grande', created_at: 2 }),
    dog({ name: 'Thor', zone: 'Vigo', breed: 'Mestizo', size: 'grande', created_at: 3 }),
  )
  await w.catchUp()
  assert.equal(dogNames(await queryStore(w, 16, { breed_slug: 'beagle' })), ['Luna', 'Toby'])
  assert.equal(dogNames(await queryStore(w, 16, { size: 'grande' })), ['Luna', 'Thor'])
  assert.equal(dogNames(await queryStore(w, 16, { breed_slug: 'beagle', size: 'grande' })), ['Luna'])
  const none = await queryStore(w, 16, { breed_slug: 'dalmata' })
  assert.equal([none.features, none.visible, none.total], [[], 0, 0])
  const page = await w.store.page({ areas: WHOLE_WORLD, limit: 1, size: 'grande' })
  assert.equal([page.ids.length, page.visible, page.last?.value], [1, 2, 3])
  const thor = (await queryStore(w, 16, { breed_slug: 'mestizo' })).features[0]!
  assert.equal(page.centers, [thor.geometry.coordinates])
  const next = await w.store.page({ areas: WHOLE_WORLD, limit: 1, size: 'grande', after: page.last! })
  assert.equal([next.ids.length, next.last], [1, null])
  assert.not.equal(next.ids, page.ids)
})

map('every order of the list works for pages, in a narrow area and in a wide one', async (w) => {
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
  await w.catchUp()
  const near: Area[] = [[-4, 40, -3, 41]]
  const columns = { votes: 'votes', weight: 'weight', age: 'age_months' } as const
  for (const [areas, isHere] of [
    [WHOLE_WORLD, () => true],
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
        let after: SortPosition | undefined
        do {
          const page = await w.store.page({ areas: [...areas], limit, sort, after })
          assert.equal([page.visible, page.listed], [stored.length, wanted.length], sort)
          assert.ok(page.centers.every((center) => center.every(Number.isFinite)))
          got.push(...page.ids)
          after = page.last ?? undefined
        } while (after)
        assert.equal(got, wanted, `${sort} by ${limit}`)
      }
    }
  const { ids } = await w.store.page({
    areas: WHOLE_WORLD,
    limit: 1,
    sort: 'weight-asc',
    size: rows[1]!.size ?? undefined,
  })
  assert.ok(rows.some(({ id }) => id === ids[0]))
})

map('a view inside the area counts only its own dogs', async (w) => {
  await seed(w.db, member(), dog({ zone: 'Madrid', created_at: 1 }), dog({ zone: 'Vigo', created_at: 2 }))
  await w.catchUp()
  const view: Area[] = [[-5, 39, -2, 42]]
  const { features, visible } = await w.store.answer({ areas: WHOLE_WORLD, view, zoom: 15 })
  assert.equal([features.length, visible], [2, 1])
})
