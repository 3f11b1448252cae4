/** Deterministic randomness from text. */

/** 32-bit FNV-1a hash with a final mix, so that slugs differing in one letter spread well. */
export function hash(text: string): number {
  let h = 2166136261
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 16777619)
  h ^= h >>> 16
  h = Math.imul(h, 2246822507)
  h ^= h >>> 13
  h = Math.imul(h, 3266489909)
  return (h ^ (h >>> 16)) >>> 0
}

export interface Rng {
  /** Next number in [0, 1). */
  (): number
}

/** A small repeatable generator (mulberry32) seeded by text. */
export function rng(seed: string): Rng {
  let a = hash(seed)
  return () => {
    a = (a + 0x6d2b79f5) | 0
    let t = Math.imul(a ^ (a >>> 15), 1 | a)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

/** A number in [lo, hi). */
export const between = (r: Rng, lo: number, hi: number): number => lo + r() * (hi - lo)

/** One of the items. */
export const pick = <T>(r: Rng, items: readonly T[]): T => items[Math.floor(r() * items.length)]!
