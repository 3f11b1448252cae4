import { ALIAS_TEXTS, findAliasProblem, tidyAlias } from '#features/profiles/alias.ts'
import { EDIT_TEXTS } from './profile-edit.ts'

/** Milliseconds without typing before the server is asked. */
const ALIAS_CHECK_DELAY_MS = 300

/** State of the line under the alias: `bad` is an error, `free` an available alias, `busy` a running check. */
export type AliasStatus = '' | 'bad' | 'free' | 'busy'

interface Availability {
  available: boolean
  detail?: string
}

export interface AliasCheckerOptions {
  /** Asks the server; rejects on a failure and when `signal` aborts it. */
  fetchAvailability: (alias: string, signal: AbortSignal) => Promise<Availability>
  show: (status: AliasStatus, text?: string) => void
  delayMs?: number
}

export interface AliasChecker {
  /** Shows what the alias alone tells at once, and the server's answer after a pause in typing. */
  check: (typed: string, savedAlias: string) => void
  /** Asks the server now, instead of any earlier request. @throws when it cannot be reached */
  lookUp: (alias: string) => Promise<Availability>
  /** Cancels a pending check. */
  stop: () => void
}

/** Checks an alias while it is typed (docs/product.md §9.3). A later call cancels the check of an earlier one. */
export function createAliasChecker(options: AliasCheckerOptions): AliasChecker {
  const { fetchAvailability, show, delayMs = ALIAS_CHECK_DELAY_MS } = options
  let timer: ReturnType<typeof setTimeout> | undefined
  let request: AbortController | undefined

  function stop(): void {
    clearTimeout(timer)
    request?.abort()
  }

  function lookUp(alias: string): Promise<Availability> {
    request?.abort()
    request = new AbortController()
    return fetchAvailability(alias, request.signal)
  }

  async function showAvailability(alias: string): Promise<void> {
    try {
      const { available, detail } = await lookUp(alias)
      show(available ? 'free' : 'bad', available ? EDIT_TEXTS.free : (detail ?? ALIAS_TEXTS.taken))
    } catch (error) {
      // A cancelled check shows nothing, since a newer one does. After a failed one saving reports the problem.
      if (!(error instanceof DOMException && error.name === 'AbortError')) show('')
    }
  }

  function check(typed: string, savedAlias: string): void {
    stop()
    const alias = tidyAlias(typed)
    const problem = findAliasProblem(alias)
    if (problem) return show('bad', problem)
    if (alias === savedAlias) return show('')
    show('busy', EDIT_TEXTS.checking)
    timer = setTimeout(() => void showAvailability(alias), delayMs)
  }

  return { check, lookUp, stop }
}
