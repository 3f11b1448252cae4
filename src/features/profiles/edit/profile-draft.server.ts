import type { Db } from '#db/client.ts'
import { checkAliasAvailability, type ProfileInput, validateProfile } from './profile-edit.server.ts'
import { findFreeRandomAlias, randomEmoji } from './random-alias.ts'
import { type EditDraft, EDIT_TEXTS } from './profile-edit.ts'

/**
 * The edit form's values: the stored ones, those of a refused form (`?editar&alias=…&emoji=…`, validated again), or random ones
 * (`?editar=aleatorio`).
 */
export async function loadEditDraft(
  db: Db,
  user: ProfileInput & { id: string },
  params: URLSearchParams,
): Promise<EditDraft> {
  const mode = params.get('editar')
  const open = mode !== null
  const draft = { alias: user.alias, emoji: user.emoji, errors: {}, message: '', open }
  if (mode === 'aleatorio') {
    const isFree = async (alias: string) => (await checkAliasAvailability(db, user, alias)).available
    return { ...draft, alias: await findFreeRandomAlias(isFree), emoji: randomEmoji() }
  }
  if (!open || !params.has('alias')) return draft
  const typed = { alias: params.get('alias') ?? '', emoji: params.get('emoji') ?? '' }
  const message = mode === 'fallo' ? EDIT_TEXTS.failed : ''
  return { ...draft, ...typed, errors: await validateProfile(db, user, typed), message }
}
