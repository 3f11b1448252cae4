/** A file's type by its first bytes. The name and type that an upload declares are untrusted. */
export type SniffedType = 'jpeg' | 'png' | 'webp' | 'gif' | 'avif' | 'heic' | 'other'

const asciiText = (bytes: Uint8Array, from: number, to: number) => String.fromCharCode(...bytes.subarray(from, to))

/** Recognises the accepted photo formats, and HEIC, which has its own error message. */
export function sniff(bytes: Uint8Array): SniffedType {
  if (bytes.length < 12) return 'other'
  if (bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff) return 'jpeg'
  if (asciiText(bytes, 0, 8) === '\x89PNG\r\n\x1a\n') return 'png'
  if (/^GIF8[79]a$/.test(asciiText(bytes, 0, 6))) return 'gif'
  if (asciiText(bytes, 0, 4) === 'RIFF' && asciiText(bytes, 8, 12) === 'WEBP') return 'webp'
  if (asciiText(bytes, 4, 8) === 'ftyp') return sniffBrand(bytes)
  return 'other'
}

/** ISO media files name a major brand and compatible ones; AVIF and HEIC share the generic `mif1`. */
function sniffBrand(bytes: Uint8Array): SniffedType {
  const size = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0)
  const brands = asciiText(bytes, 8, Math.min(size, bytes.length, 128)).match(/.{4}/gs) ?? []
  if (brands.some((b) => b === 'avif' || b === 'avis')) return 'avif'
  if (brands.some((b) => /^(hei[cxms]|hev[cxms]|mif1|msf1)$/.test(b))) return 'heic'
  return 'other'
}
