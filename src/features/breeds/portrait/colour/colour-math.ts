/** Small colour arithmetic on #rrggbb. */

const channels = (hex: string): [number, number, number] => {
  const v = parseInt(hex.slice(1), 16)
  return [v >> 16, (v >> 8) & 255, v & 255]
}

/** Mix of a and b; t = 0 gives a, t = 1 gives b. */
export function mix(a: string, b: string, t: number): string {
  const A = channels(a),
    B = channels(b)
  const channel = (i: 0 | 1 | 2) =>
    Math.round(A[i] + (B[i] - A[i]) * t)
      .toString(16)
      .padStart(2, '0')
  return `#${channel(0)}${channel(1)}${channel(2)}`
}

/** Towards a warm near-black. */
export const shade = (c: string, t: number): string => mix(c, '#1d120c', t)

/** Towards a warm white. */
export const tint = (c: string, t: number): string => mix(c, '#fffaf2', t)

/** Perceived lightness 0–1 (plain luma is enough to choose between light and dark ink). */
export function luma(c: string): number {
  const [r, g, b] = channels(c)
  return (0.299 * r + 0.587 * g + 0.114 * b) / 255
}

/** Distance between two colours, 0–441, with green weighted as the eye does. */
export function colourDistance(a: string, b: string): number {
  const A = channels(a),
    B = channels(b)
  return Math.sqrt((A[0] - B[0]) ** 2 * 0.9 + (A[1] - B[1]) ** 2 * 1.4 + (A[2] - B[2]) ** 2 * 0.7)
}
