import { aliasKey } from './profiles.ts'

const OFFICIAL_NAMES =
  'Perrario, Equipo Perrario, Equipo de Perrario, Perrario oficial, Soporte Perrario, Admin, Administrador, Administradora, Administración, Moderador, Moderadora, Moderación, Soporte, Soporte técnico'
const RESERVED_KEYS = new Set(OFFICIAL_NAMES.split(', ').map(aliasKey))

/** Whether an alias is, however it is spelt, exactly a name of the site or of those who run it. */
export const isReservedAlias = (alias: string): boolean => RESERVED_KEYS.has(aliasKey(alias))
