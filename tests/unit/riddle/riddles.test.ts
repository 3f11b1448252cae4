import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp, { type Sharp } from 'sharp'
import { figureLabel, renderFigureFile, renderHeightShadow } from '#features/breeds/figures/figure-files.ts'
import { getCatalogue } from '#features/breeds/current-catalogue.server.ts'
import { portraitFile, portraitNames } from '#features/breeds/portraits.server.ts'
import { findPicture, pictureAddress, type RiddlePicture } from '#features/riddle/pictures.server.ts'
import { toGame } from '#features/riddle/game.server.ts'
import { namesBreed, riddleFact } from '#features/riddle/facts.server.ts'
import { addDays, isDay, resultRow, riddleDay, statisticsOf, statusText } from '#features/riddle/riddle.ts'
import { DAYS_WITHOUT_REPEAT, findRiddle } from '#features/riddle/riddles.server.ts'
import { drawBreed } from '#features/riddle/draw.server.ts'
import { readAllRows } from '#tests/support/rows.ts'
import { sample } from '#tests/support/sample.ts'
import { assert, captureConsole, dataSuite, refusalOf } from '#tests/support/suites.ts'

const riddles = dataSuite('unit/riddle/riddles')

const at = (day: string) => Date.parse(`${day}T12:00:00Z`)

riddles('a day has one riddle, whoever asks first', async ({ db, dir }) => {
  const now = at('2026-11-26')
  const drawn = await Promise.all(Array.from({ length: 8 }, () => findRiddle(db, dir, '2026-11-26', now)))
  for (const riddle of drawn) assert.equal(riddle, drawn[0])
  assert.is((await readAllRows(db)).riddles!.length, 1)
  rmSync(join(dir, 'riddle.key'))
  assert.equal(await findRiddle(db, dir, '2026-11-26', now), drawn[0], 'another key changes no day that is drawn')
})

riddles('the riddle changes at midnight in Madrid', () => {
  assert.is(riddleDay(Date.parse('2026-11-26T22:59:59Z')), '2026-11-26')
  assert.is(riddleDay(Date.parse('2026-11-26T23:00:00Z')), '2026-11-27')
  assert.is(riddleDay(Date.parse('2027-07-01T22:00:00Z')), '2027-07-02')
})

riddles('what is no day, a day before the first riddle and the future have none, and nothing is stored', async (t) => {
  const ask = (day: string | undefined) => refusalOf(findRiddle(t.db, t.dir, day, at('2026-11-26')))
  for (const day of [undefined, '', 'ayer', '2026-11-31', '2026-2-3', '2026-10-31', '1999-01-01'])
    assert.is(await ask(day), '404 No hay ningún reto de ese día.', day)
  assert.is(await ask('2026-11-27'), '404 Ese reto aún no ha salido. Vuelve ese día.')
  assert.is((await readAllRows(t.db)).riddles!.length, 0)
})

riddles('no breed comes again within 200 days, well-known ones come first', async ({ db, dir }) => {
  const first = '2026-11-01'
  const slugs: string[] = []
  // From the last to the first: past days are drawn when somebody asks for them.
  for (let i = 229; i >= 0; i--) {
    const day = addDays(first, i)
    slugs.unshift((await findRiddle(db, dir, day, at('2028-01-01'))).breed_slug)
  }
  for (const [i, slug] of slugs.entries())
    assert.not.ok(slugs.slice(i + 1, i + DAYS_WITHOUT_REPEAT).includes(slug), `${slug} of day ${i}`)
  assert.not.ok(slugs.includes('mestizo'))
  assert.ok(drawBreed(dir, '2026-11-02', new Set()) !== '')
})

const draw = async (breed_slug: string, name: RiddlePicture, secret = breed_slug) => {
  const riddle = { day: '2026-11-20', breed_slug, secret }
  const [token] = pictureAddress(riddle, name).split('/').at(-1)!.split('.')
  return sharp(await findPicture(riddle, token!))
}
const SIDE = 40
/** How opaque a picture is, at each of 40 x 40 places. */
const opacity = (picture: Sharp) => picture.resize(SIDE, SIDE, { fit: 'fill' }).extractChannel('alpha').raw().toBuffer()
/** The same of what is drawn, wherever it stands in the picture. */
const outline = async (picture: Sharp) => opacity(sharp(await picture.clone().trim().toBuffer()))
const difference = (a: Buffer, b: Buffer) =>
  a.reduce((sum, value, i) => sum + Math.abs(value - b[i]!), 0) / 255 / a.length

