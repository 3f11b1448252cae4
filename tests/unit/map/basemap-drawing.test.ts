import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { clipLine, clipRing } from '#features/map/base/clip.ts'
import {
  splitAtAntimeridian,
  project,
  parseProvinces,
  parseTowns,
  ringsContain,
  parseWorld,
  type Line,
} from '#features/map/base/geometry.ts'
import { type LabelKind, LabelPlacement } from '#features/map/base/label-placement.ts'
import { PlaceNames, worldSize } from '#features/map/base/place-names.ts'
import type { Box } from '#lib/topology.ts'
import { root } from '#tests/support/sources.ts'
import { assert, suite } from '#tests/support/suites.ts'

const read = (name: string) => JSON.parse(readFileSync(join(root, 'public/mapa', `${name}.json`), 'utf8'))
const line = (...xy: number[]): Line => ({
  xy: Float64Array.from(xy),
  box: [
    Math.min(...xy.filter((_, i) => i % 2 === 0)),
    Math.min(...xy.filter((_, i) => i % 2 === 1)),
    Math.max(...xy.filter((_, i) => i % 2 === 0)),
    Math.max(...xy.filter((_, i) => i % 2 === 1)),
  ],
})
const UNIT: Box = [0, 0, 1, 1]
const area = (xy: ArrayLike<number>) => {
  let sum = 0
  for (let i = 0, j = xy.length - 2; i < xy.length; j = i, i += 2) sum += xy[j]! * xy[i + 1]! - xy[i]! * xy[j + 1]!
  return Math.abs(sum / 2)
}

const test = suite('unit/map/basemap-drawing')

test('places are drawn where web maps put them', () => {
  assert.equal(project(0, 0), [0.5, 0.5])
  assert.ok(Math.abs(project(0, 85.0511287798)[1]) < 1e-9)
  // Madrid at zoom 6 is in tile 31/24.
  const [x, y] = project(-3.7038, 40.4168)
  assert.equal([Math.floor(x * 64), Math.floor(y * 64)], [31, 24])
  assert.ok(Number.isFinite(project(0, -90)[1]))
})

test('a ring is clipped to the box and keeps its area there', () => {
  assert.is(area(clipRing(line(-1, -1, 2, -1, 2, 2, -1, 2, -1, -1), UNIT)), 1)
  assert.is(area(clipRing(line(0.5, 0.5, 2, 0.5, 2, 2, 0.5, 2, 0.5, 0.5), UNIT)), 0.25)
  // A diamond around the box's middle loses its four corners.
  assert.ok(
    Math.abs(area(clipRing(line(0.5, -0.25, 1.25, 0.5, 0.5, 1.25, -0.25, 0.5, 0.5, -0.25), UNIT)) - 0.875) < 1e-12,
  )
  assert.is(clipRing(line(2, 2, 3, 2, 3, 3, 2, 2), UNIT).length, 0)
  const inside = line(0.1, 0.1, 0.9, 0.1, 0.5, 0.9, 0.1, 0.1)
  assert.is(clipRing(inside, UNIT), inside.xy)
  for (const value of Array.from(clipRing(line(-5, 0.5, 0.5, -5, 6, 0.5, 0.5, 6, -5, 0.5), UNIT)))
    assert.ok(value >= 0 && value <= 1)
})

test('a line is clipped into pieces that retain their offset along it', () => {
  const pieces = clipLine(line(-1, 0.5, 2, 0.5, 2, 0.75, -1, 0.75), UNIT)
  assert.equal(
    pieces.map(({ xy, start }) => [xy.map((n) => Number(n.toFixed(9))), Number(start.toFixed(9))]),
    [
      [[0, 0.5, 1, 0.5], 1],
      [[1, 0.75, 0, 0.75], 4.25],
    ],
  )
  assert.equal(clipLine(line(0.1, 0.1, 0.5, 0.1, 0.5, 0.5), UNIT), [{ xy: [0.1, 0.1, 0.5, 0.1, 0.5, 0.5], start: 0 }])
  assert.equal(clipLine(line(-1, 0.5, 0.5, 2), UNIT), [])
})

test('nothing is stroked along the 180th meridian, and lines that continue beyond it are', () => {
  assert.equal(
    splitAtAntimeridian([
      [170, 60],
      [180, 65],
      [180, 70],
      [170, 72],
    ]),
    [
      [
        [170, 60],
        [180, 65],
      ],
      [
        [180, 70],
        [170, 72],
      ],
    ],
  )
  const beyond: [number, number][] = [
    [-180.5, -17],
    [-181, -16],
    [-180.2, -16],
  ]
  assert.equal(splitAtAntimeridian(beyond), [beyond])
})

