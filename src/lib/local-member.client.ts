import { LAST_MEMBER_KEY } from './offline.ts'

/** The member signed in on this device. Cached pages are a visitor's, so offline it is the last member seen. */
export function localMemberId(): string | null {
  const { member } = document.body.dataset
  if (member) return member
  try {
    return localStorage.getItem(LAST_MEMBER_KEY)
  } catch {
    return null
  }
}