riddles('a silhouette is the public one, and laid over all of them it is nearer to others', async () => {
  const slugs = portraitNames.filter((name) => !name.endsWith('-silueta'))
  const show = (slug: string, view: string) => {
    const svg = portraitFile(`${slug}-silueta`).replace(/viewBox="[^"]*"/, `width="200" height="200" viewBox="${view}"`)
    return sharp(Buffer.from(svg))
  }
  const open = await Promise.all(slugs.map((slug) => opacity(show(slug, '0 0 200 200'))))
  const cases = sample(slugs, 40)
  const found: string[] = []
  for (const [i, slug] of cases.entries()) {
    const picture = await draw(slug, 'silhouette', `secret ${i}`)
    const pixels = await opacity(picture.clone())
    assert.is(Math.max(...pixels.subarray(0, SIDE)), 0, `${slug}: nothing is cut above`)
    const shape = await outline(picture)
    // Ears and ruffs that do not fit in the public file are seen.
    const whole = show(slug, '-20 -40 240 240')
    const mirrored = sharp(await whole.clone().flop().toBuffer())
    const apart = Math.min(difference(shape, await outline(whole)), difference(shape, await outline(mirrored)))
    assert.ok(apart < 0.04, `${slug}: ${apart} of the shape is another`)
    const distances = open.map((other) => difference(pixels, other))
    if (slugs[distances.indexOf(Math.min(...distances))] === slug) found.push(slug)
  }
  assert.ok(found.length < cases.length / 10, found.join())
})

riddles('pictures have one size for all breeds, a ground to the edge and no colour that is missing', async () => {
  for (const slug of ['beagle', 'chihuahua', 'gran-danes', 'mastin-tibetano']) {
    const sizes = []
    for (const name of ['silhouette', 'height', 'portrait'] as const) {
      const { format, width, height } = await (await draw(slug, name)).metadata()
      sizes.push(`${format} ${width} x ${height}`)
    }
    assert.equal(sizes, ['png 500 x 500', 'png 500 x 524', 'png 500 x 500'], slug)
    assert.ok((await (await draw(slug, 'portrait')).stats()).isOpaque, slug)
    const size = (await draw(slug, 'height')).flatten({ background: '#fff' })
    const [red] = (await sharp(await size.png().toBuffer()).stats()).channels
    assert.ok(red!.min > 20, `${slug}: black is no colour of the drawing`)
  }
})

riddles('the key is a secret file, and decides what is drawn', ({ dir }) => {
  const other = mkdtempSync(join(dir, 'otro-'))
  const days = Array.from({ length: 12 }, (_, i) => addDays('2026-11-01', i))
  const drawAll = (folder: string) => days.map((day) => drawBreed(folder, day, new Set()))
  assert.equal(drawAll(dir), drawAll(dir))
  assert.not.equal(drawAll(dir), drawAll(other))
  assert.is(statSync(join(dir, 'riddle.key')).mode & 0o777, 0o600)
  assert.match(readFileSync(join(dir, 'riddle.key'), 'utf8'), /^[\w-]{43}\n$/)
  writeFileSync(join(dir, 'riddle.key'), 'x')
  chmodSync(join(dir, 'riddle.key'), 0o600)
  using _ = captureConsole()
  assert.ok(drawBreed(dir, '2026-11-01', new Set()))
  assert.is(readFileSync(join(dir, 'riddle.key'), 'utf8'), 'x', 'it is left as it is')
})

riddles('no hint of any breed names it, and the game says the answer at its end alone', async ({ db }) => {
  const catalogue = await getCatalogue(db)
  for (const breed of catalogue.breeds) {
    if (breed.slug === 'mestizo') continue
    const riddle = { day: '2026-11-20', breed_slug: breed.slug, secret: 'x' }
    const others = catalogue.breeds.filter(({ slug }) => slug !== breed.slug).slice(0, 6)
    const wrong = others.map(({ slug }) => slug)
    const open = toGame(riddle, wrong.slice(0, 5), catalogue)
    const { guesses: _, ...shown } = open
    const text = JSON.stringify(shown)
    assert.not.ok(text.includes(breed.slug), `${breed.slug}: ${text}`)
    assert.not.ok(text.toLowerCase().includes(breed.nombre_castellano.toLowerCase()), `${breed.slug}: ${text}`)
    assert.not.ok(namesBreed(riddleFact(breed, catalogue), breed, catalogue), breed.slug)
    assert.equal([open.answer, open.result, open.state, open.left], [null, null, 'open', 1])
    const lost = toGame(riddle, wrong, catalogue)
    assert.equal([lost.state, lost.answer?.slug, lost.left], ['lost', breed.slug, 0])
    assert.is(toGame(riddle, [breed.slug], catalogue).state, 'won')
  }
})

