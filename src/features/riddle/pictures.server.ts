import { LRUCache } from 'lru-cache'
import { breedBySlug } from '#features/breeds/catalogue.server.ts'
import { FILE_COLOURS, renderHeightShadow } from '#features/breeds/figures/figure-files.ts'
import { portraitFile } from '#features/breeds/portraits.server.ts'
import { loadSharp, renderState } from '#features/photos/render/sharp.server.ts'
import { riddlePaths } from './riddle-paths.ts'
import { isSameSeal, type Riddle, sealOf } from './riddles.server.ts'

/** What a riddle shows of its breed, each under an address that tells nothing of it. */
const PICTURES = {
  silhouette: (slug: string) => portraitFile(`${slug}-silueta`),
  // Its colours come with the portrait.
  height: (slug: string) => renderHeightShadow({ ...breedBySlug(slug)!, slug }),
  portrait: (slug: string) => portraitFile(slug),
} as const
export type RiddlePicture = keyof typeof PICTURES
const NAMES = Object.keys(PICTURES) as RiddlePicture[]

/** 128 bits: nobody finds a picture whose address they were not given. */
const TOKEN_CHARACTERS = 22

const tokenOf = (riddle: Riddle, name: RiddlePicture) => sealOf(riddle, `picture ${name}`).slice(0, TOKEN_CHARACTERS)

/**
 * A drawing as PNG: no text, number or id of the public file is in it. What only the site can compute makes it smaller, shifts it and may
 * mirror it, so that laid over the public ones it fits others better. A program that aligns outlines first still finds the breed.
 */
async function paint(riddle: Riddle, name: RiddlePicture): Promise<Buffer> {
  const [size = 0, shift = 0, side = 0] = Buffer.from(sealOf(riddle, 'placing'), 'base64url')
  const frame = 1.07 + size / 2500
  const left = (1 - frame) / 2 + (shift - 127.5) / 4000
  const svg = PICTURES[name](riddle.breed_slug)
    // Down to the same ground, and of one size: the height's own frame is as wide as the dog needs.
    .replace(/viewBox="0 0 ([\d.]+) (\d+)"/, (_, width: string, height: string) => {
      const view = [+width * left, +height * (1 - frame), +width * frame, +height * frame]
      return `width="500" height="${name === 'height' ? 524 : 500}" viewBox="${view.join(' ')}"`
    })
    // The colour behind a portrait goes on.
    .replace('M0 0h200v200H0z', 'M-50-50h300v300H-50z')
    // libvips knows no variables.
    .replace(/var\((--\w+)\)/g, (_, colour: keyof typeof FILE_COLOURS) => FILE_COLOURS[colour])
  const sharp = await loadSharp()
  return sharp(Buffer.from(svg))
    .flop(side % 2 === 1)
    .png()
    .toBuffer()
}

/** Pictures of the last days, some 2 MB: everybody asks for the same. */
const painted = new LRUCache<string, Buffer, { riddle: Riddle; name: RiddlePicture }>({
  max: 90,
  fetchMethod: (_token, _stale, { context }) => renderState.limiter.run(() => paint(context.riddle, context.name)),
  ignoreFetchAbort: true,
})

/** The address of a picture; it is only sent to who may see it. */
export const pictureAddress = (riddle: Riddle, name: RiddlePicture): string =>
  riddlePaths.picture(riddle.day, tokenOf(riddle, name))

/** The picture of an address as PNG; undefined where no picture has it. */
export async function findPicture(riddle: Riddle, token: string): Promise<Buffer | undefined> {
  const name = NAMES.find((each) => isSameSeal(tokenOf(riddle, each), token))
  return name && painted.fetch(token, { context: { riddle, name } })
}
