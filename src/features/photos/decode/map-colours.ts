import { type Cicp, HLG, isHdr, PQ } from '../cicp.ts'

// libvips 8.18 leaves the numbers of a picture without an ICC profile as they are: HDR looks grey, Rec. 2020 pale. This shows them as
// Chromium does.

/** From linear light of Rec. 2020 and Display P3 to that of sRGB, all with white D65. */
const TO_SRGB: Readonly<Record<number, readonly number[]>> = {
  9: [1.6605, -0.5876, -0.0728, -0.1246, 1.1329, -0.0083, -0.0182, -0.1006, 1.1187],
  12: [1.2249, -0.2247, 0, -0.042, 1.0419, 0, -0.0197, -0.0786, 1.0979],
}

/** Whether a picture would look wrong as it is. */
export const isForeign = (cicp: Cicp): boolean => isHdr(cicp) || cicp.primaries in TO_SRGB

/** What is shown as 1 before it is bent: twice the 203 cd/m² of diffuse white (ITU-R BT.2408). */
const WHITE_NITS = 406
const PEAK = 1000 / WHITE_NITS

/** Linear light of a signal from 0 to 1 (ITU-R BT.2100); of HLG that of the scene. */
function toLight(signal: number, transfer: number): number {
  const power = signal ** (1 / 78.84375)
  const share = Math.max(power - 0.8359375, 0) / (18.8515625 - 18.6875 * power)
  if (transfer === PQ) return (1e4 / WHITE_NITS) * share ** (1 / 0.1593017578125)
  if (transfer === HLG)
    return signal <= 0.5 ? signal ** 2 / 3 : (Math.exp((signal - 0.55991073) / 0.17883277) + 0.28466892) / 12
  return signal <= 0.04045 ? signal / 12.92 : ((signal + 0.055) / 1.055) ** 2.4
}

/** Light as it is shown: all of it up to a half, above it less the brighter it is (Reinhard), up to 1 at the peak. */
function bend(light: number): number {
  const over = 2 * light - 1
  return over <= 0 ? light : 0.5 + (0.5 * over * (1 + over / (2 * PEAK - 1) ** 2)) / (1 + over)
}

const toSignal = (light: number) => 255 * (light <= 0.0031308 ? light * 12.92 : 1.055 * light ** (1 / 2.4) - 0.055)

/** Pixels of three channels of 16 bits as sRGB of 8. */
export function mapColours(bytes: Buffer, cicp: Cicp): Uint8ClampedArray {
  const pixels = new Uint16Array(bytes.buffer, bytes.byteOffset, bytes.length / 2)
  const [a = 1, b = 0, c = 0, d = 0, e = 1, f = 0, g = 0, h = 0, i = 1] = TO_SRGB[cicp.primaries] ?? []
  const light = Float32Array.from({ length: 65_536 }, (_, value) => toLight(value / 65_535, cicp.transfer))
  const mapped = new Uint8ClampedArray(pixels.length)
  for (let at = 0; at < pixels.length; at += 3) {
    const [red = 0, green = 0, blue = 0] = [...pixels.subarray(at, at + 3)].map((value) => light[value])
    const rgb = [a * red + b * green + c * blue, d * red + e * green + f * blue, g * red + h * green + i * blue]
    // From the scene to a display (OOTF).
    const display = cicp.transfer === HLG ? PEAK * (0.2627 * red + 0.678 * green + 0.0593 * blue) ** 0.2 : 1
    const brightest = Math.max(...rgb) * display
    const scale = isHdr(cicp) && brightest > 0 ? (display * bend(brightest)) / brightest : 1
    for (const [k, value] of rgb.entries()) mapped[at + k] = toSignal(value * scale)
  }
  return mapped
}
