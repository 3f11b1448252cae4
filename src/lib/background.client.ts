/**
 * Handles failures of code that loads in the background and without which the page works. Leaving the page or losing the network
 * interrupts the load: a warning only, since the next page loads it again. An error in loaded code stays an error.
 */
export const inBackground = (loading: Promise<unknown>): void =>
  void loading.catch((error: unknown) => {
    // «Failed to fetch dynamically imported module», «error loading dynamically imported module», «Importing a module script failed».
    console[/import.* module/i.test(String(error)) ? 'warn' : 'error'](error)
  })
