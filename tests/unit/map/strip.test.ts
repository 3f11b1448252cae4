import type { Area, MapDogs } from '#features/map/map.ts'
import { cardSize } from '#features/map/strip/card-size.ts'
import {
  clampHeight,
  heightBesideMap,
  heightByKey,
  heightRange,
  isExpanded,
  isFixed,
  isFolded,
  parseHeight,
  STRIP_COLLAPSED,
  STRIP_EXPANDED,
  STRIP_MAX,
  STRIP_MIN,
  toggledHeight,
} from '#features/map/strip/strip-height.ts'
import { anchorIndex, isLonger, stepFrom } from '#features/map/strip/slides.ts'
import {
  appendPage,
  isReordered,
  refreshAreaDogs,
  isInside,
  isSelectedMissing,
  startAreaDogs,
  type StripDog,
  areaDogsQuery,
  stripTitle,
} from '#features/map/strip/area-dogs.ts'
import { assert, suite } from '#tests/support/suites.ts'

const strip = suite('unit/map/strip')
const tall = heightRange(844)

strip('its height is between 200 and 500, 280 at first, and 450 unfolded', () => {
  assert.equal([STRIP_MIN, STRIP_COLLAPSED, STRIP_EXPANDED, STRIP_MAX], [200, 280, 450, 500])
  assert.equal(tall, { min: 200, max: 500, rest: 280 })
  assert.equal(
    [150, 200.4, 333, 900].map((height) => clampHeight(height, tall)),
    [200, 200, 333, 500],
  )
  assert.equal(
    [200, 280, 364, 365, 500].map((height) => toggledHeight(height, tall)),
    [450, 450, 450, 280, 280],
  )
  assert.equal(
    [280, 450].map((height) => isExpanded(height, tall)),
    [false, true],
  )
})

strip('a low screen keeps part of the map', () => {
  assert.equal(heightRange(460), { min: 200, max: 380, rest: 280 })
  assert.equal([toggledHeight(280, heightRange(460)), toggledHeight(380, heightRange(460))], [380, 280])
  // Where 280 and 450 do not differ, the range's own ends do.
  assert.equal(heightRange(300), { min: 180, max: 220, rest: 180 })
  assert.equal(
    [180, 220].map((height) => toggledHeight(height, heightRange(300))),
    [220, 180],
  )
  const side = heightRange(260)
  // A phone on its side: the map has the room, and the strip its title until it is unfolded.
  assert.equal(side, { min: 74, max: 180, rest: 74 })
  assert.equal([isFolded(74), isFolded(toggledHeight(74, side)), toggledHeight(180, side)], [true, false, 74])
  assert.equal(heightRange(324, 0, true), { min: 74, max: 244, rest: 74 })
  assert.equal(heightRange(120), { min: 74, max: 74, rest: 74 })
  assert.ok(isFixed(heightRange(120)))
  assert.not(isFixed(tall))
  assert.equal(heightRange(0), { min: 200, max: 500, rest: 280 })
})

strip('on an upright phone it may cover the content above the map', () => {
  // Of an iPhone with its browser's bars: 400 px of map, 538 with the filters.
  assert.equal(heightRange(400, 538), { min: 200, max: 500, rest: 280 })
  assert.is(toggledHeight(280, heightRange(400, 538)), 450)
  assert.equal(heightRange(300, 442), { min: 180, max: 406, rest: 180 })
  assert.equal(heightRange(580, 600), { min: 200, max: 500, rest: 280 })
  assert.is(heightBesideMap(400), 320)
})

strip('on a low desktop the map gives way first', () => {
  assert.equal([heightRange(527, 650).max, heightRange(373, 536).max], [500, 500])
})

strip('keys move the edge like a splitter’s', () => {
  const by = (key: string, height = 300) => heightByKey(key, height, tall)
  assert.equal(
    ['ArrowUp', 'ArrowDown', 'PageUp', 'PageDown'].map((key) => by(key)),
    [320, 280, 380, 220],
  )
  assert.equal(
    ['Home', 'End', 'Enter'].map((key) => by(key)),
    [200, 500, 450],
  )
  assert.equal([by('ArrowUp', 495), by('ArrowDown', 210)], [500, 200])
  assert.equal(
    ['a', 'Tab', 'toString'].map((key) => by(key)),
    [null, null, null],
  )
})

