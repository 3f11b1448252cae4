/** What came of an intent: a sentence, the way back, and a text that could not be published. */
export interface IntentOutcome {
  text: string
  back?: { href: string; label: string }
  unpublished?: string | undefined
}
