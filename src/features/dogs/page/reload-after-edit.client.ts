import type { Dog } from '#features/dogs/dogs.ts'

/**
 * After an edit the page shows the dog anew, from its first photo (docs/product.md §5.2): once the form has said that it is
 * saved and closed, the page is loaded again, at its new address if the name or breed moved it.
 */
export function reloadAfterEdit(): void {
  const id = document.querySelector<HTMLElement>('.dog-page')?.dataset.dog
  window.addEventListener('perrario:dog-saved', (event) => {
    const { dog, mode } = (event as CustomEvent<{ dog: Dog; mode: 'add' | 'edit' }>).detail
    if (mode !== 'edit' || dog.id !== id) return
    const leave = () => {
      if (document.querySelector('dialog.df[open]')) setTimeout(leave, 100)
      else location.replace(dog.path)
    }
    leave()
  })
}
