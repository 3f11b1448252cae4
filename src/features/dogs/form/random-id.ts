/** A random id. `crypto.randomUUID` exists only under https and on localhost; this also works on a home network. */
export function randomId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
