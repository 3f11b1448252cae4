/**
 * How alike two breed portraits look, for the contact sheet (`npm run portraits`) and the gate in
 * tests/unit/breeds/portraits.test.ts.
 *
 * A portrait is compared as a grey picture of 64 px on a plain ground, without its collar. Each picture gets the same mean and
 * contrast, so that a darker coat alone is no difference, and a pair is compared at the shift and the scale where it differs least.
 */
import sharp from 'sharp'
import { drawDog } from '#features/breeds/portrait/draw.ts'
import { breedTraits } from '#features/breeds/portrait/traits/traits.ts'
import type { Palette, PortraitFacts, Traits } from '#features/breeds/portrait/types.ts'

const SIZE_PX = 64
/** Grey of the ground; the dog's mean grey and its standard deviation after normalising. */
const GROUND_GREY = 232
const MEAN_GREY = 128
const CONTRAST = 48
/** A plain coat has little contrast: noise must not be amplified without limit. */
const GAIN_MAX = 2.2
const SHIFT_MAX_PX = 3
/** A head that is only drawn larger is the same head. */
const SCALES = [0.94, 1.06] as const
/** Side of the blocks by whose means pictures are compared first. */
const BLOCK_PX = 4

/** A normalised grey picture, row by row. */
export type GreyPicture = Float32Array

/** A picture, and the means of its blocks for each place of the first block's corner, within a block, row by row. */
interface Comparable {
  full: GreyPicture
  blocks: Float32Array[]
}

export interface LikePair {
  /** Slugs. */
  a: string
  b: string
  /** Root mean square of the difference, 0 to 255. */
  distance: number
}

/** One palette for all: what remains are the shapes. */
const ONE_PALETTE: Palette = {
  base: '#a8a8a8',
  ear: '#7c7c7c',
  inner: '#d0b0a8',
  muzzle: '#d8d8d8',
  chest: '#d0d0d0',
  body: '#989898',
  second: '#808080',
  light: '#e8e8e8',
  tan: '#b0b0b0',
  mask: '#505050',
  ruff: '#8c8c8c',
  top: '#bcbcbc',
  beard: '#d8d8d8',
  eye: '#2c1e17',
  nose: '#2a201c',
}

/** The traits without colours and markings, so that a patch is no difference. Folds are part of the build. */
export const structureOnly = (t: Traits): Traits => ({
  ...t,
  pal: ONE_PALETTE,
  marks: t.marks.filter((mark) => mark === 'folds' || mark === 'wrinkles'),
})

/** The portrait as it is compared. `repaint` may change its traits first. */
export async function greyPicture(facts: PortraitFacts, repaint = (t: Traits): Traits => t): Promise<GreyPicture> {
  const traits: Traits = { ...repaint(breedTraits(facts)), collarKind: 'none' }
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 200" width="${SIZE_PX}" height="${SIZE_PX}">${drawDog(traits, 'x')}</svg>`
  const rgba = await sharp(Buffer.from(svg)).ensureAlpha().raw().toBuffer()
  const grey = new Float32Array(SIZE_PX * SIZE_PX)
  let weight = 0,
    sum = 0,
    squares = 0
  for (let i = 0; i < grey.length; i++) {
    const [r, g, b, alpha] = [rgba[i * 4]!, rgba[i * 4 + 1]!, rgba[i * 4 + 2]!, rgba[i * 4 + 3]! / 255]
    const value = 0.299 * r + 0.587 * g + 0.114 * b
    grey[i] = value
    weight += alpha
    sum += value * alpha
    squares += value * value * alpha
  }
  const mean = sum / weight,
    deviation = Math.sqrt(Math.max(0, squares / weight - mean * mean)),
    gain = Math.min(GAIN_MAX, CONTRAST / (deviation || 1))
  for (let i = 0; i < grey.length; i++) {
    const alpha = rgba[i * 4 + 3]! / 255,
      normalised = Math.max(0, Math.min(255, MEAN_GREY + (grey[i]! - mean) * gain))
    grey[i] = GROUND_GREY * (1 - alpha) + normalised * alpha
  }
  return grey
}

/**
 * Root mean square of the difference with `b` moved by the shift, over the part that both cover. Infinity as soon as it is certain
 * to exceed the limit: rows are visited eight apart, so that a pair that differs shows it early.
 */
function distanceAt(a: GreyPicture, b: GreyPicture, dx: number, dy: number, limit: number): number {
  const size = Math.sqrt(a.length),
    left = Math.max(0, dx),
    right = Math.min(size, size + dx),
    top = Math.max(0, dy),
    bottom = Math.min(size, size + dy),
    count = (right - left) * (bottom - top),
    most = limit * limit * count
  let sum = 0
  for (let first = 0; first < 8; first++) {
    for (let y = top + first; y < bottom; y += 8) {
      const rowA = y * size,
        rowB = (y - dy) * size - dx
      for (let x = left; x < right; x++) {
        const d = a[rowA + x]! - b[rowB + x]!
        sum += d * d
      }
      if (sum > most) return Infinity
    }
  }
  return Math.sqrt(sum / count)
}

