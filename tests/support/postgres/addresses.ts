/** The migrated, empty database that every test's is copied from. */
export const TEMPLATE_NAME = 'template_perrario'

/** @param folder of the server's socket */
export const databaseUrl = (folder: string, name: string): string =>
  `postgres://postgres:password@localhost/${name}?host=${encodeURIComponent(folder)}`
