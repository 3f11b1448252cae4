import { updateDog } from '#features/dogs/write/edit.server.ts'
import { hideDog, showDog } from '#features/dogs/hidden-dogs.server.ts'
import { provinces } from '#features/dogs/backfills.server.ts'
import { csvCell, csvHead, csvLine, SPANISH } from '#features/opendata/csv.ts'
import { readDogRecords } from '#features/opendata/datasets.server.ts'
import type { DogRecord } from '#features/opendata/datasets.ts'
import { geojsonOf } from '#features/opendata/geojson.ts'
import { typeText } from '#features/opendata/type-text.ts'
import { findProvince, provinceOf, listProvinces } from '#features/places/provinces.server.ts'
import { fillAll } from '#tests/support/jobs.ts'
import { explainQueries, findSlowSteps } from '#tests/support/query-plans.ts'
import { assert, type Db, dbSuite, dog, member, onlyOnSqlite, seed } from '#tests/support/suites.ts'

const open = dbSuite('unit/opendata/open-data')

const RECORD: DogRecord = {
  id: '3f0a7a52-9d53-4a8e-8c39-8a1f7a0c2b11',
  name: 'Toby',
  breed: 'Beagle',
  breed_slug: 'beagle',
  age: 3,
  age_unit: 'años',
  weight_kg: 12.5,
  size: 'mediano',
  zone: 'Getafe, Madrid',
  province: 'Madrid',
  lat: 40.305,
  lon: -3.731,
  likes: 7,
  created: '2026-11-20',
  page: '/beagle/toby',
  photo: '/photos/x.jpg',
}

open('a cell is quoted, and none is a formula', () => {
  assert.is(csvCell('Toby'), '"Toby"')
  assert.is(csvCell('Toby, "el rey"\nde la casa'), '"Toby, ""el rey""\nde la casa"')
  assert.is(csvCell('=1+1'), `"'=1+1"`)
  assert.is(csvCell('+34600'), `"'+34600"`)
  assert.is(csvCell('-2'), `"'-2"`)
  assert.is(csvCell('@SUM(A1)'), `"'@SUM(A1)"`)
  assert.is(csvCell('\tx'), `"'\tx"`)
  assert.is(csvCell('\rx'), `"'\rx"`)
  assert.is(csvCell('＝1'), `"'＝1"`)
  assert.is(csvCell('a=1'), '"a=1"')
  assert.is(csvCell(-3.731), '-3.731')
  assert.is(csvCell(0), '0')
  assert.is(csvCell(null), '')
  assert.is(csvCell(''), '')
})

open('CSV has the documented columns', () => {
  assert.is(
    csvHead(),
    '\uFEFFid,name,breed,breed_slug,age,age_unit,weight_kg,size,zone,province,lat,lon,likes,created,page,photo\r\n',
  )
  assert.is(
    csvLine({ ...RECORD, name: '-Rex', age: null }),
    `"3f0a7a52-9d53-4a8e-8c39-8a1f7a0c2b11","'-Rex","Beagle","beagle",,"años",12.5,"mediano","Getafe, Madrid","Madrid",40.305,-3.731,7,"2026-11-20","/beagle/toby","/photos/x.jpg"\r\n`,
  )
})

open('CSV for spreadsheets in Spanish has semicolons, decimal commas and the mark of UTF-8', () => {
  assert.match(csvHead(SPANISH), /^\uFEFFid;name;.*;photo\r\n$/)
  assert.match(
    csvLine({ ...RECORD, zone: 'a;b.c' }, SPANISH),
    /;12,5;"mediano";"a;b\.c";"Madrid";40,305;-3,731;7;.*\r\n$/,
  )
})

open('GeoJSON has longitude first, and no point for unknown zones', () => {
  const { features, siguiente } = geojsonOf([RECORD, { ...RECORD, lat: null, lon: null }], 'mas')
  assert.is(siguiente, 'mas')
  assert.equal(features[0]!.geometry, { type: 'Point', coordinates: [-3.731, 40.305] })
  assert.is(features[0]!.id, RECORD.id)
  assert.is('lat' in features[0]!.properties, false)
  assert.equal([features[0]!.properties.province, features[1]!.geometry], ['Madrid', null])
})

open('a zone is in a province, in any of its languages', () => {
  assert.is(listProvinces().length, 52)
  assert.is(provinceOf('Getafe, Madrid'), '28')
  assert.is(provinceOf('Malasaña, Madrid'), '28')
  assert.is(provinceOf('Alacant'), '03')
  assert.is(provinceOf('La Palma'), '38')
  assert.is(provinceOf('El Bierzo'), '24')
  assert.is(provinceOf('Bogotá, Colombia'), '')
  assert.is(provinceOf('Galicia'), '')
  assert.is(provinceOf('zzzz'), '')
  assert.is(provinceOf(null), '')
  assert.equal(findProvince('Lérida'), { id: '25', name: 'Lleida' })
  assert.equal(findProvince('a-coruna'), { id: '15', name: 'A Coruña' })
  assert.equal(findProvince('28'), { id: '28', name: 'Madrid' })
  assert.is(findProvince('Getafe'), null)
  assert.is(findProvince('99'), null)
})