const BLOCKS = SIZE_PX / BLOCK_PX

/** Whether the blocks' means show that the distance at this shift exceeds the limit: they never differ more than the pixels do. */
function isBeyond(a: Comparable, b: Comparable, dx: number, dy: number, limit: number): boolean {
  const [phaseX, phaseY] = [(BLOCK_PX - dx) % BLOCK_PX, (BLOCK_PX - dy) % BLOCK_PX]
  const [meansA, meansB] = [a.blocks[0]!, b.blocks[phaseY * BLOCK_PX + phaseX]!]
  const left = dx > 0 ? 1 : 0,
    right = dx < 0 ? BLOCKS - 1 : BLOCKS,
    top = dy > 0 ? 1 : 0,
    bottom = dy < 0 ? BLOCKS - 1 : BLOCKS,
    count = (SIZE_PX - Math.abs(dx)) * (SIZE_PX - Math.abs(dy)),
    // Room for rounding.
    most = (limit * limit * count * 1.0001) / BLOCK_PX ** 2
  let sum = 0
  for (let first = 0; first < 4; first++)
    for (let y = top + first; y < bottom; y += 4) {
      const rowA = y * BLOCKS,
        rowB = (y - top) * BLOCKS - left
      for (let x = left; x < right; x++) {
        const d = meansA[rowA + x]! - meansB[rowB + x]!
        sum += d * d
      }
      if (sum > most) return true
    }
  return false
}

/** The least distance over the shifts of up to 3 px; Infinity above the limit. */
function alignedDistance(a: Comparable, b: Comparable, limit: number): number {
  let least = Infinity
  for (let dy = -SHIFT_MAX_PX; dy <= SHIFT_MAX_PX; dy++)
    for (let dx = -SHIFT_MAX_PX; dx <= SHIFT_MAX_PX; dx++) {
      const most = Math.min(limit, least)
      if (!isBeyond(a, b, dx, dy, most)) least = Math.min(least, distanceAt(a.full, b.full, dx, dy, most))
    }
  return least
}

function comparable(full: GreyPicture): Comparable {
  const blocks = Array.from({ length: BLOCK_PX ** 2 }, (_, phase) => {
    const [startX, startY] = [phase % BLOCK_PX, Math.floor(phase / BLOCK_PX)]
    const means = new Float32Array(BLOCKS * BLOCKS)
    for (let y = startY; y + BLOCK_PX <= SIZE_PX; y += BLOCK_PX)
      for (let x = startX; x + BLOCK_PX <= SIZE_PX; x += BLOCK_PX) {
        let sum = 0
        for (let i = 0; i < BLOCK_PX ** 2; i++) sum += full[(y + (i >> 2)) * SIZE_PX + x + (i & 3)]!
        means[((y - startY) / BLOCK_PX) * BLOCKS + (x - startX) / BLOCK_PX] = sum / BLOCK_PX ** 2
      }
    return means
  })
  return { full, blocks }
}

/** The picture drawn larger or smaller, on its lower edge. */
async function rescale(picture: GreyPicture, scale: number): Promise<GreyPicture> {
  const size = Math.round(SIZE_PX * scale),
    left = Math.round((SIZE_PX - size) / 2),
    top = SIZE_PX - size
  const { data, info } = await sharp(Buffer.from(Uint8Array.from(picture)), {
    raw: { width: SIZE_PX, height: SIZE_PX, channels: 1 },
  })
    .resize(size, size)
    .raw()
    .toBuffer({ resolveWithObject: true })
  const out = new Float32Array(SIZE_PX * SIZE_PX).fill(GROUND_GREY)
  for (let y = Math.max(0, top); y < SIZE_PX; y++)
    for (let x = Math.max(0, left); x < Math.min(SIZE_PX, left + size); x++)
      out[y * SIZE_PX + x] = data[((y - top) * size + x - left) * info.channels]!
  return out
}

/** All pairs of breeds that are nearer than the limit, nearest first. */
export async function likePairs(
  breeds: readonly PortraitFacts[],
  limit: number,
  repaint?: (t: Traits) => Traits,
): Promise<LikePair[]> {
  const pictures = await Promise.all(breeds.map((facts) => greyPicture(facts, repaint)))
  const plain = pictures.map(comparable)
  const scaled = await Promise.all(
    pictures.map(async (picture) =>
      (await Promise.all(SCALES.map((scale) => rescale(picture, scale)))).map(comparable),
    ),
  )
  const pairs: LikePair[] = []
  for (let i = 0; i < breeds.length; i++) {
    for (let j = i + 1; j < breeds.length; j++) {
      const a = plain[i]!,
        b = plain[j]!
      const distance = Math.min(...[b, ...scaled[j]!].map((other) => alignedDistance(a, other, limit)))
      if (distance < limit) pairs.push({ a: breeds[i]!.slug, b: breeds[j]!.slug, distance })
    }
  }
  return pairs.sort((x, y) => x.distance - y.distance)
}
