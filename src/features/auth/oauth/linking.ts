import { PROVIDER_NAMES, type Provider } from '#lib/auth/oauth-providers.ts'

/** Texts of linking and unlinking providers in «Cuenta y datos» (docs/product.md §10.3). */
export const LINK_TEXTS = {
  /** For a sign-in with a provider whose address has an account that it is not linked to. */
  exists: (provider: Provider) =>
    `Ya hay una cuenta con el email que tienes en ${PROVIDER_NAMES[provider]}. Entra con tu email y enlaza ${PROVIDER_NAMES[provider]} en «Cuenta y datos».`,
  linked: 'Enlazado. Desde ahora también puedes entrar así.',
  unlinked: 'Desenlazado. También hemos cerrado tus otras sesiones.',
  taken: 'Esa cuenta ya está enlazada con otra persona de Perrario.',
  failed: 'No hemos podido enlazarla. Inténtalo de nuevo.',
  notLinked: 'Esa cuenta no está enlazada con la tuya.',
  lastWay: 'Es tu única forma de entrar: no se puede desenlazar.',
} as const
