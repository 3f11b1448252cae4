import { paths } from '#lib/paths.ts'
import { countCharacters } from '#lib/text/text.ts'
import { openDialog } from '#ui/dialog.client.ts'
import { toast } from '#ui/toast/toast.client.ts'
import { ALIAS_TEXTS, findAliasProblem, tidyAlias } from '#features/profiles/alias.ts'
import { ALIAS_LIMIT } from '#features/profiles/profiles.ts'
import { findFreeRandomAlias, randomEmoji } from './random-alias.ts'
import { EDIT_TEXTS } from './profile-edit-texts.ts'

// The edit form works as it is. This makes it a modal: a fresh draft at every opening, the alias looked up while it is
// typed, the emoji from a picker, saved in place.

/** How long typing must rest before the alias is looked up, ms. */
const ALIAS_CHECK_DELAY_MS = 300

interface SaveProblem {
  detail?: string
  errors?: Record<string, string>
}

function enhanceEditDialog(dialog: HTMLDialogElement, picker: HTMLDialogElement): void {
  const find = <E extends HTMLElement>(selector: string) => dialog.querySelector<E>(selector)!
  const form = find<HTMLFormElement>('form')
  const alias = find<HTMLInputElement>('[name=alias]')
  const emoji = find<HTMLInputElement>('[name=emoji]')
  const said = find('[data-said]')
  const save = find<HTMLButtonElement>('[data-save]')
  const count = find('[data-count]')
  let timer: ReturnType<typeof setTimeout> | undefined
  let asking: AbortController | undefined

  /** What the line under the alias says: `bad` is an error, `free` good news, `busy` neither. */
  function say(kind: '' | 'bad' | 'free' | 'busy', text = ''): void {
    said.dataset.said = kind
    said.lastElementChild!.textContent = text
    alias.toggleAttribute('aria-invalid', false)
    if (kind === 'bad') alias.setAttribute('aria-invalid', 'true')
  }
  function showError(name: 'emoji' | 'save', text = ''): void {
    const box = find(`[data-error=${name}]`)
    box.lastElementChild!.textContent = text
    box.hidden = text === ''
  }
  function showCount(): void {
    const length = countCharacters(alias.value.trim())
    count.textContent = `${length}/${ALIAS_LIMIT}`
    count.toggleAttribute('data-over', length > ALIAS_LIMIT)
  }
  function setEmoji(value: string): void {
    emoji.value = value
    find('[data-emoji-shown]').textContent = value
    showError('emoji')
  }
  function stopChecking(): void {
    clearTimeout(timer)
    asking?.abort()
  }

  /** Whether the server would take the alias; throws when it cannot be asked. */
  async function ask(text: string): Promise<{ available: boolean; detail?: string }> {
    asking?.abort()
    asking = new AbortController()
    const response = await fetch(paths.api.profileAlias(text), { signal: asking.signal })
    if (!response.ok) throw new Error(`alias answered ${response.status}`)
    return response.json()
  }
  /** Says at once what the alias alone tells, and asks the server for the rest once typing rests. */
  function check(): void {
    stopChecking()
    showCount()
    showError('save')
    const text = tidyAlias(alias.value)
    const problem = findAliasProblem(text)
    if (problem || text === form.dataset.alias) return say(problem ? 'bad' : '', problem ?? '')
    say('busy', EDIT_TEXTS.checking)
    timer = setTimeout(async () => {
      try {
        const { available, detail } = await ask(text)
        say(available ? 'free' : 'bad', available ? EDIT_TEXTS.free : (detail ?? ALIAS_TEXTS.taken))
      } catch (error) {
        // Saving will tell; a newer check has its own say.
        if (!(error instanceof DOMException && error.name === 'AbortError')) say('')
      }
    }, ALIAS_CHECK_DELAY_MS)
  }

  /** The draft starts from what is saved (docs/product.md §9.3). */
  function reset(): void {
    stopChecking()
    alias.value = form.dataset.alias!
    setEmoji(form.dataset.emoji!)
    say('')
    showError('save')
    showCount()
  }

  async function shuffle(): Promise<void> {
    stopChecking()
    // Where nobody can be asked, the first one will do: saving tells.
    alias.value = await findFreeRandomAlias((text) =>
      ask(text).then(
        ({ available }) => available,
        () => true,
      ),
    )
    setEmoji(randomEmoji())
    check()
  }

  function setBusy(busy: boolean): void {
    save.disabled = busy
    save.toggleAttribute('aria-busy', busy)
    if (busy) save.setAttribute('aria-busy', 'true')
  }

  /** What the page shows of the member: the frame, the card, the header. */
  function show(saved: { alias: string; emoji: string }): void {
    form.dataset.alias = saved.alias
    form.dataset.emoji = saved.emoji
    for (const name of ['alias', 'emoji'] as const)
      for (const place of document.querySelectorAll(`[data-me=${name}], [data-profile=${name}]`))
        place.textContent = saved[name]
  }

  async function send(): Promise<void> {
    stopChecking()
    showError('save')
    const problem = findAliasProblem(tidyAlias(alias.value))
    if (problem) {
      say('bad', problem)
      return alias.focus()
    }
    setBusy(true)
    try {
      const response = await fetch(form.action, {
        method: 'PUT',
        headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
        body: JSON.stringify({ alias: alias.value, emoji: emoji.value }),
      })
      const answer: { profile?: { alias: string; emoji: string } } & SaveProblem = await response.json()
      if (response.ok && answer.profile) {
        show(answer.profile)
        dialog.close()
        toast({ title: EDIT_TEXTS.saved, kind: 'success' })
      } else refuse(answer)
    } catch (error) {
      console.error(error)
      refuse({ detail: EDIT_TEXTS.offline })
    }
    setBusy(false)
  }
  /** The form stays with what was typed and says what is wrong. */
  function refuse({ detail, errors }: SaveProblem): void {
    if (errors?.emoji) showError('emoji', errors.emoji)
    if (errors?.alias) {
      say('bad', errors.alias)
      alias.focus()
    }
    if (errors) return
    showError('save', detail)
    toast({ title: EDIT_TEXTS.failed, kind: 'error' })
  }

  find('[data-emoji-typed]').hidden = true
  find('[data-emoji-pick]').hidden = false
  find('[data-emoji-pick]').addEventListener('click', async () => {
    openDialog(picker)
    try {
      const { showPicker } = await import('./emoji-picker.client.ts')
      await showPicker(picker, setEmoji)
    } catch (error) {
      console.error(error)
      picker.close()
      toast({ title: EDIT_TEXTS.noEmojis, kind: 'error' })
    }
  })
  alias.addEventListener('input', check)
  find('[data-random]').addEventListener('click', (event) => {
    event.preventDefault()
    void shuffle()
  })
  // Its form is for pages without script; ui/dialog.client.ts closes.
  find('[form=edit-cancel]').addEventListener('click', (event) => event.preventDefault())
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    void send()
  })
  dialog.addEventListener('close', () => {
    if (!dialog.open) stopChecking()
  })
  document.addEventListener('click', (event) => {
    if (event.target instanceof Element && event.target.closest('[data-dialog-open=edit-profile]')) reset()
  })

  // An address that asks for the form, with a draft or without: it opens as a modal, and Back or a reload need not.
  if (!dialog.open) return
  dialog.close()
  openDialog(dialog)
  history.replaceState(history.state, '', paths.profile)
  check()
}

const [dialog, picker] = document.querySelectorAll<HTMLDialogElement>('dialog#edit-profile, dialog#emoji-picker')
if (dialog && picker) enhanceEditDialog(dialog, picker)
