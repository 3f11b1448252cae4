import { fingerprintLikes, LIKED_KEY } from './likes.ts'

// The member's liked dogs in localStorage, which hearts.client.ts writes.

export interface StoredLikes {
  member: string
  liked: string[]
}

/** Reads the liked dogs from localStorage; null where it is not available or malformed. Likes work without. */
export function readStoredLikes(): StoredLikes | null {
  try {
    const { member, liked }: StoredLikes = JSON.parse(localStorage.getItem(LIKED_KEY)!)
    return { member, liked: liked.map(String) }
  } catch {
    return null
  }
}

/**
 * Whether storage may lack likes that the page's hearts need. The page says which dogs its member liked when the server sent it; one that
 * Back shows may come from the browser's cache.
 */
export function lacksLikes(known: StoredLikes | null, member: string, hasHearts: boolean): boolean {
  if (known?.member !== member) return true
  if (!hasHearts) return false
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  return navigation?.type === 'back_forward' || document.body.dataset.liked !== fingerprintLikes(new Set(known.liked))
}
