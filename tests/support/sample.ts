/** `npm test -- whole` runs every case; `npm test` alone a sample, within ten minutes (docs/adr/0151-two-sizes-of-the-tests.md). */
export const isWholeRun = process.env.TESTS === 'whole'

/**
 * The cases that a test runs: all of them in a whole run, otherwise `count` of them, spread evenly and always the same; the first
 * is among them.
 */
export function sample<T>(cases: readonly T[], count: number): readonly T[] {
  if (isWholeRun || cases.length <= count) return cases
  return Array.from({ length: count }, (_, i) => cases[Math.floor((i * cases.length) / count)]!)
}
