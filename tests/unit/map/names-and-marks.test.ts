import { type Label, type LabelKind, LabelPlacement } from '#features/map/base/label-placement.ts'
import { project } from '#features/map/base/geometry.ts'
import { PlaceNames, worldSize } from '#features/map/base/place-names.ts'
import type { ClusterFeature, DogFeature } from '#features/map/map.ts'
import type { Box } from '#lib/topology.ts'
import { markBoxes } from '#features/map/view/mark-layout.ts'
import { assert, pluck, suite } from '#tests/support/suites.ts'

// No place name lies under the marks of dogs (docs/product.md §16.5).
const names = suite('unit/map/names-and-marks')

const widthOf = (text: string, kind: LabelKind) => text.length * (kind === 'city' ? 8 : 7)
const overlap = (a: Readonly<Box>, b: Readonly<Box>) => a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3]
const circle = (x: number, y: number, radius = 31): Box => [x - radius, y - radius, x + radius, y + radius]
const textBox = ({ text, kind, left, middle }: Label): Box => [left, middle - 6, left + widthOf(text, kind), middle + 6]
const EVERYWHERE: Box = [0, 0, 1000, 1000]

names('a town under a circle is named beside it, and the others keep their position', () => {
  const placement = new LabelPlacement(widthOf)
  placement.add({ text: 'Madrid', kind: 'city', x: 500, y: 500 })
  placement.add({ text: 'Toledo', kind: 'town', x: 300, y: 700 })
  const mark = circle(500, 495)
  const moved = placement.avoid([mark])
  assert.equal(pluck([...moved.keys()], 'text'), ['Madrid'])
  const [madrid] = [...moved.values()]
  assert.not.ok(overlap(textBox(madrid!), mark))
  // Its dot is nearer to the circle's lower edge.
  assert.ok(madrid!.middle > mark[3])
  assert.ok(Math.abs(madrid!.left + widthOf('Madrid', 'city') / 2 - 500) < 1)
})

names('a name that only overlaps a mark moves to another side of its dot', () => {
  const placement = new LabelPlacement(widthOf)
  placement.add({ text: 'Huesca', kind: 'village', x: 500, y: 500 })
  const [huesca] = [...placement.avoid([circle(550, 500)]).values()]
  assert.ok(huesca!.left + widthOf('Huesca', 'village') < 500, 'left of its dot')
})

names('a name without a free position near its point is not shown', () => {
  const placement = new LabelPlacement(widthOf)
  placement.add({ text: 'Huesca', kind: 'village', x: 500, y: 500 })
  const around = [-60, 0, 60].flatMap((dx) => [-60, 0, 60].map((dy) => circle(500 + dx, 500 + dy)))
  assert.equal([...placement.avoid(around).values()], [null])
})

names('crowded names and marks never overlap', () => {
  const placement = new LabelPlacement(widthOf)
  for (let i = 0; i < 300; i++)
    placement.add({ text: `Pueblo ${i}`, kind: 'village', x: (i * 337) % 1000, y: (i * 553) % 1000 })
  const marks = Array.from({ length: 25 }, (_, i) => circle((i * 271) % 1000, (i * 433) % 1000, 23))
  const moved = placement.avoid(marks)
  const shown = [...placement.within(EVERYWHERE)].flatMap((label) => {
    const now = moved.has(label) ? moved.get(label) : label
    return now ? [now] : []
  })
  assert.ok([...moved.values()].filter(Boolean).length > 3)
  for (const [i, label] of shown.entries()) {
    for (const mark of marks) assert.not.ok(overlap(textBox(label), mark), `${label.text} under a mark`)
    for (const other of shown.slice(i + 1))
      assert.not.ok(overlap(textBox(label), textBox(other)), `${label.text} over ${other.text}`)
  }
})

names('the map’s names follow the marks of their zoom', () => {
  const map = new PlaceNames(widthOf)
  map.add({ names: { regiones: [], pueblos: [['28', 'Madrid', -3.7, 40.42, 5, 3_000_000, 1]] } })
  const [x, y] = project(-3.7, 40.42).map((part) => part * worldSize(6)) as [number, number]
  const middle = (zoom = 6) =>
    map.within(zoom, [x - 200, y - 200, x + 200, y + 200]).find(({ text }) => text === 'Madrid')?.middle
  assert.equal([middle(), map.setMarks(6, [circle(x, y)])], [y, true])
  assert.ok(middle()! > y + 31)
  assert.is(map.setMarks(6, [circle(x, y)]), false, 'nothing to draw again')
  assert.equal([map.setMarks(6, []), middle()], [true, y])
  map.setMarks(7, [circle(x, y)])
  assert.is(middle(), y, 'of another zoom')
})

names('a mark covers its circle, or its photo above its point', () => {
  const point = { type: 'Point', coordinates: [0, 0] as [number, number] } as const
  const cluster = (fields: object) =>
    ({ type: 'Feature', id: 1, bbox: [0, 0, 0, 0], geometry: point, properties: { cluster: true, ...fields } }) as never
  const at = [0, 0] as const
  const boxOf = (feature: ClusterFeature | DogFeature, zoom: number) => {
    const [box] = markBoxes([{ feature, at }], zoom)
    return box!.map((px) => px - 128 * 2 ** zoom)
  }
  assert.equal(boxOf(cluster({ point_count: 9 }), 6), [-23, -23, 23, 23])
  assert.equal(boxOf(cluster({ point_count: 25 }), 6), [-31, -31, 31, 31])
  assert.equal(boxOf(cluster({ point_count: 3, photo_url: '/a' }), 15), [-33, -72, 33, 0])
  const dog = { type: 'Feature', id: 'toby', geometry: point, properties: { id: 'toby', photo_url: '/a' } } as never
  assert.equal(boxOf(dog, 15), [-29, -64, 29, 0])
  assert.equal(boxOf(dog, 9), [-23, -52, 23, 0])
})