strip('the session’s stored height is validated', () => {
  assert.equal(['333', '450', '9999', '7', '', 'NaN', '-300', null].map(parseHeight), [
    333,
    450,
    500,
    null,
    null,
    null,
    null,
    null,
  ])
})

strip('cards use the space: beside their photo, then below it, never wider than a phone', () => {
  for (const width of [328, 358, 700, 1018])
    for (let height = 60; height <= 420; height += 4) {
      const size = cardSize(height, width)
      assert.ok(size.width <= width * 0.86, `${height} × ${width}: ${size.width}`)
      assert.ok(size.photo <= height - 16 && size.photo >= 40)
      if (size.form !== 'tall')
        assert.ok(size.width - size.photo - 29 >= 110, `room for the text at ${height} × ${width}`)
    }
  assert.equal(
    [60, 106, 186, 230, 240, 356].map((height) => cardSize(height, 1018).form),
    ['tiny', 'small', 'row', 'row', 'tall', 'tall'],
  )
  assert.ok(cardSize(356, 1018).photo > cardSize(186, 1018).photo)
  // Letters twice as large: less beside the photo, and more room for it.
  assert.equal([cardSize(186, 1018, 2).form, cardSize(356, 1018, 2).form], ['small', 'row'])
  assert.ok(cardSize(186, 1018, 2).width > cardSize(186, 1018).width)
  assert.ok(cardSize(186, 358, 2).photo >= 40)
})

strip('the title has the count', () => {
  assert.equal([0, 1, 2, 1234, null].map(stripTitle), [
    'Por aquí aún no hay perros',
    '1 perro en esta zona',
    '2 perros en esta zona',
    '1.234 perros en esta zona',
    'Buscando perros…',
  ])
})

strip('the query contains area, filters and page', () => {
  const area: Area = [-3.123456789, 40, -3, 40.5]
  assert.is(areaDogsQuery(area, { breed: null, size: null, sort: 'recent' }), 'bbox=-3.12346%2C40%2C-3%2C40.5')
  assert.is(
    areaDogsQuery(area, { breed: 'beagle', size: 'pequeño', sort: 'votes-asc' }, 'abc'),
    'bbox=-3.12346%2C40%2C-3%2C40.5&breed=beagle&size=peque%C3%B1o&sort=votes-asc&cursor=abc',
  )
})

strip('a point is in an area of any repeated world', () => {
  assert.ok(isInside([-3.7, 40.4], [-4, 40, -3, 41]))
  assert.not(isInside([-3.7, 40.4], [-3, 40, -2, 41]))
  assert.not(isInside([-3.7, 39.9], [-4, 40, -3, 41]))
  assert.ok(isInside([-3.7, 40.4], [356, 40, 357, 41]))
  assert.ok(isInside([179, 0], [170, -10, -170, 10]))
  assert.not(isInside([0, 0], [170, -10, -170, 10]))
  assert.ok(isInside([0, 0], [-400, -10, 400, 10]))
})

const dog = (id: string, center?: [number, number]) =>
  ({ id, name: id, ...(center && { center }) }) as Partial<StripDog> as StripDog
const page = (ids: string, nextCursor: string | null = null) =>
  ({ dogs: [...ids].map((id) => dog(id, [0, 0])), nextCursor, visible: 9 }) as MapDogs
const names = ({ dogs }: { dogs: StripDog[] }) => dogs.map(({ id }) => id).join('')

strip('pages continue, each dog once', () => {
  const zone = appendPage(page('abc', 'x'), page('cde', 'y'))
  assert.equal([names(zone), zone.nextCursor], ['abcde', 'y'])
})

strip('the order has changed where all pages together miss a dog', () => {
  const end = (ids: string, nextCursor: string | null, listed: number) => ({ ...page(ids, nextCursor), listed })
  assert.equal([end('abc', 'x', 4), end('abc', null, 4), end('abc', null, 3), end('abcd', null, 3)].map(isReordered), [
    false,
    true,
    false,
    false,
  ])
})

