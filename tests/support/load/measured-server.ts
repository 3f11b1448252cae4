import { startServer, type TestServer } from '#tests/support/server.ts'

/**
 * The server as it is delivered, to be measured: the test one but for what tests change of its work. Kept pages look for other
 * processes' writes once a second there, and at every request in tests. One address asks for everything here, so nothing is
 * rationed by address.
 * @param env kept: what is changed in it holds from the next start on
 */
export function startMeasuredServer(env: Record<string, string>): Promise<TestServer> {
  env.PAGE_CACHE_POLL_MS ??= '1000'
  env.RENDERS_PER_MINUTE ??= '0'
  return startServer(env)
}
