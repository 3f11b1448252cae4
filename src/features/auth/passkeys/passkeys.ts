import type * as z from 'zod/mini'
import type { passkeyAnswer } from '../answers.ts'

/** A passkey as its member sees it. Times in milliseconds. */
export type Passkey = z.output<typeof passkeyAnswer>

/** Passkeys of one account. */
export const MAX_PASSKEYS = 20
/** Maximum length of a passkey's name, in characters as a person counts them. */
export const PASSKEY_NAME_LIMIT = 40

/** Minutes in which a challenge is to be answered. */
export const CHALLENGE_MINUTES = 5

/** localStorage key: the sign-in after which this device was offered a passkey, or «no» once its person did not want one. */
export const OFFERED_PASSKEY_KEY = 'perrario-llave'

/** Rate limits: [count, seconds]. */
export const PASSKEY_RATE_LIMITS = {
  /** Challenges for one network: a sign-in page asks for one when it is touched. */
  challengesPerNetwork: [120, 300],
  /** Answers of authenticators from one network. */
  answersPerNetwork: [60, 300],
} as const

export const PASSKEY_TEXTS = {
  enter: 'Entrar con llave de acceso',
  create: 'Crear cuenta con llave',
  add: 'Añadir una llave de acceso',
  confirm: 'Confirmar con llave de acceso',
  defaultName: (number: number) => `Llave ${number}`,
  unavailable: 'Este sitio no admite llaves de acceso: necesita https y un nombre propio.',
  stale: 'Esta petición ha caducado o ya se ha usado. Inténtalo otra vez.',
  wrongSite: 'Esta llave no es de este sitio.',
  unknown: 'Esta llave ya no abre ninguna cuenta. Entra de otra forma y bórrala de tu dispositivo.',
  foreign: 'Esa llave es de otra cuenta. Usa una de las tuyas.',
  copied:
    'Puede que alguien haya copiado esta llave, así que no la aceptamos. Entra de otra forma y quítala de tu cuenta.',
  unverified: 'Tu llave no ha comprobado que eres tú. Usa la huella, la cara o el PIN.',
  refused: 'No hemos podido comprobar la llave. Inténtalo otra vez.',
  duplicate: 'Este dispositivo ya tiene una llave de tu cuenta.',
  tooMany: `Ya tienes ${MAX_PASSKEYS} llaves. Quita una para añadir otra.`,
  none: 'Tu cuenta no tiene llaves de acceso.',
  lastWay: 'Es tu única forma de entrar. Añade antes un email u otra llave.',
  name: 'Escribe un nombre para la llave.',
  longName: `El nombre no puede tener más de ${PASSKEY_NAME_LIMIT} caracteres.`,
  missing: 'Esta llave ya no está en tu cuenta.',
  notYours: 'Solo puedes cambiar tus propias llaves.',
  added: 'Llave añadida. La próxima vez entras con ella.',
  renamed: 'Nombre guardado.',
  removed: 'Llave quitada. Tus otras sesiones se han cerrado.',
  cancelled: 'No has usado ninguna llave. Puedes intentarlo otra vez o entrar de otra forma.',
  notCreated: 'No se ha creado ninguna llave. Puedes intentarlo otra vez.',
  unsupported: 'Este navegador no admite llaves de acceso. Entra con tu email.',
  offline: 'No hemos podido hablar con Perrario. Revisa tu conexión e inténtalo otra vez.',
} as const
