/**
 * The checksum of joined texts from those of its parts, without reading them again: as polynomials over GF(2), crc(AB) is
 * crc(A)·x^(8·|B|) + crc(B) modulo the polynomial of CRC-32 (RFC 1952 §8; ITU-T V.42 §8.1.1.6.2).
 */

/** The polynomial of CRC-32, the lowest power in the highest bit. */
const POLYNOMIAL = 0xedb88320
/** The polynomial 1 in that order of bits. */
const ONE = 0x80000000

/**
 * The product of two polynomials modulo POLYNOMIAL. `-x` is all ones for a bit that is set: its bits are random, and a processor that has to
 * guess which way to go takes five times as long.
 */
function multiply(a: number, b: number): number {
  let product = 0
  let power = b
  for (let bits = a; bits !== 0; bits <<= 1) {
    product ^= power & -(bits >>> 31)
    power = (power >>> 1) ^ (POLYNOMIAL & -(power & 1))
  }
  return product >>> 0
}

/** x^(8·bytes) modulo POLYNOMIAL: what `combineCrc32` takes for a part of so many bytes. */
export function shiftOf(bytes: number): number {
  let shift = ONE
  // x^8
  let square = ONE >>> 8
  for (let n = bytes; n > 0; n = Math.floor(n / 2)) {
    if (n % 2 === 1) shift = multiply(square, shift)
    square = multiply(square, square)
  }
  return shift
}

/**
 * The CRC-32 of a text with another behind it.
 * @param second the other's CRC-32
 * @param shift `shiftOf` its length
 */
export const combineCrc32 = (first: number, second: number, shift: number): number =>
  (multiply(shift, first) ^ second) >>> 0
