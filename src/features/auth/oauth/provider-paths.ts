// Not in lib/paths.ts, which every page loads: only the server writes these addresses.

/** Account page after a provider was linked or unlinked. */
export const linkedPath = (outcome: 'enlazado' | 'desenlazado'): string => `/perfil/cuenta?hecho=${outcome}#entrada`

/** Account page where linking or unlinking was refused. */
export const linkErrorPath = (error: 'ajena' | 'enlace' | 'unica'): string => `/perfil/cuenta?error=${error}#entrada`

/** Endpoint of a provider that is linked to the member's account. */
export const linkedProviderPath = (name: string): string => `/api/account/providers/${name}`

/** Links a provider to the signed-in member's account. */
export const providerLinkPath = (name: string): string => `/api/auth/${name}?para=enlazar`
