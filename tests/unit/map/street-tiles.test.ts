import { mock } from 'node:test'
import { tileFailureHandlers } from '#features/map/base/street-tiles.ts'
import { assert, suite } from '#tests/support/suites.ts'

// When street tiles count as failed; tests/browser/map/network-failures has the tiles and the note.
interface World {
  on: ReturnType<typeof tileFailureHandlers>
  reports: number
}
const tiles = suite<World>('unit/map/street-tiles')
tiles.before.each((w) => {
  mock.timers.enable({ apis: ['setTimeout'] })
  w.reports = 0
  w.on = tileFailureHandlers(() => w.reports++)
})
tiles.after.each(() => mock.timers.reset())

const repeat = (times: number, event: () => void) => {
  for (let i = 0; i < times; i++) event()
}

tiles('tiles that arrive report nothing, however long ago', (w) => {
  w.on.loading()
  repeat(4, w.on.tileloadstart)
  repeat(4, w.on.tileload)
  w.on.load()
  mock.timers.tick(60_000)
  assert.is(w.reports, 0)
})

tiles('six failures in a row are reported, once', (w) => {
  repeat(9, w.on.tileloadstart)
  repeat(5, w.on.tileerror)
  assert.is(w.reports, 0)
  w.on.tileerror()
  assert.is(w.reports, 1)
  repeat(9, w.on.tileerror)
  w.on.load()
  w.on.tileloadstart()
  mock.timers.tick(60_000)
  assert.is(w.reports, 1)
})

tiles('failures among tiles that arrive are not reported', (w) => {
  for (let i = 0; i < 5; i++) {
    repeat(5, w.on.tileerror)
    w.on.tileload()
  }
  w.on.load()
  assert.is(w.reports, 0)
})

tiles('a small view of which every tile failed is reported', (w) => {
  w.on.loading()
  repeat(2, w.on.tileloadstart)
  repeat(2, w.on.tileerror)
  w.on.load()
  assert.is(w.reports, 1)
})

tiles('a view of which some tiles failed is not, until every tile of another one fails', (w) => {
  w.on.loading()
  repeat(4, w.on.tileloadstart)
  repeat(2, w.on.tileload)
  repeat(2, w.on.tileerror)
  w.on.load()
  assert.is(w.reports, 0)
  w.on.loading()
  repeat(2, w.on.tileerror)
  w.on.load()
  assert.is(w.reports, 1)
})

tiles('a view that asked for no tile reports nothing', (w) => {
  w.on.loading()
  w.on.load()
  assert.is(w.reports, 0)
})

tiles('one tile that arrives ends the wait for the first', (w) => {
  repeat(4, w.on.tileloadstart)
  w.on.tileload()
  mock.timers.tick(60_000)
  assert.is(w.reports, 0)
})

tiles('ten seconds without any tile are reported', (w) => {
  w.on.tileloadstart()
  mock.timers.tick(5000)
  // More tiles do not extend the time.
  w.on.tileloadstart()
  mock.timers.tick(4999)
  assert.is(w.reports, 0)
  mock.timers.tick(1)
  assert.is(w.reports, 1)
})

tiles('a layer that is removed reports nothing', (w) => {
  w.on.tileloadstart()
  w.on.remove()
  mock.timers.tick(60_000)
  assert.is(w.reports, 0)
})
