/** The media type of problems (RFC 9457 §6.1). */
export const PROBLEM_TYPE = 'application/problem+json; charset=utf-8'

interface Problem {
  status: number
  /** The status's own phrase, in English: `Not Found`. */
  title: string
  /** One Spanish sentence, which may be displayed unchanged. */
  detail: string
  /** Extension members (RFC 9457 §3.2). */
  [extension: string]: unknown
}

/** A problem as JSON (RFC 9457 §3.1). */
export const problemJson = (problem: Problem): string => JSON.stringify({ type: 'about:blank', ...problem })
