/** The service that recognises what a photo shows, and how it is called. */
export interface DetectionSettings {
  /** Its protocol: an OpenAI-compatible server, or Google's Gemini. */
  service: 'chat-completions' | 'gemini'
  /** Sent in a header only: never in an address, log, error or response. Servers of one's own may have none. */
  key: string | undefined
  /** The base URL, as the operator wrote it. */
  url: string
  model: string
  /** For both tries together. */
  timeoutMs: number
}