test('the files draw land where there is land', () => {
  const world = parseWorld(read('mundo'))
  const provinces = parseProvinces(read('provincias'))
  const at = (rings: Line[], lon: number, lat: number) => ringsContain(rings, ...project(lon, lat))
  assert.ok(at(world.spain, -3.7, 40.4) && at(provinces.land, -3.7, 40.4))
  assert.not.ok(at(world.others, -30, 40) || at(world.spain, -30, 40))
  assert.ok(at(world.others, 2.35, 48.85))
  assert.not.ok(at(provinces.land, 3, 42.9), 'the sea off Cap de Creus')
  assert.ok(provinces.regions.length > 20 && provinces.provinces.length > 20)
  assert.is(world.others.filter(({ box }) => box[3] > 0.8).length, 0, 'no Antarctica')
  // Madrid's municipalities: the name of where one stands.
  const { towns, borders } = parseTowns(read('municipios/28'))
  assert.is(towns.find(({ rings }) => at(rings, -3.7, 40.42))!.name, 'Madrid')
  assert.ok(borders.length > 300)
})

const widthOf = (text: string, kind: LabelKind) => text.length * (kind === 'city' ? 8 : 7)

test('no label overlaps another, and the first one stays', () => {
  const placement = new LabelPlacement(widthOf)
  assert.ok(placement.add({ text: 'Madrid', kind: 'city', x: 500, y: 500 }))
  // Madrid's name is to the right of its dot: this one goes to the left.
  assert.ok(placement.add({ text: 'Getafe', kind: 'town', x: 490, y: 512 }))
  assert.not.ok(placement.add({ text: 'Encima', kind: 'village', x: 500, y: 500 }))
  for (let i = 0; i < 300; i++)
    placement.add({ text: `Pueblo ${i}`, kind: 'village', x: 400 + ((i * 37) % 200), y: 400 + ((i * 53) % 200) })
  const labels = [...placement.within([0, 0, 1000, 1000])]
  assert.ok(labels.length > 5 && labels.length < 60, `${labels.length}`)
  for (const [i, a] of labels.entries())
    for (const b of labels.slice(i + 1))
      assert.not.ok(
        a.box[0] < b.box[2] && b.box[0] < a.box[2] && a.box[1] < b.box[3] && b.box[1] < a.box[3],
        `${a.text} over ${b.text}`,
      )
  assert.is(labels.find(({ text }) => text === 'Madrid')!.left, 508.5)
  assert.is(labels.find(({ text }) => text === 'Getafe')!.left, 490 - 7.5 - 42)
})

test('a label on two tiles is drawn by both', () => {
  const placement = new LabelPlacement(widthOf)
  placement.add({ text: 'Santa Cruz de Tenerife', kind: 'city', x: 200, y: 100 })
  const texts = (box: Box) => [...placement.within(box)].map(({ text }) => text)
  assert.equal(texts([0, 0, 256, 256]), ['Santa Cruz de Tenerife'])
  assert.equal(texts([256, 0, 512, 256]), ['Santa Cruz de Tenerife'])
  assert.equal(texts([512, 0, 768, 256]), [])
})

const namesAt = (names: PlaceNames, zoom: number, lon: number, lat: number, reach = 600) => {
  const [x, y] = project(lon, lat).map((part) => part * worldSize(zoom)) as [number, number]
  return names.within(zoom, [x - reach, y - reach, x + reach, y + reach]).map(({ text }) => text)
}

test('each zoom has its names', () => {
  const names = new PlaceNames(widthOf)
  names.add({ countries: parseWorld(read('mundo')).countries })
  names.add({ names: read('nombres') })
  assert.ok(namesAt(names, 2, -3.7, 40.4).includes('España'))
  const country = namesAt(names, 6, -3.7, 40.4)
  assert.ok(country.includes('Madrid') && country.includes('Barcelona'))
  assert.not.ok(country.includes('España') || country.includes('Móstoles'))
  assert.ok(namesAt(names, 7, -6, 43.2).includes('Asturias'))
  assert.not.ok(namesAt(names, 10, -3.7, 40.4).includes('Chinchón'))
  names.addTowns(parseTowns(read('municipios/28')).towns)
  assert.ok(namesAt(names, 10, -3.7, 40.4).includes('Chinchón'))
  assert.is(namesAt(names, 10, -3.7, 40.4).filter((text) => text === 'Madrid').length, 1)
  names.add({ quarters: read('barrios') })
  assert.ok(namesAt(names, 14, -3.703, 40.409).includes('Lavapiés'))
  names.add({ cities: read('ciudades') })
  assert.ok(namesAt(names, 5, -74.07, 4.6).includes('Bogotá'))
})

test('among streets the municipality’s name is legible', () => {
  const names = new PlaceNames(widthOf)
  names.addTowns(parseTowns(read('municipios/28')).towns)
  // The Casa de Campo, far from any town's own name.
  assert.ok(namesAt(names, 17, -3.76, 40.42).includes('Madrid'))
  names.add({ countries: parseWorld(read('mundo')).countries })
  assert.ok(namesAt(names, 16, -64, -36).includes('Argentina'))
})
