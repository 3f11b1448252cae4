import { findTextWarning, type TextWarning } from '#features/contact/text-warning.ts'

/**
 * What the words of a lost dog's owner are folded for: anybody may mark a dog as lost, and what they write is announced. Null without
 * a warning, and for a phone number: a finder with the dog needs to call it.
 */
export function findHelpWarning(help: string): TextWarning | null {
  const warning = findTextWarning(help)
  return warning === 'phone' ? null : warning
}
