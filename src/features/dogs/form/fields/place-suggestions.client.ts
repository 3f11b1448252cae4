import { paths } from '#lib/paths.ts'
import { problemDetail } from '#features/dogs/form/form-api.client.ts'

/** Names of towns and quarters that begin as `text` does, best first. @throws where the server does not say, or on abort */
export async function fetchPlaceNames(text: string, signal: AbortSignal): Promise<string[]> {
  const response = await fetch(paths.api.places(text), { headers: { Accept: 'application/json' }, signal })
  const body: unknown = await response.json()
  if (!response.ok) throw new Error(problemDetail(body) ?? response.statusText)
  return (body as { places: { name: string }[] }).places.map(({ name }) => name)
}
