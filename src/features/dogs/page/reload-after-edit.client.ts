import type { Dog } from '#features/dogs/dogs.ts'

const FORM_CHECK_INTERVAL_MS = 100

/**
 * Reloads the page after an edit of its dog, so that it shows the first photo (docs/product.md §5.2). Waits until the form has
 * closed, and goes to the dog's new path if the name or breed changed it.
 */
export function reloadAfterEdit(): void {
  const id = document.querySelector<HTMLElement>('.dog-page')?.dataset.dog
  window.addEventListener('perrario:dog-saved', (event) => {
    const { dog, mode } = (event as CustomEvent<{ dog: Dog; mode: 'add' | 'edit' }>).detail
    if (mode !== 'edit' || dog.id !== id) return
    const reload = () => {
      if (document.querySelector('dialog.df[open]')) return void setTimeout(reload, FORM_CHECK_INTERVAL_MS)
      // Not `replace`: the entry may be the one that layers add (ui/layers.client.ts).
      history.replaceState(history.state, '', dog.path)
      location.reload()
    }
    reload()
  })
}
