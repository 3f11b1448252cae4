import { drawable, fit, capOf, cutTo, widthOf, write } from './letters.server.ts'
import { chip, ground, icon, INK, wordmark } from './parts.server.ts'
import { dogMotif } from './pictures.server.ts'
import { seal, sticker } from './sticker.server.ts'
import { CARD, type DogFace, STICKER, TEXTS } from './share.ts'

/** Right of the sticker: where the words of a link's picture stand. */
export const COLUMN = { x: 610, width: 530 }
const NAMELESS = 'Un perro'

/** A name as it can be drawn: one in another script, or of emojis alone, gives way to the breed. */
const nameOf = (face: DogFace): string => drawable(face.name) || drawable(face.breed) || NAMELESS

/** The foot of every link's picture. */
export const foot = (): string =>
  wordmark(COLUMN.x, 560, 40) +
  write(TEXTS.slogan, { x: COLUMN.x + COLUMN.width, y: 558, size: 24, fill: INK.soft, end: true })

/** A dog as a link's picture: its sticker on the left, what one would ask first on the right. */
export async function drawDog(face: DogFace, dataDir: string): Promise<string> {
  const box = { x: 74, y: 74, width: 472, height: 472 }
  const motif = await dogMotif(dataDir, face.photo, face.breedSlug, box.width - 40)
  const name = fit(nameOf(face), 'head', [112, 100, 88, 76, 66, 56], COLUMN.width, 2)
  const zone = drawable(face.zone ?? '')
  const facts = [face.age, face.weight].filter(Boolean).join(' · ')
  const leading = name.size * 0.98
  // A name that gave way to the breed says it once.
  const named = drawable(face.name) !== '' && drawable(face.breed) !== ''
  // Name, breed, figures, zone: as one block in the middle of what the foot leaves.
  const heights = [
    capOf('head', name.size) + (name.lines.length - 1) * leading,
    named ? 30 + 51 : 16,
    facts ? 26 + 30 : 0,
    zone ? 24 + 28 : 0,
  ]
  let y = 286 - heights.reduce((sum, height) => sum + height, 0) / 2 + capOf('head', name.size)
  const parts = name.lines.map((line, i) =>
    write(line, { x: COLUMN.x, y: y + i * leading, size: name.size, family: 'head', fill: INK.ink }),
  )
  y += (name.lines.length - 1) * leading + (named ? 30 : 16)
  if (named) parts.push(chip(drawable(face.breed), COLUMN.x, y, 30, COLUMN.width).svg)
  y += named ? 51 : 0
  if (facts) parts.push(write(facts, { x: COLUMN.x, y: (y += 26 + 26), size: 36, fill: INK.ink }))
  if (zone) {
    parts.push(icon('pin', COLUMN.x, (y += 24) - 2, 32, INK.soft))
    parts.push(
      write(cutTo(zone, 'text', 32, COLUMN.width - 44), { x: COLUMN.x + 44, y: y + 26, size: 32, fill: INK.soft }),
    )
  }
  const picture = await sticker({ box, edge: 20, style: face.style, motif, tilt: -2 })
  const mark = face.style
    ? `<g transform="rotate(-2 310 310)">${seal(face.style, box.x + box.width - 30, box.y + 2, 24)}</g>`
    : ''
  return ground(CARD.width, CARD.height) + picture + mark + parts.join('') + foot()
}

/** A dog's whole sticker, to keep and to send. */
export async function drawSticker(face: DogFace, dataDir: string): Promise<string> {
  const [width, edge] = [714, 32]
  const x = (STICKER.width - width) / 2
  const inner = { x: x + edge + 14, width: width - 2 * edge - 28 }
  const age = face.age ?? ''
  const ageWidth = widthOf(age, 'text', 36)
  const name = fit(nameOf(face), 'head', [76, 66, 56, 48], inner.width - (age ? ageWidth + 28 : 0), 2)
  const leading = name.size * 1.02
  const nameHeight = capOf('head', name.size) + (name.lines.length - 1) * leading
  const height = edge + (width - 2 * edge) + 40 + nameHeight + 38 + 58 + 40
  const box = { x, y: (STICKER.height - 70 - height) / 2 + 6, width, height }
  const motif = await dogMotif(dataDir, face.photo, face.breedSlug, width - 2 * edge)
  const baseline = box.y + edge + (width - 2 * edge) + 40 + capOf('head', name.size)
  const row = baseline + (name.lines.length - 1) * leading + 38
  const soft = face.style ? INK.chipInk : '#5f4f42'
  const zone = drawable(face.zone ?? '')
  // The breed keeps its share of the row, and what a short zone leaves of it.
  const zoneMost = zone ? widthOf(zone, 'text', 34) + 28 + 44 : 0
  const breedMost = Math.max(inner.width * 0.56, inner.width - zoneMost)
  const breedFill = face.style ? '#ffffffb8' : INK.chip
  const breed = chip(drawable(face.breed) || NAMELESS, inner.x, row, 34, breedMost, breedFill)
  const shown = zone && cutTo(zone, 'text', 34, inner.width - breed.width - 28 - 44)
  const zoneX = inner.x + inner.width - widthOf(shown, 'text', 34)
  const parts = [
    await sticker({ box, edge, style: face.style, motif }),
    face.style ? seal(face.style, box.x + width - 50, box.y + 2, 30) : '',
    ...name.lines.map((line, i) =>
      write(line, { x: inner.x, y: baseline + i * leading, size: name.size, family: 'head', fill: INK.ink }),
    ),
    age && write(age, { x: inner.x + inner.width, y: baseline, size: 36, fill: soft, end: true }),
    breed.svg,
    shown &&
      icon('pin', zoneX - 42, row + 12, 34, soft) +
        write(shown, { x: zoneX, y: row + 29 + capOf('text', 34) / 2, size: 34, fill: soft }),
  ]
  const mark = widthOf('Perrario', 'head', 44)
  return (
    ground(STICKER.width, STICKER.height) +
    parts.join('') +
    wordmark((STICKER.width - mark - 32) / 2, STICKER.height - 36, 44)
  )
}
