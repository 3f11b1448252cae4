import { randomUUID } from 'node:crypto'
import { OFFSET_MAX_M, OFFSET_MIN_M } from '#features/lost/lost.ts'
import { moveBy, offsetOf } from '#features/lost/place.server.ts'
import { distanceKm } from '#lib/geo.ts'
import { assert, suite } from '#tests/support/suites.ts'

const offsets = suite('unit/lost/offsets')

const DOOR = { lat: 40.42101, lon: -3.68301 }

offsets('an owner’s places are moved alike each time, within the bounds', () => {
  for (let n = 0; n < 200; n++) {
    const owner = randomUUID()
    const shown = moveBy(DOOR, offsetOf(owner))
    assert.equal(moveBy(DOOR, offsetOf(owner)), shown)
    const metres = 1000 * distanceKm(DOOR, shown)
    assert.ok(metres >= OFFSET_MIN_M && metres <= OFFSET_MAX_M, String(metres))
  }
})

offsets.run()
