/** The plain ground of breed pictures. */
import grounds from '#data/portrait-grounds.json' with { type: 'json' }
import { hash } from '#features/breeds/portrait/seeded-random.ts'

/** Mint, butter, coral, lilac, sky, peach, lime, pink, periwinkle, aqua. */
export const GROUNDS = [
  '#cfe6d4',
  '#f9e0a8',
  '#f4cbc0',
  '#d6cff0',
  '#bfdfec',
  '#fad3b0',
  '#e3e6b4',
  '#f0cfe0',
  '#c9d6f0',
  '#c3e2de',
] as const

/** Breeds that have another ground than their hash gives, so that neighbours in the album differ and light dogs contrast with it. */
const movedTo = new Map(grounds.moved.flatMap((slugs, i) => slugs.map((slug) => [slug, i] as const)))

/** Ground colour of a breed. */
export const groundColour = (slug: string): string =>
  GROUNDS[movedTo.get(slug) ?? hash(slug + grounds.salt) % GROUNDS.length]!

/** Coloured sheet with a lighter disc. */
export const discGround = (slug: string): string =>
  `<path fill="${groundColour(slug)}" d="M0 0h200v200H0z"/><circle cx="100" cy="110" r="87" fill="#fff" opacity=".34"/>`
