/** What is asked a proof for: a mail that signs in, an account by passkey, a dog added without account. */
export const PROOF_ACTIONS = ['sign-in', 'passkey', 'dog', 'sighting', 'found'] as const
export type ProofAction = (typeof PROOF_ACTIONS)[number]

/** The request header that carries the proof: `{challenge, solution}` as JSON in base64. */
export const PROOF_HEADER = 'Proof-Of-Work'

/** Where a program or a page gets the challenge of an action. */
export const proofChallengePath = (action: ProofAction): string => `/api/proof-of-work?for=${action}`

export const PROOF_TEXTS = {
  required:
    'Desde tu conexión llegan muchas peticiones automáticas, así que antes comprobamos que no eres un programa. Hace falta JavaScript y tarda unos segundos; sin él, vuelve a intentarlo dentro de un rato.',
  unknownAction: 'No se sabe para qué es la comprobación.',
  title: 'Un momento, por favor',
  working:
    'Desde tu conexión llegan muchas peticiones automáticas. Tu dispositivo está haciendo una cuenta que demuestra que no eres un programa: suele tardar unos segundos.',
  cancel: 'Cancelar',
  cancelled: 'Has cancelado la comprobación. Puedes intentarlo otra vez.',
} as const
