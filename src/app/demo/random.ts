/** Pseudorandom numbers from a seed (mulberry32), so that the demo is the same every time. */
export interface SeededRandom {
  /** 0 <= x < 1 */
  next(): number
  /** 0 <= n < below */
  int(below: number): number
  pick<T>(items: readonly T[]): T
  /** By weight: `[item, weight]` pairs. */
  weighted<T>(items: readonly (readonly [T, number])[]): T
  chance(probability: number): boolean
  uuid(): string
}

export function createRandom(seed: number): SeededRandom {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), state | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
  const int = (below: number) => Math.floor(next() * below)
  return {
    next,
    int,
    pick: (items) => items[int(items.length)]!,
    weighted: (items) => {
      let left = next() * items.reduce((sum, [, weight]) => sum + weight, 0)
      return (items.find(([, weight]) => (left -= weight) < 0) ?? items.at(-1)!)[0]
    },
    chance: (probability) => next() < probability,
    uuid: () => {
      const hex = Array.from({ length: 32 }, () => int(16).toString(16))
      hex[12] = '4'
      hex[16] = '89ab'.charAt(int(4))
      return hex.join('').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
    },
  }
}
