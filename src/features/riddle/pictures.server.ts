import { createHash } from 'node:crypto'
import { breedBySlug } from '#features/breeds/catalogue.server.ts'
import { renderHeightShadow } from '#features/breeds/figures/figure-files.ts'
import { portraitFile } from '#features/breeds/portraits.server.ts'
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
 * A drawing whose every coordinate differs a little from that of the public file, so that no comparison finds its breed.
 * @param seed bytes that are the riddle's own
 */
const vary = (svg: string, seed: Buffer): string => {
  let at = 0
  const nudge = () => (seed[at++ % seed.length]! - 127.5) / 4000
  // Absolute and relative curves alike; not arcs, whose flags are numbers as well.
  return svg.replace(/ d="[^"]*"/g, (path) =>
    path.replace(
      /([MLlqQcCsSmtT])([-\d. ]+)/g,
      (_, command: string, numbers: string) =>
        command +
        numbers
          .match(/-?(?:\d+\.?\d*|\.\d+)/g)!
          .map((n) => (Number(n) + nudge()).toFixed(2))
          .join(' '),
    ),
  )
}

/** The address of a picture; it is only sent to who may see it. */
export const pictureAddress = (riddle: Riddle, name: RiddlePicture): string =>
  riddlePaths.picture(riddle.day, tokenOf(riddle, name))

/** The picture of an address as SVG text; undefined where no picture has it. */
export function findPicture(riddle: Riddle, token: string): string | undefined {
  const name = NAMES.find((each) => isSameSeal(tokenOf(riddle, each), token))
  return name && vary(PICTURES[name](riddle.breed_slug), createHash('sha512').update(token).digest())
}
