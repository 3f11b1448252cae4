import i18n from '@emoji-mart/data/i18n/es.json'
import { Picker, Store } from 'emoji-mart'
import data from 'virtual:emojis'
import { emojiButtonSizePx, PICKER_OPTIONS } from './emoji-picker.ts'
import css from './emoji-picker.css?inline'
import { addKeyboardSupport } from './emoji-picker-keys.client.ts'

// Loaded when the picker opens. Data and texts are bundled: no request goes to a third party.

type PickerElement = HTMLElement & { update: (props: object) => void; shadowRoot: ShadowRoot }
let picker: PickerElement | undefined
let onPicked: (emoji: string) => void

/** Fills the picker's open dialog; `onPick` gets the chosen emoji and the dialog closes. Focus goes to the emojis. */
export async function showPicker(dialog: HTMLDialogElement, onPick: (emoji: string) => void): Promise<void> {
  const find = (selector: string) => dialog.querySelector<HTMLElement>(selector)!
  const [host, tones] = [find('[data-emoji-host]'), find('[data-emoji-tones]')]
  onPicked = onPick
  host.hidden = false
  const size = emojiButtonSizePx(host.clientWidth)
  const sizes = { emojiButtonSize: size, emojiSize: Math.round(size * 0.62) }
  if (picker) picker.update(sizes)
  else {
    const onEmojiSelect = ({ native }: { native: string }) => {
      onPicked(native)
      dialog.close()
    }
    // emoji-mart injects a <style> element, which the Content-Security-Policy refuses.
    Picker.prototype.injectStyles = function (this: PickerElement, css: string) {
      this.shadowRoot.adoptedStyleSheets = [createStyleSheet(css)]
    }
    picker = new Picker({ ...PICKER_OPTIONS, ...sizes, data, i18n, onEmojiSelect }) as unknown as PickerElement
    picker.shadowRoot.adoptedStyleSheets.push(createStyleSheet(css))
    host.append(picker)
    bindSkinTones(tones)
  }
  const focusEmojis = await addKeyboardSupport(picker.shadowRoot)
  find('[data-emoji-wait]').hidden = true
  tones.hidden = false
  if (dialog.open) focusEmojis()
}

function createStyleSheet(css: string): CSSStyleSheet {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(css)
  return sheet
}

/** Binds the skin tone radios to the picker's own store, which keeps the choice. */
function bindSkinTones(tones: HTMLElement): void {
  const storedTone = Number(Store.get('skin')) || 1
  for (const input of tones.querySelectorAll('input')) {
    input.checked = Number(input.value) === storedTone
    input.addEventListener('change', () => {
      Store.set('skin', input.value)
      picker!.update({ skin: Number(input.value) })
    })
  }
}
