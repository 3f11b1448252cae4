import { formatRelative } from '#lib/dates.ts'
import { loadStylesheet } from '#ui/stylesheet.client.ts'
import styles from './cached-notice.css?url'
import { reloadOnceReachable } from './server-poll.client.ts'

let notice: HTMLElement | undefined

/** A line at the page's top that says that it is a copy and how old. Once the server answers, the page is loaded anew. */
export async function showCachedNotice(since: number): Promise<void> {
  if (notice) {
    notice.hidden = false
    return
  }
  const line = (notice = document.createElement('p'))
  line.className = 'cached-notice'
  line.setAttribute('role', 'status')
  await loadStylesheet(styles)
  document.querySelector('main')?.prepend(line)
  line.textContent = `Sin conexión. Ves una copia guardada ${formatRelative(since, Date.now())}.`
  void reloadOnceReachable(() => (line.hidden = true))
}
