/** A profile's «Volver» is there only when there is somewhere to go back to (docs/product.md §9.2): history length over 2. */
const BACK_FROM_HISTORY = 2

const back = document.querySelector<HTMLElement>('.top [data-back]')
if (back && history.length <= BACK_FROM_HISTORY) back.hidden = true
