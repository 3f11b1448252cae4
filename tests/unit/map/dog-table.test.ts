import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { DogTable } from '#features/map/index/dog-table.ts'
import type { Area } from '#features/map/map.ts'
import { PointGrid } from '#features/map/index/point-grid.ts'
import { createRandom as makeDice } from '#app/demo/random.ts'

const test = suite('unit/map/dog-table')

test('dogs are added, removed and found, in any order', () => {
  const dice = makeDice(11)
  const table = new DogTable()
  const known = new Map<string, number>()
  for (let step = 0; step < 20_000; step++) {
    if (known.size && dice.chance(0.45)) {
      const id = dice.pick([...known.keys()].slice(0, 50))
      table.remove(known.get(id)!)
      known.delete(id)
      assert.is(table.find(id), -1)
    } else {
      const id = dice.uuid()
      const row = table.add(id)
      assert.not.ok([...known.values()].slice(-20).includes(row))
      known.set(id, row)
    }
    if (step % 500 === 0) table.recycle()
  }
  assert.is(table.size, known.size)
  for (const [id, row] of known) assert.equal([table.find(id), table.id(row)], [row, id])
  assert.equal([...table.all()].sort(), [...known.values()].sort())
})

test('texts that no dog has any more are released, those of existing dogs are not', () => {
  const dice = makeDice(5)
  const table = new DogTable()
  const rows = Array.from({ length: 50 }, () => table.add(dice.uuid()))
  const zoneOf = (row: number) => `Zona ${row}`
  for (const row of rows) {
    table.zones[row] = table.strings.intern(zoneOf(row))
    table.breeds[row] = table.strings.intern('beagle')
  }
  let largest = 0
  // One dog whose zone is edited again and again.
  for (let n = 0; n < 20_000; n++) {
    table.zones[rows[0]!] = table.strings.intern(`Otra zona ${n}`)
    table.compactStrings()
    largest = Math.max(largest, table.strings.size)
  }
  assert.ok(largest <= 1200, `${largest}`)
  assert.equal(
    rows.map((row) => [table.strings.text(table.zones[row]!), table.strings.text(table.breeds[row]!)]),
    rows.map((row, at) => [at === 0 ? 'Otra zona 19999' : zoneOf(row), 'beagle']),
  )
  assert.is(table.breeds[rows[3]!], table.strings.find('beagle'))
  assert.is(table.strings.text(table.sizes[rows[3]!]!), null)
})

test('a freed row is reused only after the indexes were rebuilt', () => {
  const table = new DogTable()
  const [a, b, c] = [makeDice(1).uuid(), makeDice(2).uuid(), makeDice(3).uuid()]
  const row = table.add(a)
  table.remove(row)
  assert.is.not(table.add(b), row)
  assert.is(table.id(row), a)
  table.recycle()
  assert.is(table.add(c), row)
})

test('sorts newest first, by id for equal times, without dogs that have no place', () => {
  const table = new DogTable()
  const ids = ['00000000', '80000000', 'ffffffff', 'ffffffff'].map(
    (start, i) => `${start}-0000-4000-8000-00000000000${i}`,
  )
  for (const [i, id] of ids.entries()) {
    const row = table.add(id)
    table.created[row] = i === 0 ? 2 : 1
    table.move(row, { lon: -3.70379, lat: 40.41678 })
  }
  const lost = table.add('11111111-0000-4000-8000-000000000000')
  table.created[lost] = 9
  assert.equal(
    Array.from(table.newestFirst(), (row) => table.id(row)),
    [ids[0], ids[3], ids[2], ids[1]],
  )
  assert.equal([table.lons[0], table.lats[0]], [-370_379, 4_041_678])
})

test('an id that is not a UUID is refused', () => {
  const table = new DogTable()
  for (const id of ['', 'toby', '00000000-0000-4000-8000-00000000000', '00000000-0000-4000-8000-00000000000g'])
    assert.throws(() => table.find(id), /is no UUID/, id)
})

test('points of an area are counted, found, collected and paged as one by one', () => {
  const dice = makeDice(5)
  // Towns of many dogs within 400 metres, and some in between.
  const towns = Array.from({ length: 12 }, () => [dice.next() * 4 - 4, 38 + dice.next() * 3] as const)
  const places = Array.from({ length: 30_000 }, () => {
    const [lon, lat] = dice.pick(towns)
    const width = dice.chance(0.1) ? 1 : 0.008
    return [Math.round((lon + dice.next() * width) * 1e5), Math.round((lat + dice.next() * width) * 1e5)] as const
  })
  const points = new PointGrid(
    Int32Array.from(places, ([lon]) => lon),
    Int32Array.from(places, ([, lat]) => lat),
  )
  for (let n = 0; n < 60; n++) {
    const [lon, lat] = dice.pick(towns)
    const width = 0.001 * 3 ** dice.int(9)
    const [west, south] = [lon - dice.next() * width, lat - dice.next() * width]
    const area: Area = [west, south, west + width, south + width]
    const inside = places.flatMap(([x, y], i) =>
      x / 1e5 >= west && x / 1e5 <= area[2] && y / 1e5 >= south && y / 1e5 <= area[3] ? [i] : [],
    )
    assert.is(points.count([area]), inside.length)
    const found: number[] = []
    points.find([area], (i) => found.push(i))
    assert.equal(
      found.sort((a, b) => a - b),
      inside,
    )
    let gathered = 0
    points.gather(
      [area],
      ({ count, lon, lat, bbox }) => {
        gathered += count
        assert.ok(bbox[0] >= west && bbox[2] <= area[2] && bbox[1] >= south && bbox[3] <= area[3])
        assert.ok(lon >= bbox[0] - 1e-9 && lon <= bbox[2] + 1e-9 && lat >= bbox[1] - 1e-9 && lat <= bbox[3] + 1e-9)
      },
      () => gathered++,
    )
    assert.is(gathered, inside.length)
    for (const from of [0, 7000, 29_990])
      assert.equal(points.first([area], from, 25), inside.filter((i) => i >= from).slice(0, 25))
  }
})

test.run()
