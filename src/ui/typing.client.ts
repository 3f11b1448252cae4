/**
 * Whether a key belongs to an input method: Enter then takes a suggestion and does nothing else. Safari sends that Enter after
 * `compositionend`, where only the key code of 229 tells it (UI Events §7.3.1).
 */
export const isComposing = (event: { isComposing: boolean; keyCode: number }): boolean =>
  event.isComposing || event.keyCode === 229

const TYPING_PLACES = 'input, textarea, select, [contenteditable], dialog, em-emoji-picker'

/** Whether what is pressed is meant for a field or a dialog: shortcuts of the page leave it alone. */
export const isTyping = ({ target }: Event): boolean =>
  target instanceof HTMLElement && target.closest(TYPING_PLACES) !== null
