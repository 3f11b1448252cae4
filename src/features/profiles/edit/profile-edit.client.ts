import { paths } from '#lib/paths.ts'
import { openDialog } from '#ui/dialog.client.ts'
import { toast } from '#ui/toast/toast.client.ts'
import { findAliasProblem, tidyAlias } from '#features/profiles/alias.ts'
import { createAliasChecker } from './alias-checker.client.ts'
import { createEditView, showSavedProfile } from './edit-view.client.ts'
import { findFreeRandomAlias, randomEmoji } from './random-alias.ts'
import { EDIT_TEXTS } from './profile-edit.ts'
import { type SaveProblem, saveProfile } from './save-profile.client.ts'

// Enhances the edit form, which also works without script, to a modal dialog: every opening starts from the stored profile, the
// alias is checked while it is typed, the emoji comes from a picker, and saving keeps the page.

async function fetchAvailability(alias: string, signal: AbortSignal) {
  const response = await fetch(paths.api.profileAlias(alias), { signal })
  if (!response.ok) throw new Error(`alias answered ${response.status}`)
  return response.json()
}

async function openEmojiPicker(picker: HTMLDialogElement, onPick: (emoji: string) => void): Promise<void> {
  openDialog(picker)
  try {
    const { showPicker } = await import('./emoji-picker.client.ts')
    await showPicker(picker, onPick)
  } catch (error) {
    console.error(error)
    picker.close()
    toast({ title: EDIT_TEXTS.noEmojis, kind: 'error' })
  }
}

function enhanceEditDialog(dialog: HTMLDialogElement, picker: HTMLDialogElement): void {
  const view = createEditView(dialog)
  const { find, form, alias, emoji } = view
  const checker = createAliasChecker({ fetchAvailability, show: view.showAliasStatus })

  function checkAlias(): void {
    view.showAliasLength()
    view.showError('save')
    checker.check(alias.value, form.dataset.alias!)
  }

  /** Starts from the stored profile (docs/product.md §9.3). */
  function reset(): void {
    checker.stop()
    alias.value = form.dataset.alias!
    view.setEmoji(form.dataset.emoji!)
    view.showAliasStatus('')
    view.showError('save')
    view.showAliasLength()
  }

  async function fillInRandomValues(): Promise<void> {
    checker.stop()
    // Without the server's answer the first alias is taken: saving reports a conflict.
    const isFree = (text: string) =>
      checker.lookUp(text).then(
        ({ available }) => available,
        () => true,
      )
    alias.value = await findFreeRandomAlias(isFree)
    view.setEmoji(randomEmoji())
    checkAlias()
  }

  async function save(): Promise<void> {
    checker.stop()
    view.showError('save')
    const aliasProblem = findAliasProblem(tidyAlias(alias.value))
    if (aliasProblem) {
      view.showAliasStatus('bad', aliasProblem)
      return alias.focus()
    }
    view.setBusy(true)
    const outcome = await saveProfile(form.action, { alias: alias.value, emoji: emoji.value })
    if ('profile' in outcome) {
      form.dataset.alias = outcome.profile.alias
      form.dataset.emoji = outcome.profile.emoji
      showSavedProfile(outcome.profile)
      window.dispatchEvent(new Event('perrario:profile-saved'))
      dialog.close()
      toast({ title: EDIT_TEXTS.saved, kind: 'success' })
    } else showProblem(outcome.problem)
    view.setBusy(false)
  }

  /** Keeps the typed values and shows the errors. */
  function showProblem({ detail, errors }: SaveProblem): void {
    if (errors?.emoji) view.showError('emoji', errors.emoji)
    if (errors?.alias) {
      view.showAliasStatus('bad', errors.alias)
      alias.focus()
    }
    if (errors) return
    view.showError('save', detail)
    toast({ title: EDIT_TEXTS.failed, kind: 'error', form })
  }

  find('[data-emoji-typed]').hidden = true
  find('[data-emoji-pick]').hidden = false
  find('[data-emoji-pick]').addEventListener('click', () => void openEmojiPicker(picker, view.setEmoji))
  alias.addEventListener('input', checkAlias)
  find('[data-random]').addEventListener('click', (event) => {
    event.preventDefault()
    void fillInRandomValues()
  })
  // The button's form serves pages without script; ui/dialog.client.ts closes the dialog.
  find('[form=edit-cancel]').addEventListener('click', (event) => event.preventDefault())
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    void save()
  })
  dialog.addEventListener('close', () => {
    if (!dialog.open) checker.stop()
  })
  document.addEventListener('click', (event) => {
    if (event.target instanceof Element && event.target.closest('[data-dialog-open=edit-profile]')) reset()
  })

  // An address with `?editar` opens the dialog. The parameter is then removed, so that Back or a reload does not open it again.
  if (!dialog.open) return
  dialog.close()
  openDialog(dialog)
  history.replaceState(history.state, '', paths.profile)
  checkAlias()
}

const [dialog, picker] = document.querySelectorAll<HTMLDialogElement>('dialog#edit-profile, dialog#emoji-picker')
if (dialog && picker) enhanceEditDialog(dialog, picker)
