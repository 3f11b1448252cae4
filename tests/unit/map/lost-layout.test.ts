import { APART_ZOOM, coveredAt, layOutLost } from '#features/map/lost/lost-layout.ts'
import { assert, pick, pluck, suite } from '#tests/support/suites.ts'

const layout = suite('unit/map/lost-layout')
const at = (x: number, y: number) => ({ x, y })
const distance = (a: { x: number; y: number }, b: { x: number; y: number }) => Math.hypot(a.x - b.x, a.y - b.y)

layout('far away, those of one place are one mark, and others stay where they are', () => {
  const [toledo, here, jaca] = [at(100, 100), at(120, 110), at(400, 100)]
  const groups = layOutLost([toledo, here, jaca], 6, [])
  assert.equal(pluck(groups, 'members'), [[toledo, here], [jaca]])
  assert.equal(pick(groups, 'x', 'y'), [
    [100, 100],
    [400, 100],
  ])
})

layout('in a street each has its own mark, as wide as a finger, also in the very same place', () => {
  const groups = layOutLost([at(5, 5), at(5, 5), at(6, 5)], APART_ZOOM, [])
  assert.is(groups.length, 3)
  for (const one of groups) for (const other of groups) if (one !== other) assert.ok(distance(one, other) >= 44)
})

layout('it lies on no other mark of the map', () => {
  for (const zoom of [6, APART_ZOOM]) {
    const [mark] = layOutLost([at(100, 100)], zoom, [[80, 80, 124, 124]])
    assert.ok(distance(mark!, at(102, 102)) >= 22 + 22)
  }
})

layout('marks of another zoom cover what they do on the map as it is now', () => {
  const [circle, photo] = coveredAt(7, {
    zoom: 6,
    boxes: [
      [80, 80, 120, 120],
      [90, 150, 110, 200],
    ],
  })
  assert.equal(circle, [180, 180, 220, 220])
  assert.equal(photo, [190, 350, 210, 400])
})
