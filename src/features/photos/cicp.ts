export type Cicp = ReturnType<typeof readCicp>

/** Code points (ITU-T H.273) of an AVIF's primaries and transfer by its colour box (ISO 14496-12 §12.1.5); NaN without one. */
export function readCicp(bytes: Uint8Array) {
  const headers = new TextDecoder('latin1').decode(bytes.subarray(0, 65_536))
  const [, primaries = '', transfer = ''] = /colrnclx\0(.)\0(.)/s.exec(headers) ?? []
  return { primaries: primaries.charCodeAt(0), transfer: transfer.charCodeAt(0) }
}

export const PQ = 16
export const HLG = 18
export const isHdr = ({ transfer }: Cicp): boolean => transfer === PQ || transfer === HLG
