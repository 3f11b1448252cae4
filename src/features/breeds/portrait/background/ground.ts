/** The plain ground of breed pictures. */
import { GROUND_OVERRIDES, GROUND_SALT } from './ground-overrides.ts'
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

const groundOverrides = new Map(GROUND_OVERRIDES.flatMap((slugs, i) => slugs.split(' ').map((s) => [s, i] as const)))

/** Ground colour of a breed. */
export const groundColour = (slug: string): string =>
  GROUNDS[groundOverrides.get(slug) ?? hash(slug + GROUND_SALT) % GROUNDS.length]!

/** Coloured sheet with a lighter disc. */
export const discGround = (slug: string): string =>
  `<path fill="${groundColour(slug)}" d="M0 0h200v200H0z"/><circle cx="100" cy="110" r="87" fill="#fff" opacity=".34"/>`
