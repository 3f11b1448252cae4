// Copies and prints recovery codes. Without script they are selected and printed by hand.

const actions = document.querySelector<HTMLElement>('[data-recovery-actions]')
const list = document.querySelector<HTMLElement>('[data-recovery-codes]')
if (actions && list) {
  actions.hidden = false
  const copy = actions.querySelector<HTMLElement>('[data-copy-codes]')!
  // Plain http on a home network has no clipboard.
  copy.hidden = navigator.clipboard === undefined
  copy.addEventListener('click', async () => {
    const codes = Array.from(list.children, (item) => item.textContent).join('\n')
    const said = actions.querySelector('[data-copied]')!
    said.textContent = await navigator.clipboard.writeText(codes).then(
      () => 'Copiados.',
      () => 'No se han podido copiar: selecciónalos a mano.',
    )
  })
  actions.querySelector('[data-print-codes]')!.addEventListener('click', () => print())
}
