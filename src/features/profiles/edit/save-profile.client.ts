import { EDIT_TEXTS } from './profile-edit.ts'

export interface ProfileValues {
  alias: string
  emoji: string
}

export interface SavedProfile extends ProfileValues {
  verified: boolean
}

/** A refused save: `errors` by field, or a `detail` that concerns none. */
export interface SaveProblem {
  detail?: string
  errors?: Record<string, string>
}

/** PUTs the profile. @returns the stored values, or the Spanish problem; never rejects */
export async function saveProfile(
  address: string,
  values: ProfileValues,
): Promise<{ profile: SavedProfile } | { problem: SaveProblem }> {
  try {
    const response = await fetch(address, {
      method: 'PUT',
      headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
      body: JSON.stringify(values),
    })
    const answer: { profile?: SavedProfile } & SaveProblem = await response.json()
    return response.ok && answer.profile ? { profile: answer.profile } : { problem: answer }
  } catch (error) {
    console.error(error)
    return { problem: { detail: EDIT_TEXTS.offline } }
  }
}
