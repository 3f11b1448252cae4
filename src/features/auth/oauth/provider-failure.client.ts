import { toast } from '#ui/toast/toast.client.ts'

// The box stands in the page; the toast of docs/product.md §10.3 says it once more, aloud.
const failure = document.querySelector<HTMLElement>('[data-provider-failure]')
if (failure) {
  const { title = '', text, kind } = failure.dataset
  toast({ title, text, kind: kind === 'info' ? 'info' : 'error' })
}
