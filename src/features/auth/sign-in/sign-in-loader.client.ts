import { hasPasskeys } from '#features/auth/passkeys/passkey-support.client.ts'
import { inBackground } from '#lib/background.client.ts'

// All that a sign-in form needs before anybody touches it. The rest comes with the first touch; until then, and where it does not come, the
// form is a plain one.

// `input` alone comes where a browser fills in an address that had the focus before this script ran.
const TOUCHES = ['pointermove', 'pointerdown', 'keydown', 'focusin', 'input'] as const
const form = document.querySelector('[data-magic-link]')
const input = form?.querySelector<HTMLInputElement>('[name=email]')
const submit = form?.querySelector<HTMLButtonElement>('[type=submit]')
const passkeys = document.querySelector<HTMLElement>('[data-passkeys=sign-in]')

/** The button of a passkey that was pressed before its code was there. */
let pressed: HTMLElement | null = null
const keepPress = ({ target }: Event) => {
  pressed = (target as Element).closest('[data-passkey]')
}

let hasBegun = false

async function load(): Promise<void> {
  if (hasBegun) return
  hasBegun = true
  try {
    await import('./sign-in.client.ts')
  } catch (error) {
    if (submit) submit.disabled = false
    throw error
  }
  if (!passkeys || !hasPasskeys) return
  await import('#features/auth/passkeys/passkey-buttons.client.ts')
  passkeys.removeEventListener('click', keepPress)
  pressed?.click()
}

if (submit && input) submit.disabled = input.value.trim() === ''
if (passkeys) passkeys.hidden = !hasPasskeys
passkeys?.addEventListener('click', keepPress)
// The field of a code that was mailed before is there to be typed in.
if (document.querySelector('[data-sent]:not([hidden])')) inBackground(load())
for (const name of TOUCHES) addEventListener(name, () => inBackground(load()), { once: true, passive: true })
