/** A profile's «Volver» is there only when there is somewhere to go back to (spec.md §2, §9): history length over 2. */
const BACK_FROM_HISTORY = 2

const back = document.querySelector<HTMLElement>('.top [data-back]')
if (back && history.length <= BACK_FROM_HISTORY) back.hidden = true
