import { COLUMN, foot } from './dog-card.server.ts'
import { capOf, cutTo, drawable, fit, write } from './letters.server.ts'
import { ground, INK } from './parts.server.ts'
import { breedMotif } from './pictures.server.ts'
import { sticker } from './sticker.server.ts'
import { type BreedFace, CARD } from './share.ts'

/** A breed as a link's picture: its place in the album, filled. */
export async function drawBreed(face: BreedFace, dataDir: string): Promise<string> {
  const box = { x: 74, y: 74, width: 472, height: 472 }
  const motif = await breedMotif(dataDir, face.slug, box.width - 40)
  const name = fit(drawable(face.name), 'head', [104, 92, 80, 70, 60, 52], COLUMN.width, 3)
  const original = cutTo(drawable(face.original), 'text', 30, COLUMN.width)
  const facts = fit(face.facts.join(' · '), 'text', [34, 31, 28, 26], COLUMN.width, 1)
  const leading = name.size * 0.98
  const nameHeight = capOf('head', name.size) + (name.lines.length - 1) * leading
  let y = 286 - (nameHeight + (original ? 52 : 0) + 66) / 2 + capOf('head', name.size)
  const parts = name.lines.map((line, i) =>
    write(line, { x: COLUMN.x, y: y + i * leading, size: name.size, family: 'head', fill: INK.ink }),
  )
  y += (name.lines.length - 1) * leading
  if (original) parts.push(write(original, { x: COLUMN.x, y: (y += 54), size: 30, fill: INK.soft }))
  parts.push(write(facts.lines[0]!, { x: COLUMN.x, y: y + 68, size: facts.size, fill: INK.ink }))
  const picture = await sticker({ box, edge: 20, style: null, motif, tilt: -2, number: face.number })
  return ground(CARD.width, CARD.height) + picture + parts.join('') + foot()
}
