import { isOnLand } from '#features/places/on-land.server.ts'
import { assert, suite } from '#tests/support/suites.ts'

const test = suite('unit/places/on-land')

const onLand: [string, number, number][] = [
  ['Madrid', 40.4168, -3.7038],
  ['the beach of Barcelona', 41.3785, 2.1935],
  ['a pier in Cádiz', 36.5405, -6.282],
  ['Las Palmas', 28.1235, -15.4363],
  ['El Hierro', 27.74, -18.02],
  ['Maó', 39.888, 4.26],
  ['Ceuta', 35.889, -5.32],
  ['Melilla', 35.293, -2.938],
  ['Lisbon', 38.72, -9.14],
  ['Bogotá', 4.711, -74.072],
]
for (const [place, lat, lon] of onLand)
  test(`${place} is on land`, () => {
    assert.is(isOnLand({ lat, lon }), true)
  })

const atSea: [string, number, number][] = [
  ['a point ten kilometres off Barcelona', 41.33, 2.32],
  ['the middle of the Atlantic', 35, -40],
  ['the Gulf of Guinea, where a missing position ends up', 0, 0],
  ['the sea between Ibiza and Dénia', 38.85, 0.75],
]
for (const [place, lat, lon] of atSea)
  test(`${place} is not on land`, () => {
    assert.is(isOnLand({ lat, lon }), false)
  })
