import { countCharacters } from '#lib/text/text.ts'
import { ALIAS_LIMIT, isGeneratedAlias } from '#features/profiles/profiles.ts'
import type { AliasStatus } from './alias-checker.client.ts'
import type { SavedProfile } from './save-profile.client.ts'

/** The edit dialog's elements, and what it shows. */
export function createEditView(dialog: HTMLDialogElement) {
  const find = <E extends HTMLElement>(selector: string) => dialog.querySelector<E>(selector)!
  const form = find<HTMLFormElement>('form')
  const alias = find<HTMLInputElement>('[name=alias]')
  const emoji = find<HTMLInputElement>('[name=emoji]')
  const statusLine = find('[data-status]')
  const saveButton = find<HTMLButtonElement>('[data-save]')
  const count = find('[data-count]')

  function showAliasStatus(status: AliasStatus, text = ''): void {
    statusLine.dataset.status = status
    statusLine.lastElementChild!.textContent = text
    alias.toggleAttribute('aria-invalid', false)
    if (status === 'bad') alias.setAttribute('aria-invalid', 'true')
  }
  function showError(field: 'emoji' | 'save', text = ''): void {
    const box = find(`[data-error=${field}]`)
    box.lastElementChild!.textContent = text
    box.hidden = text === ''
  }
  function showAliasLength(): void {
    const length = countCharacters(alias.value.trim())
    count.textContent = `${length}/${ALIAS_LIMIT}`
    count.toggleAttribute('data-over', length > ALIAS_LIMIT)
  }
  function setEmoji(value: string): void {
    emoji.value = value
    find('[data-emoji-shown]').textContent = value
    showError('emoji')
  }
  function setBusy(isBusy: boolean): void {
    saveButton.disabled = isBusy
    saveButton.toggleAttribute('aria-busy', isBusy)
    if (isBusy) saveButton.setAttribute('aria-busy', 'true')
  }
  return { find, form, alias, emoji, showAliasStatus, showError, showAliasLength, setEmoji, setBusy }
}

/** Shows saved values wherever the page shows the member: frame, card and header. */
export function showSavedProfile(saved: SavedProfile): void {
  for (const field of ['alias', 'emoji'] as const)
    for (const element of document.querySelectorAll(`[data-me=${field}], [data-profile=${field}]`))
      element.textContent = saved[field]
  if (!isGeneratedAlias(saved.alias)) document.querySelector('[data-alias-step]')?.classList.add('done')
  // The badge, and the form's warning that it goes.
  if (!saved.verified)
    for (const element of document.querySelectorAll('[data-profile=alias] ~ .ticked, [data-verified]')) element.remove()
}