riddles('the picture of the size leaves the colours to the portrait', async ({ db }) => {
  const { bySlug } = await getCatalogue(db)
  const beagle = bySlug.get('beagle')!
  assert.match(renderHeightShadow(beagle), 'filter="url(#sh)"')
  assert.not.match(renderFigureFile(beagle, 'altura'), 'filter')
})

riddles('hints come one by one', async ({ db }) => {
  const catalogue = await getCatalogue(db)
  const riddle = { day: '2026-11-20', breed_slug: 'beagle', secret: 'x' }
  const wrong = ['boxer', 'caniche', 'carlino', 'basenji', 'borzoi']
  const given = Array.from({ length: 6 }, (_, guesses) => {
    const { hints } = toGame(riddle, wrong.slice(0, guesses), catalogue)
    return [hints.height, hints.origin, hints.fact, hints.portrait].filter((hint) => hint !== null).length
  })
  assert.equal(given, [0, 1, 2, 3, 4, 4])
  const { hints } = toGame(riddle, wrong, catalogue)
  assert.is(hints.height!.alt, figureLabel(catalogue.bySlug.get('beagle')!, 'altura'))
  assert.match(hints.portrait!.alt, /^Retrato: pelo /)
})

riddles('a guess is answered by what is right', async ({ db }) => {
  const catalogue = await getCatalogue(db)
  const riddle = { day: '2026-11-20', breed_slug: 'border-collie', secret: 'x' }
  const [chihuahua, collie, dane] = toGame(
    riddle,
    ['chihuahua', 'collie-de-pelo-largo', 'gran-danes'],
    catalogue,
  ).guesses
  assert.equal(
    [chihuahua!.group, chihuahua!.size, chihuahua!.origin, chihuahua!.correct],
    [false, 'bigger', false, false],
  )
  assert.equal([collie!.group, collie!.origin, collie!.name], [true, true, 'Collie de pelo largo'])
  assert.is(dane!.size, 'smaller')
})

riddles('a result is a row of paws, with the bone where the breed was found', () => {
  assert.is(resultRow(3, 'won'), '🐾🐾🦴 3/6')
  assert.is(resultRow(1, 'won'), '🦴 1/6')
  assert.is(resultRow(6, 'lost'), '🐾🐾🐾🐾🐾🐾 X/6')
})

riddles('statistics count what was played to its end, and no days in a row', () => {
  const games = new Map([
    ['2026-11-26', 'open'],
    ['2026-11-25', 'won'],
    ['2026-11-24', 'won'],
    ['2026-11-23', 'lost'],
  ] as const)
  assert.equal(statisticsOf(games), { played: 3, won: 2 })
  assert.ok(isDay('2028-02-29') && !isDay('2027-02-29'))
})

riddles('what came of a guess is said in words, and names the breed only at the end', () => {
  const guess = {
    slug: 'boxer',
    name: 'Bóxer',
    correct: false,
    group: false,
    size: 'bigger',
    origin: false,
    coat: false,
  } as const
  const game: Parameters<typeof statusText>[0] = { state: 'open', guesses: [], left: 6, answer: null }
  assert.is(statusText(game), 'Te quedan 6 intentos.')
  assert.is(
    statusText({ ...game, guesses: [guess], left: 1 }),
    'No es Bóxer. Te queda un intento, y tienes una pista más.',
  )
  const answer = { slug: 'beagle', name: 'Beagle' }
  assert.is(
    statusText({ ...game, state: 'lost', guesses: [guess], left: 0, answer }),
    'Esta vez se ha escapado. La raza era Beagle.',
  )
  assert.is(statusText({ ...game, state: 'won', guesses: [guess], left: 2, answer }), '¡La has encontrado! Era Beagle.')
})
