import { PENDING_ASSOCIATION, PENDING_DOGS } from '#features/dogs/form/save/saved-dog.client.ts'
import { paths } from '#lib/paths.ts'
import { toast, toastOnNextPage } from '#ui/toast/toast.client.ts'
import {
  toAssociationOutcome,
  type AssociationOutcome,
  type PendingAssociation,
  PENDING_TEXTS,
  listPendingAssociations,
  withoutAssociatedDogs,
} from './pending-dogs.ts'

// After sign-in, associates the dogs that this device added without an account with the member (docs/product.md §10.5): deletes
// their entries, reloads the page and shows a toast. A failed request leaves its entry for the next visit.

/** The dog that was associated before the page was loaded anew, for the tab. */
const LANDING = 'perrario-cromo'

/** Requests the association. @returns the outcome and the server's Spanish reason */
async function associate({
  dogId,
  ownershipType,
  token,
}: PendingAssociation): Promise<[outcome: AssociationOutcome, detail?: string | undefined]> {
  try {
    const response = await fetch(paths.api.dogAssociation(dogId), {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ ownershipType, token }),
    })
    // The token works once: after a request whose response was lost, the dog is the member's already.
    if (response.status === 409 && (await isOwnDog(dogId))) return ['done']
    const { detail }: { detail?: string } = response.ok ? {} : await response.json()
    return [toAssociationOutcome(response.status), detail]
  } catch {
    return ['later']
  }
}

async function isOwnDog(dogId: string): Promise<boolean> {
  const response = await fetch(paths.api.dog(dogId))
  if (!response.ok) return false
  const { dog }: { dog: { user_id: string | null } } = await response.json()
  return dog.user_id !== null && dog.user_id === document.body.dataset.member
}

async function associateAll(): Promise<void> {
  const entries = listPendingAssociations(localStorage.getItem(PENDING_ASSOCIATION), localStorage.getItem(PENDING_DOGS))
  const resolvedIds = new Set<string>()
  let claimed = ''
  for (const entry of entries) {
    const [outcome, detail] = await associate(entry)
    if (outcome === 'later') continue
    resolvedIds.add(entry.dogId)
    if (outcome === 'done') claimed = entry.dogId
    else toast({ title: PENDING_TEXTS.rejectedTitle, text: detail, kind: 'error', style: 'dialog' })
  }
  removeAssociated(resolvedIds)
  if (!claimed) return
  sessionStorage.setItem(LANDING, claimed)
  toastOnNextPage({ title: PENDING_TEXTS.doneTitle, text: PENDING_TEXTS.done, kind: 'success' })
  location.reload()
}

function removeAssociated(resolvedIds: ReadonlySet<string>): void {
  const [last] = listPendingAssociations(localStorage.getItem(PENDING_ASSOCIATION), null)
  if (!last || resolvedIds.has(last.dogId)) localStorage.removeItem(PENDING_ASSOCIATION)
  const remaining = withoutAssociatedDogs(localStorage.getItem(PENDING_DOGS), resolvedIds)
  if (remaining === null) localStorage.removeItem(PENDING_DOGS)
  else localStorage.setItem(PENDING_DOGS, remaining)
}

/** Runs in one tab at a time: a second one would find the tokens used. Browsers have locks over https and on localhost only. */
const withTabLock = (work: () => Promise<void>): Promise<void> =>
  'locks' in navigator ? navigator.locks.request('perrario-pending', work) : work()

/** The last dog lands in the album once the page shows it. */
async function landAssociated(): Promise<void> {
  const dogId = sessionStorage.getItem(LANDING)
  if (!dogId) return
  sessionStorage.removeItem(LANDING)
  const { prepareLanding } = await import('#features/dogs/landing/landing.client.ts')
  await prepareLanding(dogId)()
}

// Without storage there is nothing to associate.
landAssociated()
  .then(() => withTabLock(associateAll))
  .catch(() => {})
