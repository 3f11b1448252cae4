/**
 * A form field that nobody sees, under a name that no autofill knows (src/ui/Honeypot.tsx draws it): what is written in it was
 * written by a program that fills in whatever it finds.
 */
export const HONEYPOT_FIELD = 'hueso'

/** Whether what came under that name gives a program away. Other clients send none. */
export const isHoneypotFilled = (value: unknown): boolean => value !== undefined && value !== null && value !== ''
