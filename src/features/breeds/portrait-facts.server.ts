import razas from '#data/razas.json' with { type: 'json' }
import type { PortraitFacts } from './portrait/index.ts'

/** Every breed as the portrait generator reads it; the slug is the portrait's file name. */
export function portraitFacts(): PortraitFacts[] {
  return razas.map((raza) => ({ ...raza, slug: raza.imagen_purina.replace('/retratos/', '').replace('.svg', '') }))
}
