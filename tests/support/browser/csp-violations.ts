import type { BrowserContext } from 'playwright'

/** Collects in every page of `context`, from its first byte, what its content policy refused. */
export async function watchCspViolations(context: BrowserContext): Promise<string[]> {
  const refused: string[] = []
  await context.exposeBinding('policyRefused', ({ page }, what: string) =>
    refused.push(`${new URL(page.url()).pathname}: ${what}`),
  )
  await context.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (event) => {
      const { effectiveDirective, blockedURI, sourceFile, lineNumber, sample } = event
      const tell = (window as unknown as { policyRefused?: (what: string) => void }).policyRefused
      tell?.(`${effectiveDirective} ${blockedURI} ${sourceFile}:${lineNumber} ${sample}`)
    })
  })
  return refused
}
