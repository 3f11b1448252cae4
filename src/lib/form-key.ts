/** The hidden field with a form's idempotency key: a form that is sent twice is stored once. */
export const FORM_KEY_FIELD = 'clave'
