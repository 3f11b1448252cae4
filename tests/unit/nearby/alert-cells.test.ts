import { alertCell, cellsAround, isNear } from '#features/nearby/alerts/alert-cells.ts'
import { distanceKm } from '#lib/geo.ts'
import { ALERT_DISTANCES_KM } from '#features/nearby/home-zone/home-zone.ts'
import { assert, suite } from '#tests/support/suites.ts'

const cells = suite('unit/nearby/alert-cells')

const MADRID = { lat: 40.4168, lon: -3.7038 }

cells('measures over the ground', () => {
  // Madrid to Barcelona: 505 km as the crow flies.
  assert.ok(Math.abs(distanceKm(MADRID, { lat: 41.3874, lon: 2.1686 }) - 505) < 3)
  assert.is(distanceKm(MADRID, MADRID), 0)
})

/** A fixed row of chances, so that a failure repeats itself. */
function chances(seed: number) {
  let state = seed
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647
}

cells('whoever is within a distance is in one of the cells around', () => {
  const next = chances(7)
  for (const km of ALERT_DISTANCES_KM)
    for (let i = 0; i < 4000; i++) {
      const point = { lat: -60 + next() * 125, lon: -120 + next() * 240, province: '' }
      const away = (km / 111) * next() * 1.2
      const angle = next() * 2 * Math.PI
      const home = {
        lat: point.lat + away * Math.sin(angle),
        lon: point.lon + (away * Math.cos(angle)) / Math.cos((point.lat * Math.PI) / 180),
        province: '',
      }
      if (!isNear(home, point, km)) continue
      assert.ok(cellsAround(point).includes(alertCell(home, km)!), JSON.stringify({ km, point, home }))
    }
})

cells('there are few cells, whatever the place', () => {
  for (const lat of [-54, 0, 28.1, 40.4, 43.5, 65]) {
    const around = cellsAround({ lat, lon: -3.7, province: '28' })
    assert.ok(around.length <= 1 + 4 * 15, `${lat}: ${around.length}`)
    assert.is(new Set(around).size, around.length)
  }
})

cells('a province is a cell of its own, and no alerts are none', () => {
  assert.is(alertCell({ ...MADRID, province: '28' }, 'province'), 'p:28')
  assert.is(alertCell({ ...MADRID, province: '28' }, null), null)
  assert.is(cellsAround({ ...MADRID, province: '28' })[0], 'p:28')
  assert.not.ok(cellsAround({ ...MADRID, province: '' }).some((cell) => cell.startsWith('p:')))
  assert.ok(isNear({ lat: 0, lon: 0 }, MADRID, 0), 'the cell of a province has decided')
})
