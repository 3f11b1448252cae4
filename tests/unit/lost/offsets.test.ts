import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { OFFSET_MAX_M, OFFSET_MIN_M } from '#features/lost/lost.ts'
import { moveBy, offsetAt, randomOffset } from '#features/lost/place.server.ts'
import { distanceKm } from '#lib/geo.ts'

const offsets = suite('unit/lost/offsets')

/** The door, and a landmark that the owner names when they move the mark there. */
const DOOR = { lat: 40.42101, lon: -3.68301 }
const LANDMARK = { lat: 40.41121, lon: -3.68251 }

offsets('the same place is moved alike each time, within the bounds', () => {
  for (let n = 0; n < 200; n++) {
    const seed = randomOffset()
    const shown = moveBy(DOOR, offsetAt(seed, DOOR))
    assert.equal(moveBy(DOOR, offsetAt(seed, DOOR)), shown)
    const metres = 1000 * distanceKm(DOOR, shown)
    assert.ok(metres >= OFFSET_MIN_M && metres <= OFFSET_MAX_M, String(metres))
  }
})

offsets('who knows one of an owner’s places learns nothing of another from the two circles', () => {
  let near = 0
  for (let n = 0; n < 200; n++) {
    const seed = randomOffset()
    const door = moveBy(DOOR, offsetAt(seed, DOOR))
    const landmark = moveBy(LANDMARK, offsetAt(seed, LANDMARK))
    const guess = { lat: door.lat - (landmark.lat - LANDMARK.lat), lon: door.lon - (landmark.lon - LANDMARK.lon) }
    if (distanceKm(guess, DOOR) < 0.05) near++
  }
  // By chance a few of two hundred.
  assert.ok(near < 20, String(near))
})

offsets.run()
