/**
 * Contact sheets of the drawn portraits, as PNG in ./var/portraits, to be looked at after any change to
 * src/features/breeds/portrait: node scripts/portrait-sheets.ts [canon|sil|ind|big|slugs a,b,c]
 */
import { mkdirSync } from 'node:fs'
import sharp from 'sharp'
import { drawPortrait, type PortraitFacts, SCENES } from '#features/breeds/portrait/index.ts'
import { portraitFacts } from '#features/breeds/portraits.server.ts'

const OUT = 'var/portraits'
const facts = portraitFacts(),
  by = new Map(facts.map((f) => [f.slug, f]))
mkdirSync(OUT, { recursive: true })
const nest = (svg: string, x: number, y: number, s: number) =>
  svg.replace('<svg ', `<svg x="${x}" y="${y}" width="${s}" height="${s}" `)
const esc = (s: string) => s.replace(/&/g, '&amp;').replace(/</g, '&lt;')

async function sheet(file: string, cells: { svg: string; label: string }[], cols: number, s = 170): Promise<void> {
  const w = cols * (s + 10) + 10,
    h = Math.ceil(cells.length / cols) * (s + 30) + 10
  const body = cells
    .map((c, i) => {
      const x = 10 + (i % cols) * (s + 10),
        y = 10 + Math.floor(i / cols) * (s + 30)
      return (
        nest(c.svg, x, y, s) +
        `<text x="${x + s / 2}" y="${y + s + 15}" font-family="DejaVu Sans" font-size="11.5" text-anchor="middle">${esc(c.label)}</text>`
      )
    })
    .join('')
  await sharp(
    Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" width="${w}" height="${h}"><rect width="100%" height="100%" fill="#fffdf8"/>${body}</svg>`,
    ),
    { unlimited: true },
  )
    .png({ compressionLevel: 6 })
    .toFile(`${OUT}/${file}.png`)
}

const what = process.argv[2] ?? 'all',
  per = 48
if (what === 'all' || what === 'canon') {
  const only = process.argv[3] ? process.argv[3].split(',').map(Number) : undefined
  for (let i = 0; i * per < facts.length; i++)
    if (!only || only.includes(i))
      await sheet(
        `canon${i}`,
        facts.slice(i * per, i * per + per).map((f) => ({ svg: drawPortrait(f), label: f.slug.slice(0, 27) })),
        8,
      )
}
if (what === 'all' || what === 'sil')
  await sheet(
    'sil',
    facts
      .filter((_, i) => i % 6 === 0)
      .map((f) => ({ svg: drawPortrait(f, { silhouette: true }), label: f.slug.slice(0, 20) })),
    12,
    120,
  )
if (what === 'all' || what === 'ind') {
  const some = [
    'labrador-retriever',
    'pastor-aleman',
    'mestizo',
    'galgo-espanol',
    'caniche',
    'teckel',
    'husky-siberiano',
    'bulldog-frances',
  ].map((s) => by.get(s) as PortraitFacts)
  await sheet(
    'ind',
    some.flatMap((f, j) =>
      SCENES.slice(0, 8).map((_, i) => ({
        svg: drawPortrait(f, { individual: 'dog' + i, ground: SCENES[(i + j * 3) % SCENES.length]! }),
        label: f.slug + ' ' + i,
      })),
    ),
    8,
  )
}
if (what === 'all' || what === 'big')
  for (const s of (process.argv[3] ?? 'labrador-retriever,yorkshire-terrier,pastor-aleman,basset-hound').split(','))
    await sharp(Buffer.from(drawPortrait(by.get(s)!, { size: 700 })))
      .png()
      .toFile(`${OUT}/big-${s}.png`)
if (what === 'slugs')
  await sheet(
    'some',
    (process.argv[3] ?? '').split(',').map((s) => ({ svg: drawPortrait(by.get(s)!), label: s })),
    8,
  )
