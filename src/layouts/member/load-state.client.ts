import { fetchActivity, isActivityShown } from '#features/account/activity/activity.client.ts'
import { inBackground } from '#lib/background.client.ts'
import { paths } from '#lib/paths.ts'

// What a member's page needs besides its markup, in one request: the counters' activity, where they fit, and the liked dogs, where the
// browser has others than the server. Most pages on a phone need neither.

async function loadState(): Promise<void> {
  // A page that is the same for everyone has no hearts.
  const hasHearts = document.body.dataset.liked !== undefined
  const hearts = hasHearts ? await import('#features/likes/hearts.client.ts').catch(() => undefined) : undefined
  const outdatedHearts = hearts?.areStoredLikesOutdated ? hearts : undefined
  if (!isActivityShown) return outdatedHearts?.refreshLikes().catch(() => {})
  if (!outdatedHearts) return void (await fetchActivity())
  const requestedAt = performance.now()
  const liked = await fetchActivity(paths.api.activityAndLikes)
  if (liked === 401) outdatedHearts.clearMember()
  else if (liked) outdatedHearts.receiveLikes({ liked }, requestedAt)
}

inBackground(loadState())
