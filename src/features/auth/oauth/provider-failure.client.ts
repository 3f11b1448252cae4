import { toast } from '#ui/toast/toast.client.ts'

// The page shows the failure in a box; the toast of docs/product.md §10.3 also announces it.
const failure = document.querySelector<HTMLElement>('[data-provider-failure]')
if (failure) {
  const { title = '', text, kind } = failure.dataset
  toast({ title, text, kind: kind === 'info' ? 'info' : 'error' })
}
