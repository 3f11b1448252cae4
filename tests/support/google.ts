import { Jar } from './jar.ts'
import { begin, comeBack } from './oauth.ts'
import { CLIENT, logIn, type OidcServer, startOidc } from './oidc.ts'
import { startServer, type TestServer } from './server.ts'

export interface GoogleSite {
  server: TestServer
  /** It stands for Google. */
  oidc: OidcServer
  /** The whole way, from the button to what the callback answers. */
  enter: (login: string, jar?: Jar) => Promise<{ jar: Jar; response: Response }>
  /** The cookie of a trip under way. */
  flowCookie: (jar: Jar) => string | undefined
  close: () => Promise<void>
}

/** A site that offers the sign-in with Google, and a Google of its own. */
export async function openGoogle(): Promise<GoogleSite> {
  const oidc = await startOidc()
  const server = await startServer({
    GOOGLE_CLIENT_ID: CLIENT.id,
    GOOGLE_CLIENT_SECRET: CLIENT.secret,
    GOOGLE_ISSUER: oidc.issuer,
  })
  oidc.allow(`${server.url}/api/auth/google/callback`)
  return {
    server,
    oidc,
    enter: async (login, jar = new Jar()) => {
      const { url } = await begin(server, 'google', jar)
      const response = await comeBack(jar, await logIn(jar, url, login))
      return { jar, response }
    },
    flowCookie: (jar) => jar.get(server.url, 'perrario-entrada-google'),
    close: async () => {
      await server.dispose()
      await oidc.close()
    },
  }
}
