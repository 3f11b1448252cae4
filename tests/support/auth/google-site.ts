import { CookieJar } from './cookie-jar.ts'
import { startSignIn, followCallback } from './oauth-flow.ts'
import { OAUTH_CLIENT, logIn, type OidcServer, startOidc } from './oidc-provider.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'

export interface GoogleSite {
  server: TestServer
  /** It stands for Google. */
  oidc: OidcServer
  /** The whole way, from the button to what the callback answers. */
  signIn: (login: string, jar?: CookieJar) => Promise<{ jar: CookieJar; response: Response }>
  /** The cookie of a trip under way. */
  flowCookie: (jar: CookieJar) => string | undefined
  close: () => Promise<void>
}

/** A site that offers the sign-in with Google, and a Google of its own. */
export async function startGoogleSite(): Promise<GoogleSite> {
  const oidc = await startOidc()
  const server = await startServer({
    GOOGLE_CLIENT_ID: OAUTH_CLIENT.id,
    GOOGLE_CLIENT_SECRET: OAUTH_CLIENT.secret,
    GOOGLE_ISSUER: oidc.issuer,
  })
  oidc.registerCallback(`${server.url}/api/auth/google/callback`)
  return {
    server,
    oidc,
    signIn: async (login, jar = new CookieJar()) => {
      const { url } = await startSignIn(server, 'google', jar)
      const response = await followCallback(jar, await logIn(jar, url, login))
      return { jar, response }
    },
    flowCookie: (jar) => jar.get(server.url, 'perrario-entrada-google'),
    close: async () => {
      await server.dispose()
      await oidc.close()
    },
  }
}