strip('an area requested again retains the pages read beyond its first', () => {
  const aged = (id: string, created_at: number) => ({ ...dog(id, [0, 0]), created_at })
  const first = (ids: string, from: number, nextCursor: string | null = 'x') =>
    ({ ...page(ids, nextCursor), dogs: [...ids].map((id, index) => aged(id, from - index)) }) as MapDogs
  const zone = appendPage(first('abc', 9), first('def', 6, 'y'))
  // «b» went, «n» came.
  const fresh = refreshAreaDogs(zone, {
    ...first('nac', 0),
    dogs: [aged('n', 10), aged('a', 9), aged('c', 7)],
  } as MapDogs)
  assert.equal([names(fresh), fresh.nextCursor], ['nacdef', 'y'])
  // Of the same moment the larger id goes first.
  const twins = { ...page('', null), dogs: [aged('z', 5), aged('y', 5), aged('x', 5)] }
  assert.is(names(refreshAreaDogs(twins, { ...page('', 'c'), dogs: [aged('z', 5), aged('y', 5)] } as MapDogs)), 'zyx')
  const brought = { ...zone, dogs: [aged('q', 1), ...zone.dogs] }
  assert.is(names(refreshAreaDogs(brought, first('abc', 9))), 'qabcdef')
  const alone = refreshAreaDogs({ ...page('', 'x'), dogs: [aged('q', 1), aged('a', 9)] }, first('ab', 9, 'z'))
  assert.equal([names(alone), alone.nextCursor], ['qab', 'z'])
  assert.is(names(refreshAreaDogs(zone, first('ac', 9, null))), 'ac')
  assert.is(names(refreshAreaDogs(zone, page(''))), '')
})

strip('the selected dog stays first while it is in the new area', () => {
  const area: Area = [-1, -1, 1, 1]
  assert.is(names(startAreaDogs(page('ab'), area, dog('z', [0.5, 0.5]))), 'zab')
  assert.is(names(startAreaDogs(page('ab'), area, dog('z', [5, 0]))), 'ab')
  assert.is(names(startAreaDogs(page('ab'), area, dog('b', [0, 0]))), 'ab')
  assert.is(names(startAreaDogs(page('ab'), area, dog('z'))), 'ab')
  assert.is(names(startAreaDogs(page('ab'), area, undefined)), 'ab')
})

strip('another list scrolls as little as possible', () => {
  const ids = (text: string) => [...text]
  assert.ok(isLonger(ids('abc'), ids('abcde')))
  assert.not(isLonger(ids('abc'), ids('ab')))
  assert.not(isLonger(ids('abc'), ids('xabc')))
  assert.is(anchorIndex(ids('abc'), ids('xyc'), 0, 'c'), 2)
  assert.is(anchorIndex(ids('abc'), ids('xyc'), 2, null), 2)
  assert.is(anchorIndex(ids('abc'), ids('xyz'), 2, 'a'), 0)
  // From the beginning one goes to the beginning.
  assert.is(anchorIndex(ids('abc'), ids('xya'), 0, null), 0)
})

strip('arrows step from the selected card, or start with the first visible one', () => {
  const ids = ['a', 'b', 'c']
  assert.equal([stepFrom(ids, 'a', 0, 1), stepFrom(ids, 'c', 0, 1), stepFrom(ids, 'a', 0, -1)], [1, null, null])
  assert.equal([stepFrom(ids, null, 2, 1), stepFrom(ids, 'gone', 1, 1), stepFrom([], null, 0, 1)], [2, 1, null])
})

strip('a selected dog is loaded by its id only if the area contains it and no page does', () => {
  const area: Area = [-4, 40, -3, 41]
  const at = [-3.7, 40.4] as const
  assert.ok(isSelectedMissing('a', at, area, [dog('b')]))
  assert.not(isSelectedMissing('a', at, area, [dog('b'), dog('a')]), 'loaded')
  assert.not(isSelectedMissing('a', [-2.5, 40.4], area, []), 'outside the area')
  assert.not(isSelectedMissing('a', null, area, []), 'without a location')
  assert.not(isSelectedMissing(null, at, area, []), 'without a selection')
})
