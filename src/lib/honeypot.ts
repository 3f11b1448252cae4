/**
 * The name of an invisible form field (src/ui/Honeypot.tsx) that no autofill knows. Only programs that fill in every field give it
 * a value.
 */
export const HONEYPOT_FIELD = 'hueso'

/** Whether the field's value shows a program. Other clients send it empty or not at all. */
export const isHoneypotFilled = (value: unknown): boolean => value !== undefined && value !== null && value !== ''
