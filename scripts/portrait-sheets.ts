/**
 * Contact sheets of the drawn portraits, as PNG files in ./.cache/portraits, to be looked at after any change to
 * src/features/breeds/portrait: npm run portraits -- [canon [sheet,sheet] | near | sil | ind | big [slug,slug] | slugs slug,slug]
 *
 * `near` prints the pairs that look most alike by the measure of the gate (scripts/lib/portrait-likeness.ts) and draws them side by side.
 */
import { mkdirSync } from 'node:fs'
import sharp from 'sharp'
import { drawPortrait, SCENES } from '#features/breeds/portrait/index.ts'
import { portraitFacts } from '#features/breeds/portraits.server.ts'
import { likePairs, structureOnly } from './lib/portrait-likeness.ts'

const OUTPUT_DIR = '.cache/portraits'
const PORTRAITS_PER_SHEET = 48
const COLUMNS = 8
/** Pairs that differ by less are printed; the gate's bound is in tests/unit/breeds/portraits.test.ts. */
const NEAR_LIMIT = 24
const NEAR_PAIRS_SHOWN = 24
const CELL_PX = 170
const GAP_PX = 10
/** Room for the label under a portrait, gap included. */
const LABEL_PX = 30

interface Cell {
  /** A whole `<svg>` element. */
  svg: string
  label: string
}

const facts = portraitFacts()
const factsBySlug = new Map(facts.map((breed) => [breed.slug, breed]))

function factsOf(slug: string) {
  const breed = factsBySlug.get(slug)
  if (!breed) throw new Error(`There is no breed ${slug}`)
  return breed
}

const placeSvg = (svg: string, x: number, y: number, size: number) =>
  svg.replace('<svg ', `<svg x="${x}" y="${y}" width="${size}" height="${size}" `)
const escapeText = (text: string) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;')

/** Writes a grid of labelled portraits as `name`.png. */
async function writeSheet(name: string, cells: Cell[], columns = COLUMNS, size = CELL_PX): Promise<void> {
  const width = columns * (size + GAP_PX) + GAP_PX
  const height = Math.ceil(cells.length / columns) * (size + LABEL_PX) + GAP_PX
  const body = cells
    .map(({ svg, label }, i) => {
      const x = GAP_PX + (i % columns) * (size + GAP_PX)
      const y = GAP_PX + Math.floor(i / columns) * (size + LABEL_PX)
      return (
        placeSvg(svg, x, y, size) +
        `<text x="${x + size / 2}" y="${y + size + 15}" font-family="DejaVu Sans" font-size="11.5" text-anchor="middle">${escapeText(label)}</text>`
      )
    })
    .join('')
  const sheet = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="#fffdf8"/>${body}</svg>`
  await sharp(Buffer.from(sheet), { unlimited: true }).png({ compressionLevel: 6 }).toFile(`${OUTPUT_DIR}/${name}.png`)
}

/** All portraits in sheets of 48; `only` has the numbers of the sheets to write. */
async function writeCanonicalSheets(only?: number[]): Promise<void> {
  for (let sheet = 0; sheet * PORTRAITS_PER_SHEET < facts.length; sheet++) {
    if (only && !only.includes(sheet)) continue
    const breeds = facts.slice(sheet * PORTRAITS_PER_SHEET, (sheet + 1) * PORTRAITS_PER_SHEET)
    await writeSheet(
      `canon${sheet}`,
      breeds.map((breed) => ({ svg: drawPortrait(breed), label: breed.slug.slice(0, 27) })),
    )
  }
}

/** The silhouettes of every sixth breed. */
async function writeSilhouettes(): Promise<void> {
  const cells = facts
    .filter((_, i) => i % 6 === 0)
    .map((breed) => ({ svg: drawPortrait(breed, { silhouette: true }), label: breed.slug.slice(0, 20) }))
  await writeSheet('sil', cells, 12, 120)
}

/** Eight individuals of each of eight breeds, before different scenes. */
async function writeIndividuals(): Promise<void> {
  const slugs = [
    'labrador-retriever',
    'pastor-aleman',
    'mestizo',
    'galgo-espanol',
    'caniche',
    'teckel',
    'husky-siberiano',
    'bulldog-frances',
  ]
  const cells = slugs.map(factsOf).flatMap((breed, row) =>
    SCENES.slice(0, 8).map((_, i) => ({
      svg: drawPortrait(breed, { individual: `dog${i}`, ground: SCENES[(i + row * 3) % SCENES.length]! }),
      label: `${breed.slug} ${i}`,
    })),
  )
  await writeSheet('ind', cells)
}

/** Prints the pairs that look most alike, with and without their colours, and draws the nearest. */
async function writeNearestPairs(): Promise<void> {
  const pairs = await likePairs(facts, NEAR_LIMIT)
  const structure = await likePairs(facts, NEAR_LIMIT, structureOnly)
  for (const [title, list] of [
    ['as drawn', pairs],
    ['in one palette', structure],
  ] as const) {
    console.log(`${list.length} pairs under ${NEAR_LIMIT} ${title}, nearest first`)
    for (const { a, b, distance } of list.slice(0, NEAR_PAIRS_SHOWN)) console.log(`  ${distance.toFixed(1)} ${a} ${b}`)
  }
  const cells = pairs.slice(0, NEAR_PAIRS_SHOWN).flatMap(({ a, b, distance }) =>
    [a, b].map((slug) => ({
      svg: drawPortrait(factsOf(slug)),
      label: `${distance.toFixed(1)} ${slug.slice(0, 22)}`,
    })),
  )
  if (cells.length > 0) await writeSheet('near', cells)
}

/** Each portrait in a file of its own, 700 px. */
async function writeLargePortraits(slugs: string[]): Promise<void> {
  for (const slug of slugs)
    await sharp(Buffer.from(drawPortrait(factsOf(slug), { size: 700 })))
      .png()
      .toFile(`${OUTPUT_DIR}/big-${slug}.png`)
}

mkdirSync(OUTPUT_DIR, { recursive: true })
const requested = process.argv[2] ?? 'all'
const list = process.argv[3]?.split(',')
const isRequested = (name: string) => requested === name || requested === 'all'
if (isRequested('canon')) await writeCanonicalSheets(list?.map(Number))
if (isRequested('near')) await writeNearestPairs()
if (isRequested('sil')) await writeSilhouettes()
if (isRequested('ind')) await writeIndividuals()
if (isRequested('big'))
  await writeLargePortraits(list ?? ['labrador-retriever', 'yorkshire-terrier', 'pastor-aleman', 'basset-hound'])
if (requested === 'slugs')
  await writeSheet(
    'some',
    (list ?? []).map((slug) => ({ svg: drawPortrait(factsOf(slug)), label: slug })),
  )
