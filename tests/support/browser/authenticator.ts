import type { CDPSession, Page } from 'playwright'

/** Gives the page's browser an authenticator that agrees by itself. @returns its id, and the session that ends it by `WebAuthn.disable` */
export async function addAuthenticator(page: Page): Promise<{ cdp: CDPSession; authenticatorId: string }> {
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('WebAuthn.enable', { enableUI: false })
  const options = {
    protocol: 'ctap2' as const,
    transport: 'internal' as const,
    hasResidentKey: true,
    hasUserVerification: true,
    isUserVerified: true,
    automaticPresenceSimulation: true,
  }
  return { cdp, ...(await cdp.send('WebAuthn.addVirtualAuthenticator', { options })) }
}
