import { createHmac, randomBytes } from 'node:crypto'
import { loadSiteKey } from '#features/storage/site-key.server.ts'
import { isSameSeal } from '#features/riddle/riddles.server.ts'
import { LEVELS, type Round } from './round.ts'

// A round is nowhere but in its address: «{level}{seed}{signature}{answers}». The signature covers all of it, so that only rounds that the site
// has begun, with answers that were sent to it, are read. Its questions follow from the seed and the site's key: the address says none of them.

const SEED_BYTES = 9
const SIGNATURE_CHARACTERS = 16
/** At most ten answers, of four. */
const TOKEN = /^([a-z])([\w-]{12})([\w-]{16})([0-3]{0,10})$/

const sign = (dataDir: string, text: string) =>
  createHmac('sha256', loadSiteKey(dataDir)).update(`round\0${text}`).digest('base64url').slice(0, SIGNATURE_CHARACTERS)

export function writeRound(dataDir: string, { level, seed, answers }: Round): string {
  const [letter, digits] = [level[0]!, answers.join('')]
  return `${letter}${seed}${sign(dataDir, `${letter}${seed}${digits}`)}${digits}`
}

/** The round of a token; null for what this site has not written. */
export function readRound(dataDir: string, token: string | undefined): Round | null {
  const [, letter = '', seed = '', signature = '', digits = ''] = TOKEN.exec(token ?? '') ?? []
  const level = LEVELS.find((each) => each.startsWith(letter))
  if (!letter || !level || !isSameSeal(sign(dataDir, `${letter}${seed}${digits}`), signature)) return null
  return { level, seed, answers: [...digits].map(Number) }
}

export const createSeed = (): string => randomBytes(SEED_BYTES).toString('base64url')
