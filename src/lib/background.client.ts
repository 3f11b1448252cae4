/**
 * Waits for code that the page works without and nobody asked for. A page that is left, or a lost network, breaks it off:
 * a warning and no error, since the next page loads it again. Code that comes and fails is an error as ever.
 */
export const inBackground = (loading: Promise<unknown>): void =>
  void loading.catch((error: unknown) => {
    // «Failed to fetch dynamically imported module», «error loading dynamically imported module», «Importing a module script failed».
    console[/import.* module/i.test(String(error)) ? 'warn' : 'error'](error)
  })
