/** What `table` itself holds under a name that somebody sent; nothing of what every object has (`constructor`). */
export const getOwn = <T>(table: Readonly<Record<string, T>>, name: string | null): T | undefined =>
  name !== null && Object.hasOwn(table, name) ? table[name] : undefined
