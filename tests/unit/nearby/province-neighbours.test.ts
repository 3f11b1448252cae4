import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { shapesOf, type Topology } from '#lib/topology.ts'
import { LAND_NEIGHBOURS, neighboursOf } from '#features/nearby/province-neighbours.ts'
import { listProvinces } from '#features/places/provinces.server.ts'
import { root } from '#tests/support/sources.ts'
import { assert, suite } from '#tests/support/suites.ts'

const neighbours = suite('unit/nearby/province-neighbours')

/** Provinces that share an arc of the map. */
function readBorders(): Record<string, string> {
  const topology = JSON.parse(readFileSync(join(root, 'public/mapa/provincias.json'), 'utf8')) as Topology
  const users = new Map<number, Set<string>>()
  for (const { id, arcs } of shapesOf(topology, 'provincias'))
    for (const arc of arcs.flat(2).map((index) => (index < 0 ? ~index : index)))
      users.set(arc, (users.get(arc) ?? new Set()).add(id))
  const found = new Map<string, Set<string>>()
  for (const ids of users.values())
    for (const id of ids)
      for (const other of ids) if (other !== id) found.set(id, (found.get(id) ?? new Set()).add(other))
  return Object.fromEntries([...found].map(([id, others]) => [id, [...others].toSorted().join(' ')]))
}

const sorted = (table: Readonly<Record<string, string>>) =>
  Object.entries(table).toSorted(([a], [b]) => (a < b ? -1 : 1))

neighbours('the table says what the map draws', () => {
  assert.equal(sorted(LAND_NEIGHBOURS), sorted(readBorders()))
})

neighbours('all but the Balearic Islands have provinces around them, which exist', () => {
  const ids = listProvinces().map(({ id }) => id)
  assert.is(ids.length, 52)
  for (const id of ids) {
    assert.is(neighboursOf(id).length === 0, id === '07', id)
    for (const other of neighboursOf(id)) assert.ok(ids.includes(other) && other !== id, `${id} ${other}`)
  }
  assert.equal(neighboursOf('28'), ['05', '16', '19', '40', '45'])
  assert.equal(neighboursOf('constructor'), [])
})
