/** What is to be done of a topic. */
export interface WaitingTopic {
  topic: string
  jobs: number
  /** When the first is due, or tried again, ms. */
  due_at: number
  /** Jobs whose last try failed, and one of the failures. */
  failed: number
  error: string | null
}
