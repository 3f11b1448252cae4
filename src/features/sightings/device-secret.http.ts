import type { APIContext } from 'astro'
import { readFinderSecrets } from '#features/contact/finder-cookie.http.ts'
import { finderSecret } from '#features/contact/finder-secret.server.ts'
import { hashSecret } from '#features/secrets/secrets.server.ts'
import type { SightingSender } from './own-sightings.server.ts'

/** Who has sent sightings of a dog from here: the member, and the device that holds the secret of earlier ones. */
export function sightingSender(context: APIContext, dogId: string): SightingSender {
  const secret = readFinderSecrets(context).get(dogId)
  return {
    userId: context.locals.user?.id ?? null,
    secretHash: secret === undefined ? null : hashSecret(secret),
  }
}

/** The secret of a visitor's device for the sightings of one dog: all of them lead to one conversation with its owner. */
export function deviceSecret(context: APIContext, dogId: string): { secret: string; hash: string } {
  const secret = readFinderSecrets(context).get(dogId)
  return secret === undefined ? finderSecret() : { secret, hash: hashSecret(secret) }
}