const provinceNow = async (db: Db, id: string) =>
  (await db.selectFrom('dogs').select('province').where('id', '=', id).executeTakeFirst())?.province

open('every write of a dog stores its province', async ({ db }) => {
  const [ana, toby] = await seed(db, member(), dog({ zone: 'Getafe, Madrid' }))
  assert.is(await provinceNow(db, toby.id), '28')
  await updateDog(db, ana, toby.id, { zone: 'Vigo' })
  assert.is(await provinceNow(db, toby.id), '36')
  await updateDog(db, ana, toby.id, { weight: 9 })
  assert.is(await provinceNow(db, toby.id), '36')
  await db.transaction().execute((trx) => hideDog(trx, toby.id, 'admin'))
  await db.transaction().execute((trx) => showDog(trx, toby.id))
  assert.is(await provinceNow(db, toby.id), '36')
  await updateDog(db, ana, toby.id, { zone: null })
  assert.is(await provinceNow(db, toby.id), '')
})

open('earlier dogs receive a province at the start, once', async ({ db }) => {
  const zones = ['Toledo', 'Vigo', null, 'zzzz']
  await seed(db, member(), ...Array.from({ length: 230 }, (_, i) => dog({ zone: zones[i % 4]! })))
  await db.updateTable('dogs_all').set({ province: null }).execute()
  // Hidden ones, too: they may be shown before the next start.
  const hidden = await db.selectFrom('dogs').select('id').where('zone', '=', 'Vigo').limit(1).executeTakeFirstOrThrow()
  await db.transaction().execute((trx) => hideDog(trx, hidden.id, 'admin'))
  await fillAll(db, provinces)
  await db.transaction().execute((trx) => showDog(trx, hidden.id))
  const counted = await db
    .selectFrom('dogs')
    .select((eb) => ['province', eb.fn.countAll<number>().as('dogs')])
    .groupBy('province')
    .orderBy('province')
    .execute()
  assert.equal(counted, [
    { province: '', dogs: 114 },
    { province: '36', dogs: 58 },
    { province: '45', dogs: 58 },
  ])
})

open('a file ends at its limit and the next one continues, without repetition or gap', async ({ db }) => {
  await seed(db, member(), ...Array.from({ length: 450 }, (_, i) => dog({ created_at: 1000 + Math.floor(i / 3) })))
  const seen: string[] = []
  let cursor: string | undefined
  const sizes: number[] = []
  do {
    const { dogs, next } = await readDogRecords(db, { cursor }, undefined, 210)
    seen.push(...dogs.map(({ id }) => id))
    sizes.push(dogs.length)
    cursor = next ?? undefined
  } while (cursor)
  assert.equal(sizes, [210, 210, 30])
  assert.is(new Set(seen).size, 450)
})

open('exactly one full file has no next one', async ({ db }) => {
  await seed(db, member(), ...Array.from({ length: 4 }, () => dog()))
  assert.is((await readDogRecords(db, {}, undefined, 4)).next, null)
  assert.ok((await readDogRecords(db, {}, undefined, 3)).next)
})

onlyOnSqlite(open)('every filter reads its own index, in order', async ({ db }) => {
  await seed(db, member(), ...Array.from({ length: 6 }, (_, i) => dog({ zone: 'Toledo', created_at: i })))
  const cases = [
    [{}, 'dogs_created'],
    [{ raza: 'beagle' }, 'dogs_breed_created'],
    [{ provincia: 'Toledo' }, 'dogs_province_created'],
    [{ raza: 'beagle', provincia: '45' }, 'dogs_breed_province_created'],
  ] as const
  for (const [query, index] of cases) {
    const made = await explainQueries(db, async (db) => {
      const { next } = await readDogRecords(db, query, undefined, 2)
      await readDogRecords(db, { ...query, cursor: next! }, undefined, 2)
    })
    assert.equal([made.length, findSlowSteps(made)], [2, []])
    for (const { steps } of made) assert.match(steps[0]!, new RegExp(`USING INDEX ${index}\\b`))
  }
  const [waiting] = await explainQueries(db, (db) =>
    db.selectFrom('dogs').select(['id', 'zone']).where('province', 'is', null).limit(9).execute(),
  )
  assert.match(waiting!.steps[0]!, /USING INDEX dogs_(unplaced|province_created)/)
})

open('a schema is described in words', () => {
  assert.is(typeText({ type: 'integer', minimum: 1, maximum: 100 }), 'entero de 1 a 100')
  assert.is(typeText({ anyOf: [{ type: 'string' }, { type: 'null' }] }), 'texto o null')
  assert.is(
    typeText({
      type: 'object',
      properties: { a: { $ref: '#/components/schemas/Perro' }, b: { type: 'array', items: { type: 'number' } } },
      required: ['a'],
    }),
    '{\n  a: Perro\n  b?: [número, …]\n}',
  )
})
