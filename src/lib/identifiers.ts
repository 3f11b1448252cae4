const UUID_PATTERN = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** True for an id in the form in which the database stores them. */
export const isUuid = (text: string | undefined): text is string => text !== undefined && UUID_PATTERN.test(text)

/** A random id of 32 hex digits. Unlike `crypto.randomUUID` it also works over plain http on a home network. */
export function randomId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** The entry of `table` under a name that came with a request; undefined for what every object has (`constructor`). */
export const getOwn = <T>(table: Readonly<Record<string, T>>, name: string | null): T | undefined =>
  name !== null && Object.hasOwn(table, name) ? table[name] : undefined
